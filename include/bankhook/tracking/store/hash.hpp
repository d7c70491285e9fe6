// SPDX-License-Identifier: MIT
// Two hashes of bytes, the same on every machine: one that finds an id, and one that notices damage.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/text/eight_bytes.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// Ids are looked up by it. It is not keyed, so anyone can choose ids with the same hash; `Table` keeps searches for them
/// short.
using IdHash = std::uint32_t;

}  // namespace bankhook::inline BANKHOOK_ABI::tracking

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

inline constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;

/// Of two different words, or two different lanes, never the same: each part of it can be undone.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb(std::uint64_t lane, std::uint64_t word) {
  return std::rotl((lane ^ word) * factor, 29);
}

/// Spreads every bit over all of them.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t finish(std::uint64_t lane) {
  lane = (lane ^ lane >> 32) * 0xD6E8FEB86659FD93;
  lane = (lane ^ lane >> 32) * 0xD6E8FEB86659FD93;
  return lane ^ lane >> 32;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// Of an id: a few dozen bytes, one after the other.
[[nodiscard]] constexpr IdHash id_hash(std::string_view id) {
  const char* p = id.data();
  const char* const end = p + id.size();
  std::uint64_t lane = id.size();
  for (; end - p >= 8; p += 8) lane = detail::absorb(lane, text::load8(p));
  if (p != end) lane = detail::absorb(lane, text::load_up_to_8(p, end));
  return static_cast<IdHash>(detail::finish(lane) >> 32);
}

/// Of a snapshot: four lanes at once, faster than memory. Damage inside any eight bytes in a row that begin at a multiple
/// of eight is noticed for certain, any other with 64 bits.
[[nodiscard]] constexpr std::uint64_t checksum_of(std::string_view bytes) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  std::array<std::uint64_t, 4> lanes{1, 2, 3, 4};
  for (; end - p >= 32; p += 32) {
    for (std::size_t i = 0; i < 4; ++i) lanes[i] = detail::absorb(lanes[i], text::load8(p + 8 * i));
  }
  std::uint64_t sum = bytes.size();
  for (const std::uint64_t lane : lanes) sum = detail::absorb(sum, lane);
  for (; p < end; p += end - p < 8 ? end - p : 8) sum = detail::absorb(sum, text::load_up_to_8(p, end));
  return detail::finish(sum);
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
