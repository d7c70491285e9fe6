// SPDX-License-Identifier: MIT
// Which of a few known texts is this? Found by a hash that the compiler chose so that no two of them meet.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace bankhook::reflect {

/// A table of `N` different texts, made by the compiler. Looking up costs a hash of the size and the first bytes and one
/// comparison; texts that no such hash tells apart are compared one by one.
template <std::size_t N>
class Lookup {
 public:
  static constexpr std::size_t none = N;

  explicit consteval Lookup(const std::array<std::string_view, N>& texts) : texts_(texts) {
    std::size_t shortest = sizeof(std::uint64_t);
    for (const std::string_view text : texts) shortest = std::min(shortest, text.size() + 1);
    bytes_ = ~std::uint64_t{0} >> (64 - 8 * shortest);
    while (tries_ < most_tries && !place_all()) {
      multiplier_ *= first_multiplier;  // stays odd
      ++tries_;
    }
  }

  /// The index of `text`, or `none`.
  [[nodiscard]] constexpr std::size_t find(std::string_view text) const {
    if (!is_hashed()) return find_one_by_one(text);
    const std::size_t index = candidate(begin_of(text), size_bit(text.size()));
    return index != none && texts_[index] == text ? index : none;
  }

  /// Whether the texts have different hashes.
  [[nodiscard]] constexpr bool is_hashed() const { return tries_ < most_tries; }

  /// The only index that a text may have, or `none`; where `is_hashed`.
  /// @param begin its first eight bytes, the first of them the lowest, a quote behind its end among them.
  /// @param size_bit the bit that its size numbers; none for 32 and more.
  [[nodiscard]] constexpr std::size_t candidate(std::uint64_t begin, std::uint32_t size_bit) const {
    return slots_[hash(begin, size_bit)];
  }

 private:
  static constexpr int most_tries = 4096;
  static constexpr std::uint64_t first_multiplier = 0x9E3779B97F4A7C15;
  static constexpr std::size_t slot_count = std::bit_ceil(4 * N + 2);

  [[nodiscard]] static constexpr std::uint32_t size_bit(std::size_t size) {
    return size < 32 ? std::uint32_t{1} << size : 0;
  }
  [[nodiscard]] constexpr std::size_t hash(std::uint64_t begin, std::uint32_t size_bit) const {
    const std::uint64_t mixed = (begin & bytes_) ^ std::uint64_t{size_bit} << 32;
    return static_cast<std::size_t>((mixed * multiplier_) >> (64 - std::countr_zero(slot_count)));
  }

  [[nodiscard]] static constexpr std::uint64_t begin_of(std::string_view text) {
    std::uint64_t begin = 0;
    if !consteval {
      if (text.size() >= sizeof begin && std::endian::native == std::endian::little) {
        std::memcpy(&begin, text.data(), sizeof begin);
        return begin;
      }
    }
    for (std::size_t i = 0; i < sizeof begin && i <= text.size(); ++i) {
      begin |= std::uint64_t{static_cast<unsigned char>(i < text.size() ? text[i] : '"')} << 8 * i;
    }
    return begin;
  }

  [[nodiscard]] constexpr std::size_t find_one_by_one(std::string_view text) const {
    std::size_t index = 0;
    while (index < N && texts_[index] != text) ++index;
    return index;
  }

  consteval bool place_all() {
    slots_.fill(none);
    for (std::size_t i = 0; i < N; ++i) {
      std::size_t& slot = slots_[hash(begin_of(texts_[i]), size_bit(texts_[i].size()))];
      if (slot != none) return false;
      slot = i;
    }
    return true;
  }

  std::array<std::string_view, N> texts_;
  std::array<std::size_t, slot_count> slots_{};
  std::uint64_t bytes_ = 0;
  std::uint64_t multiplier_ = first_multiplier;
  int tries_ = 0;
};

}  // namespace bankhook::reflect
