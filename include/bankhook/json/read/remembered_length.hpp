// SPDX-License-Identifier: MIT
// What the reader remembers of a field: how long its text or array was the last times.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/reflect/fields.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace bankhook::json {

/// The reader predicts the next text or array of a field by it. A wrong guess costs time, never correctness.
class RememberedLength {
 public:
  /// A text is compared with a prediction in blocks of this size, and searched in this many bytes at once.
  static constexpr std::size_t block = 32;
  static constexpr std::size_t search = 64;

  /// The last one.
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  /// Of texts: whether the last ones had the same length, so that the next one is likely to have it.
  [[nodiscard]] constexpr bool is_steady() const { return (repeated_ & often) == often; }
  /// Of steady texts that end in their first block: where a search in it will stop, as its bit; else 0.
  [[nodiscard]] constexpr std::uint32_t stop() const { return stop_; }

  /// Of an array.
  constexpr void remember_count(std::size_t count) {
    size_ = limited(count);
    repeated_ = 0;
    stop_ = 0;
  }
  /// Of a text shorter than `search`. By masks: nothing here is for a branch to guess.
  constexpr void remember(std::size_t size) {
    repeated_ = static_cast<std::uint8_t>(2 * repeated_ + static_cast<int>(size == size_));
    size_ = static_cast<std::uint16_t>(size);
    stop_ = static_cast<std::uint32_t>(std::uint64_t{is_steady()} << size);  // 0 for a text longer than a block
  }
  /// Of a longer text.
  constexpr void remember_long(std::size_t size) {
    repeated_ = static_cast<std::uint8_t>(2 * repeated_ + static_cast<int>(size == size_));
    size_ = limited(size);
    stop_ = 0;
  }

 private:
  static constexpr std::uint8_t often = 7;  // three times in a row
  static constexpr std::size_t most = UINT16_MAX;
  static constexpr std::uint16_t limited(std::size_t size) { return static_cast<std::uint16_t>(std::min(size, most)); }

  // All zero at first, because they lie in memory that was cleared. If `stop_` is not zero, it is the bit that `size_`
  // numbers.
  std::uint32_t stop_ = 0;
  std::uint16_t size_ = 0;
  std::uint8_t repeated_ = 0;  ///< the last comparisons with the length before, the latest one lowest
};

/// One a field. Few, because a reader that starts without memory clears them first.
using RememberedLengths = std::array<RememberedLength, 64>;

/// The place of field `I` among them: spread by the struct's name. A shared place costs only time; the texts and arrays
/// of the two events share none.
template <class T, std::size_t I>
inline constexpr std::size_t place_of_length = [] {
  std::uint64_t value = 0;
  for (const char c : reflect::type_name<T>) value = value * 31 + static_cast<unsigned char>(c);
  return static_cast<std::size_t>(((value * 3) >> 8) + I) % std::tuple_size_v<RememberedLengths>;
}();

/// Where the reader remembers the length of field `I`.
template <class T, std::size_t I, class Context>
BANKHOOK_INLINE constexpr RememberedLength& remembered_length(Context& in) {
  return in.store.length(place_of_length<T, I>);
}

}  // namespace bankhook::json
