// SPDX-License-Identifier: MIT
// Which of a few known texts is this? Found by a hash that the compiler chose so that no two of them meet.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook::reflect {

/// A table of `N` different texts, made by the compiler. Looking up costs a hash of three bytes and one comparison; texts
/// that no such hash tells apart are compared one by one.
template <std::size_t N>
class Lookup {
 public:
  static constexpr std::size_t none = N;

  explicit consteval Lookup(const std::array<std::string_view, N>& texts) : texts_(texts) {
    while (multiplier_ < most_multipliers && !place_all()) ++multiplier_;
  }

  /// The index of `text`, or `none`.
  [[nodiscard]] constexpr std::size_t find(std::string_view text) const {
    const std::size_t index = candidate(text);
    return index != none && texts_[index] == text ? index : none;
  }

  /// The only index that `text` may have, or `none`.
  [[nodiscard]] constexpr std::size_t candidate(std::string_view text) const {
    if (text.empty() || multiplier_ == most_multipliers) return find_one_by_one(text);
    return slots_[hash(text)];
  }

 private:
  static constexpr std::uint32_t most_multipliers = 4096;
  static constexpr std::size_t slot_count = std::bit_ceil(4 * N + 2);

  [[nodiscard]] constexpr std::size_t hash(std::string_view text) const {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at])); };
    const std::uint32_t mixed =
        byte(0) | byte(text.size() / 2) << 8 | byte(text.size() - 1) << 16 | static_cast<std::uint32_t>(text.size()) << 24;
    return (mixed * (2654435769U + 2 * multiplier_)) >> (32 - std::countr_zero(slot_count));
  }

  [[nodiscard]] constexpr std::size_t find_one_by_one(std::string_view text) const {
    std::size_t index = 0;
    while (index < N && texts_[index] != text) ++index;
    return index;
  }

  consteval bool place_all() {
    slots_.fill(none);
    for (std::size_t i = 0; i < N; ++i) {
      if (texts_[i].empty()) continue;
      std::size_t& slot = slots_[hash(texts_[i])];
      if (slot != none) return false;
      slot = i;
    }
    return true;
  }

  std::array<std::string_view, N> texts_;
  std::array<std::size_t, slot_count> slots_{};
  std::uint32_t multiplier_ = 0;
};

}  // namespace bankhook::reflect
