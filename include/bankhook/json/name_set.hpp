// SPDX-License-Identifier: MIT
// The unlisted member names of one object, so that a repeated one is noticed however many there are.
#pragma once

#include <bankhook/base/error.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook::json {

/// Open addressing in the reader's store; a few names are compared one by one. Costs next to nothing while no name is
/// unlisted: only the count of names is set then.
class NameSet {
 public:
  constexpr NameSet() {}  // the rest is made with the names

  /// Adds `name`; `repeated_member` if it is there already, `out_of_memory` if `store` has no room for it.
  template <class Store>
  constexpr Errc add(Store& store, std::string_view name) {
    if (size_ <= few) return add_to_few(store, name);
    if (2 * (size_ + 1) > slot_count_ && !grow(store)) return Errc::out_of_memory;
    return add_to_slots(name);
  }

 private:
  static constexpr std::size_t few = 4;

  /// Most objects have none or a few: those are compared one by one, and the table is made for the next one.
  template <class Store>
  constexpr Errc add_to_few(Store& store, std::string_view name) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (std::string_view(few_[i], few_sizes_[i]) == name) return Errc::repeated_member;
    }
    if (size_ < few) {
      few_[size_] = name.data();
      few_sizes_[size_++] = name.size();
      return Errc::none;
    }
    slots_ = nullptr;
    slot_count_ = 0;
    if (!grow(store)) return Errc::out_of_memory;
    for (std::size_t i = 0; i < few; ++i) {
      const std::string_view other(few_[i], few_sizes_[i]);
      find(other) = other;
    }
    return add_to_slots(name);
  }

  constexpr Errc add_to_slots(std::string_view name) {
    std::string_view& slot = find(name);
    if (slot.data() != nullptr) return Errc::repeated_member;
    slot = name;
    ++size_;
    return Errc::none;
  }

  /// The upper bits of a product depend on all of the name, and on where the table lies: who sends a payload does not know
  /// that, and cannot choose names that meet.
  [[nodiscard]] constexpr std::size_t hash(std::string_view name) const {
    std::uint64_t value = 0xCBF29CE484222325;
    if !consteval {
      value ^= reinterpret_cast<std::uintptr_t>(slots_) * 0x9E3779B97F4A7C15;
    }
    for (const char c : name) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return static_cast<std::size_t>((value * 0x9E3779B97F4A7C15) >> (64 - std::countr_zero(slot_count_)));
  }

  /// Where `name` is or would be.
  constexpr std::string_view& find(std::string_view name) {
    std::size_t at = hash(name);
    while (slots_[at].data() != nullptr && slots_[at] != name) at = (at + 1) & (slot_count_ - 1);
    return slots_[at];
  }

  template <class Store>
  constexpr bool grow(Store& store) {
    const std::span<std::string_view> larger = store.names(slot_count_ == 0 ? 16 : 2 * slot_count_);
    if (larger.empty()) return false;
    const std::string_view* const old = slots_;
    const std::size_t old_count = slot_count_;
    slots_ = larger.data();
    slot_count_ = larger.size();
    for (std::size_t i = 0; i < old_count; ++i) {
      if (old[i].data() != nullptr) find(old[i]) = old[i];
    }
    return true;
  }

  std::size_t size_ = 0;
  const char* few_[few];
  std::size_t few_sizes_[few];
  std::string_view* slots_;  // where there are more than a few names
  std::size_t slot_count_;
};

}  // namespace bankhook::json
