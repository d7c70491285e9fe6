// SPDX-License-Identifier: MIT
// Text that the compiler writes: measured first, then written to where it fits exactly.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/fixed_string.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// Writes to `out`, or only counts where that is nullptr.
class TextBuilder {
 public:
  constexpr explicit TextBuilder(char* out) : out_(out) {}

  constexpr TextBuilder& operator<<(std::string_view text) {
    if (out_ != nullptr) std::copy_n(text.data(), text.size(), out_ + size_);
    size_ += text.size();
    return *this;
  }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

 private:
  char* out_;
  std::size_t size_ = 0;
};

/// What the function `write` writes, as a FixedString of static storage.
template <void (*write)(TextBuilder&)>
inline constexpr auto written = [] {
  constexpr std::size_t size = [] {
    TextBuilder counting(nullptr);
    write(counting);
    return counting.size();
  }();
  FixedString<size> text;
  TextBuilder builder(text.characters);
  write(builder);
  return text;
}();

/// The name of an enumerator as people read it: `delete_` is delete.
template <Enumeration E>
constexpr std::string_view plain_name(E value) {
  const std::string_view name = name_of(value);
  return name.substr(0, name.find_last_not_of('_') + 1);
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail
