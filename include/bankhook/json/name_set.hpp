// SPDX-License-Identifier: MIT
// The unlisted member names of one object, so that a repeated one is noticed however many there are.
#pragma once

#include <bankhook/base/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook::json {

/// Open addressing in the reader's store; a few names are compared one by one. Costs nothing while no name is unlisted.
template <class Store>
class NameSet {
 public:
  explicit constexpr NameSet(Store& store) : store_(store) {}

  /// Adds `name`; `repeated_member` if it is there already, `out_of_memory` if there is no room for it.
  constexpr Errc add(std::string_view name) {
    if (size_ <= few_.size() && slots_.empty()) return add_to_few(name);
    if (2 * (size_ + 1) > slots_.size() && !grow()) return Errc::out_of_memory;
    std::string_view& slot = find(name);
    if (slot.data() != nullptr) return Errc::repeated_member;
    slot = name;
    ++size_;
    return Errc::none;
  }

 private:
  /// Most objects have none or a few: those are compared one by one, and the table is made for the next one.
  constexpr Errc add_to_few(std::string_view name) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (few_[i] == name) return Errc::repeated_member;
    }
    if (size_ < few_.size()) {
      few_[size_++] = name;
      return Errc::none;
    }
    if (!grow()) return Errc::out_of_memory;
    for (const std::string_view other : few_) find(other) = other;
    find(name) = name;
    ++size_;
    return Errc::none;
  }

  static constexpr std::size_t hash(std::string_view name) {
    std::uint64_t value = 0xCBF29CE484222325;
    for (const char c : name) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return static_cast<std::size_t>(value ^ value >> 32);
  }

  /// Where `name` is or would be.
  constexpr std::string_view& find(std::string_view name) {
    std::size_t at = hash(name) & (slots_.size() - 1);
    while (slots_[at].data() != nullptr && slots_[at] != name) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  constexpr bool grow() {
    const std::span<std::string_view> old = slots_;
    slots_ = store_.names(old.empty() ? 16 : 2 * old.size());
    if (slots_.empty()) return false;
    for (const std::string_view name : old) {
      if (name.data() != nullptr) find(name) = name;
    }
    return true;
  }

  Store& store_;
  std::array<std::string_view, 4> few_{};
  std::span<std::string_view> slots_{};
  std::size_t size_ = 0;
};

}  // namespace bankhook::json
