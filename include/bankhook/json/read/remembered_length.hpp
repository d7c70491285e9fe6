// SPDX-License-Identifier: MIT
// What the reader remembers of a field: how long its text or array was the last times.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/reflect/fields.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::json {

/// The reader predicts the next text or array of a field by it. A wrong guess costs time, never correctness.
class RememberedLength {
 public:
  /// Of texts: the size that the last ones had, if the next one is likely to have it; else 0.
  [[nodiscard]] constexpr std::uint8_t expected_size() const { return expected_; }
  /// Of arrays: how many elements to make room for. What is not needed of it is given back.
  [[nodiscard]] constexpr std::size_t likely_count() const { return count_; }

  /// Follows the largest arrays at once, and comes down slowly: room for too many costs less than a call for more.
  constexpr void remember_count(std::size_t count) {
    const std::size_t lower = count_ - count_ / 8U;
    count_ = static_cast<std::uint16_t>(std::min<std::size_t>(std::max(count, lower), UINT16_MAX));
  }

  /// Of a text of another size than the expected one. Texts whose sizes vary are looked at ever more rarely: then all that
  /// is done for one is to count.
  BANKHOOK_INLINE constexpr void mispredicted(std::size_t size) {
    if (--patience_ < 0) [[unlikely]]  // one instruction for both
      learn(size);
  }

 private:
  BANKHOOK_NOINLINE constexpr void learn(std::size_t size) {
    constexpr unsigned often = 3, longest_pause = UINT8_MAX;
    if (size == last_) {
      patience_ = 0;
      if (++repeated_ < often) return;
      expected_ = last_;
      pause_ = 0;
    } else {
      last_ = static_cast<std::uint8_t>(size);
      expected_ = 0;
      patience_ = pause_;
      pause_ = static_cast<std::uint8_t>(std::min(2U * pause_ + 1, longest_pause));
    }
    repeated_ = 0;
  }

  // All zero at first, because they lie in memory that was cleared.
  std::uint16_t count_ = 0;
  std::int16_t patience_ = 0;  ///< how many texts are to pass before one is looked at; no byte, which could alias anything
  std::uint8_t expected_ = 0;
  std::uint8_t last_ = 0;
  std::uint8_t repeated_ = 0;  ///< how many times in a row a size was that before it
  std::uint8_t pause_ = 0;     ///< how many will pass if that one is of another size again
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

}  // namespace bankhook::inline BANKHOOK_ABI::json
