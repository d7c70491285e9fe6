// SPDX-License-Identifier: MIT
// Which of a few known texts is this? Found by a hash that the compiler chose so that no two of them meet.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// A table of different texts, made by the compiler. Looking up costs a hash of the size and the first eight bytes and one
/// comparison; where two texts share both, all are compared one by one. Of one type for any number of texts: what looks up
/// is compiled once.
class Lookup {
 public:
  static constexpr std::size_t max_size = 32;

  template <std::size_t N>
  explicit constexpr Lookup(const std::array<std::string_view, N>& texts)
      : size_(N), shift_(64 - std::countr_zero(std::bit_ceil(4 * N + 2))) {
    static_assert(N <= max_size);
    std::array<std::uint64_t, N> keys{};
    for (std::size_t i = 0; i < N; ++i) {
      texts_[i] = texts[i];
      keys[i] = key(prefix_of(texts[i]), size_bit(texts[i].size()));
    }
    for (std::size_t i = 1; i < N; ++i) {
      if (std::find(keys.begin(), keys.begin() + i, keys[i]) != keys.begin() + i) return;
    }
    int tries = 0;
    for (; tries < max_tries && !place_all(keys); ++tries) multiplier_ *= first_multiplier;
    is_hashed_ = tries < max_tries;
  }

  /// What stands for a text that is not in the table: how many are.
  [[nodiscard]] constexpr std::size_t none() const { return size_; }

  /// The text with this index.
  [[nodiscard]] constexpr std::string_view text(std::size_t index) const { return texts_[index]; }

  /// The index of `text`, or `none`.
  [[nodiscard]] constexpr std::size_t find(std::string_view text) const {
    if (!is_hashed_) return find_one_by_one(text);
    const std::size_t index = slots_[slot(key(prefix_of(text), size_bit(text.size())))];
    return index != size_ && texts_[index] == text ? index : size_;
  }

  /// Whether the texts have different hashes.
  [[nodiscard]] constexpr bool is_hashed() const { return is_hashed_; }

  /// The only index that a text may have, or `none`; where `is_hashed`.
  /// @param begin eight bytes, the first of them the lowest: the text, and a quote after it
  /// @param size_bit the bit that its size numbers; none for 32 and more.
  [[nodiscard]] constexpr std::size_t candidate(std::uint64_t begin, std::uint32_t size_bit) const {
    return slots_[slot(key(through_quote(begin), size_bit))];
  }

 private:
  static constexpr int max_tries = 256;
  static constexpr std::uint64_t first_multiplier = 0x9E3779B97F4A7C15;

  [[nodiscard]] static constexpr std::uint32_t size_bit(std::size_t size) {
    return size < 32 ? std::uint32_t{1} << size : 0;
  }
  [[nodiscard]] static constexpr std::uint64_t key(std::uint64_t begin, std::uint32_t size_bit) {
    return begin ^ std::uint64_t{size_bit} << 32;
  }
  [[nodiscard]] constexpr std::size_t slot(std::uint64_t key) const {
    return static_cast<std::size_t>((key * multiplier_) >> shift_);
  }

  /// The bytes of a word up to its first quote, or all of them without one. By arithmetic: a search would have to end
  /// first.
  [[nodiscard]] static constexpr std::uint64_t through_quote(std::uint64_t word) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    const std::uint64_t others = word ^ ones * '"';
    const std::uint64_t quotes = (others - ones) & ~others & ones << 7;  // the lowest mark is right
    return word & (quotes ^ (quotes - 1));
  }
  [[nodiscard]] static constexpr std::uint64_t prefix_of(std::string_view text) {
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < sizeof begin && i <= text.size(); ++i) {
      begin |= std::uint64_t{static_cast<unsigned char>(i < text.size() ? text[i] : '"')} << 8 * i;
    }
    return begin;
  }

  [[nodiscard]] constexpr std::size_t find_one_by_one(std::string_view text) const {
    std::size_t index = 0;
    while (index < size_ && texts_[index] != text) ++index;
    return index;
  }

  template <std::size_t N>
  constexpr bool place_all(const std::array<std::uint64_t, N>& keys) {
    const std::size_t slots = std::size_t{1} << (64 - shift_);
    for (std::size_t i = 0; i < slots; ++i) slots_[i] = static_cast<std::uint8_t>(N);
    for (std::size_t i = 0; i < N; ++i) {
      std::uint8_t& index = slots_[slot(keys[i])];
      if (index != N) return false;
      index = static_cast<std::uint8_t>(i);
    }
    return true;
  }

  std::size_t size_;
  int shift_;
  bool is_hashed_ = false;
  std::uint64_t multiplier_ = first_multiplier;
  std::array<std::uint8_t, std::bit_ceil(4 * max_size + 2)> slots_{};
  std::array<std::string_view, max_size> texts_{};
};

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
