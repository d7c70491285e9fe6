// SPDX-License-Identifier: MIT
// Hashes of bytes: a keyed one that finds an id, and two that are the same on every machine.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/text/eight_bytes.hpp>

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

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

/// Another number in each process: where things lie in memory, and the time.
[[nodiscard]] inline std::uint64_t secret() {
  static const char here = 0;
  const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  const auto local = reinterpret_cast<std::uintptr_t>(&now);
  return finish(absorb(absorb(now, reinterpret_cast<std::uintptr_t>(&here)), local));
}

[[nodiscard]] constexpr std::uint64_t sip_hash(std::uint64_t key, std::string_view text) {
  std::uint64_t v0 = key ^ 0x736F6D6570736575, v1 = ~key ^ 0x646F72616E646F6D;
  std::uint64_t v2 = key ^ 0x6C7967656E657261, v3 = ~key ^ 0x7465646279746573;
  const auto round = [&] {
    v0 += v1, v2 += v3, v1 = std::rotl(v1, 13) ^ v0, v3 = std::rotl(v3, 16) ^ v2, v0 = std::rotl(v0, 32);
    v2 += v1, v0 += v3, v1 = std::rotl(v1, 17) ^ v2, v3 = std::rotl(v3, 21) ^ v0, v2 = std::rotl(v2, 32);
  };
  const auto take = [&](std::uint64_t word) { v3 ^= word, round(), v0 ^= word; };
  const char* p = text.data();
  const char* const end = p + text.size();
  for (; end - p >= 8; p += 8) take(text::load8(p));
  take(text::load_up_to_8(p, end) | static_cast<std::uint64_t>(text.size()) << 56);
  v2 ^= 0xFF;
  round(), round(), round();
  return v0 ^ v1 ^ v2 ^ v3;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// Of an id, by SipHash-1-3 with a key that nobody outside knows: whoever chooses ids cannot choose them so that they meet.
struct IdHash {
  using is_transparent = void;

  [[nodiscard]] std::size_t operator()(std::string_view id) const {
    static const std::uint64_t key = detail::secret();
    return static_cast<std::size_t>(detail::sip_hash(key, id));
  }
};

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
