// SPDX-License-Identifier: MIT
// Random numbers that are the same on every platform: a counter, a mixing that can be undone, and draws of whole numbers.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstddef>
#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

inline constexpr std::uint64_t multiplier = 0xD6E8FEB86659FD93;
inline constexpr std::uint64_t inverse = 0xCFEE444D8B59A89B;
static_assert(multiplier * inverse == 1);

constexpr std::uint64_t fold(std::uint64_t value) { return value ^ value >> 32; }
/// Spreads each bit of `value` over all bits; no two values become one.
constexpr std::uint64_t mix(std::uint64_t value) { return fold(fold(fold(value) * multiplier) * multiplier); }
/// The value that `mix` made `mixed` of.
constexpr std::uint64_t unmix(std::uint64_t mixed) { return fold(fold(fold(mixed) * inverse) * inverse); }

/// Draws. No distribution of the standard library is used: the standard does not fix what they give.
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) : state_(mix(seed)) {}

  constexpr std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;  // odd: all 2^64 states come before one comes again
    return mix(state_);
  }
  /// From 0 to `limit` - 1.
  constexpr std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>((next() >> 32) * limit >> 32); }
  constexpr std::uint32_t between(std::uint32_t least, std::uint32_t most) { return least + below(most - least + 1); }
  constexpr bool one_in(std::uint32_t count) { return below(count) == 0; }

  template <class T, std::size_t N>
  constexpr const T& pick(const T (&values)[N]) {
    return values[below(N)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
