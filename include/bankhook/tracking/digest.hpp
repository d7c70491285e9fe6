// SPDX-License-Identifier: MIT
// Hashes of bytes: a keyed one that finds an id, the checksum of a snapshot, and the digests of the events of a key.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/number.hpp>
#include <bankhook/text/timestamp.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace tracking {

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
  take(text::load_up_to_8(p, end) | std::uint64_t{text.size()} << 56);
  v2 ^= 0xFF;
  round(), round(), round();
  return v0 ^ v1 ^ v2 ^ v3;
}

/// An id and its hash: SipHash-1-3 with a key that nobody outside knows, so whoever chooses ids cannot choose them so that
/// they meet. Views the id.
struct IdKey {
  std::string_view id;
  std::uint64_t hash;  ///< never 0

  IdKey(std::string_view text) : IdKey(text, hash_of(text)) {}
  IdKey(std::string_view text, std::uint64_t known_hash) : id(text), hash(known_hash) {}

 private:
  [[nodiscard]] static std::uint64_t hash_of(std::string_view id) {
    static const std::uint64_t key = secret();
    return sip_hash(key, id) | std::uint64_t{1} << 63;
  }
};

/// A digest of an event, its customer included; the same on every machine: sixteen letters of four bits each, so that a
/// record can store it as a text. Two different events share one if the sender wants it, and else never: so it only
/// informs.
using Digest = std::array<char, 16>;

[[nodiscard]] constexpr std::string_view text_of(const Digest& digest BANKHOOK_LIFETIMEBOUND) {
  return {digest.data(), digest.size()};
}

/// Whether `digest` is one of those that `seen` has one after the other.
[[nodiscard]] constexpr bool contains(std::string_view seen, const Digest& digest) {
  for (; !seen.empty(); seen.remove_prefix((std::min)(seen.size(), digest.size()))) {
    if (seen.starts_with(text_of(digest))) return true;
  }
  return false;
}

/// Room for the digests of the last events of a key, one after the other and each once, the newest first.
using Seen = std::array<char, 16 * sizeof(Digest)>;

/// Writes `newest` to `out`, then as many of `older` as make `most` in all, at most 16. The result views `out`.
[[nodiscard]] constexpr std::string_view write_seen(const Digest& newest, std::string_view older,
                                                    Seen& out BANKHOOK_LIFETIMEBOUND, std::size_t most) {
  char* end = std::ranges::copy(newest, out.data()).out;
  for (; older.size() >= newest.size() && end != out.data() + most * newest.size(); older.remove_prefix(newest.size())) {
    if (!older.starts_with(text_of(newest))) end = std::copy_n(older.data(), newest.size(), end);
  }
  return {out.data(), end};
}

/// Eight bytes at a time; the last ones overlap.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_text(std::uint64_t lane, std::string_view text) {
  lane += text.size() + 1;
  if (text.size() < 8) return absorb(lane, text::load_up_to_8(text.data(), text.data() + text.size()));
  const char* const last = text.data() + text.size() - 8;
  for (const char* p = text.data(); p < last; p += 8) lane = absorb(lane, text::load8(p));
  return absorb(lane, text::load8(last));
}

/// By spelling: `19.9` and `19.90` are two spellings, and two events. A value type with a form of its own by its text.
template <class T>
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_value(std::uint64_t lane, const T& value) {
  if constexpr (reflect::Tag<T>) return lane;
  else if constexpr (reflect::Text<T>) return absorb_text(lane, value);
  else if constexpr (std::unsigned_integral<T>) return absorb(lane, value);
  else if constexpr (reflect::OpenEnumeration<T>) {
    const auto known = value.known();
    return known ? absorb(lane, static_cast<std::uint64_t>(*known) + 1) : absorb_text(lane, value.text());
  } else if constexpr (std::same_as<T, Decimal>) {
    return absorb(absorb(lane, static_cast<std::uint64_t>(value.unscaled())), static_cast<std::uint64_t>(value.scale()));
  } else if constexpr (std::same_as<T, std::chrono::year_month_day>) {
    const std::uint64_t year = static_cast<std::uint16_t>(static_cast<int>(value.year()));
    return absorb(lane, year << 16 | static_cast<unsigned>(value.month()) << 8 | static_cast<unsigned>(value.day()));
  } else if constexpr (std::same_as<T, text::DateTime>) {
    const std::uint64_t minutes = std::uint64_t{value.hour} << 6 | value.minute;
    const std::uint64_t clock = ((minutes << 6 | value.second) << 4 | value.fraction_digits) << 32 | value.nanosecond;
    return absorb(absorb_value(lane, value.date), clock);
  } else if constexpr (std::same_as<T, LocalTimestamp>) {
    return absorb_value(lane, value.fields());
  } else if constexpr (std::same_as<T, Timestamp>) {
    const std::uint64_t offset = static_cast<std::uint16_t>(value.offset().count());
    const auto form = static_cast<std::uint64_t>(value.offset_form()) << 1 | (value.has_minus() ? 1U : 0U);
    return absorb(absorb_value(lane, value.fields()), offset << 8 | form);
  } else if constexpr (QuotedForm<T>) {
    std::array<char, T::max_printed> printed{};
    const char* const end = value.print(printed.data());
    return absorb_text(lane, std::string_view(printed.data(), end));
  } else {
    if constexpr (!reflect::Structure<T>) lane = absorb(lane, reflect::part_count(value));
    reflect::for_each_part(value, [&](const auto& part) { return lane = absorb_value(lane, part), true; });
    return lane;
  }
}

/// Of a snapshot.
[[nodiscard]] constexpr std::uint64_t checksum_of(std::string_view bytes) { return finish(absorb_text(1, bytes)); }

/// The digest of an event, of whatever type.
[[nodiscard]] BANKHOOK_ENTRY Digest digest_of(const auto& event) {
  const std::uint64_t number = finish(absorb_value(1, event));
  Digest digest{};
  constexpr std::uint64_t halves = 0x0F0F0F0F0F0F0F0F, letters = 0x6161616161616161;  // from 'a'
  text::store8((number & halves) + letters, digest.data());
  text::store8((number >> 4 & halves) + letters, digest.data() + 8);
  return digest;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::tracking
