// SPDX-License-Identifier: MIT
// What the reader remembers of a member: how long its text or array was the last times.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/reflect/members.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace bankhook::json {

/// The reader predicts the next text or array of a member by it. A wrong guess costs time, never correctness.
class RememberedLength {
 public:
  /// A search for the end of a text looks at so many bytes at once.
  static constexpr std::size_t block = 32;

  /// The last one.
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  /// For texts: where a search in the first block will stop if the length is the same again, as its bit; 0 if the text
  /// is longer, and where the length varies.
  [[nodiscard]] constexpr std::uint32_t stop() const { return stop_; }

  /// Of an array, or of a text that is longer than its first block. A text that shares the place must find no stop that
  /// belongs to another size.
  constexpr void remember_count(std::size_t size) {
    size_ = static_cast<std::uint16_t>(std::min(size, most));
    stop_ = 0;
  }
  /// Of a text that ends in its first block. By masks: nothing here is for a branch to guess.
  constexpr void remember_short(std::size_t size) {
    const std::uint32_t is_same = 0 - std::uint32_t{size == size_};
    repeated_ = static_cast<std::uint8_t>((std::uint32_t{repeated_} + 1) & is_same);
    size_ = static_cast<std::uint16_t>(size);
    stop_ = std::uint32_t{1} << size & (0 - std::uint32_t{repeated_ >= often});
  }

 private:
  static constexpr std::uint32_t often = 4;
  static constexpr std::size_t most = UINT16_MAX;  // a text that is longer is searched

  // All zero at first, because they lie in memory that was cleared. If `stop_` is not zero, it is the bit that `size_`
  // numbers.
  std::uint32_t stop_ = 0;
  std::uint16_t size_ = 0;
  std::uint8_t repeated_ = 0;
};

/// One a member.
using RememberedLengths = std::array<RememberedLength, 256>;

/// Where the reader remembers the length of member `I`: spread by the struct's name; a shared place costs only time.
template <class T, std::size_t I, class Context>
BANKHOOK_INLINE constexpr RememberedLength& remembered_length(Context& in) {
  constexpr std::size_t slot = [] {
    std::size_t value = 0;
    for (const char c : reflect::type_name<T>) value = value * 31 + static_cast<unsigned char>(c);
    return (value * 24 + I) % 256;
  }();
  return in.store.length(slot);
}

}  // namespace bankhook::json
