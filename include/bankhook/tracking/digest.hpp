// SPDX-License-Identifier: MIT
// Digests of the last accepted events of a key: how an exact redelivery is recognised.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/eight_bytes.hpp>
#include <bankhook/text/quoted_form.hpp>
#include <bankhook/text/timestamp.hpp>
#include <bankhook/tracking/hash.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// A digest of an event, its customer included; the same on every machine. Two different events share one if the sender
/// wants it, and else never: so it only informs.
using Digest = std::uint64_t;

inline constexpr std::size_t digest_size = 11;
/// How many events of a key are remembered.
inline constexpr std::size_t max_digests = 8;

/// Digests, one after the other and each once, the newest first: eleven characters of six bits each, printable, so that a
/// record can store them as a text.
class Seen {
 public:
  /// `digest`, then as many of `older` as there is room for.
  constexpr Seen(Digest digest, std::string_view older) {
    const auto newest = written(digest);
    add({newest.data(), newest.size()});
    for (; older.size() >= digest_size && size_ < text_.size(); older.remove_prefix(digest_size)) {
      if (const auto one = older.substr(0, digest_size); one != std::string_view(text_.data(), digest_size)) add(one);
    }
  }

  /// Valid as long as this lives.
  [[nodiscard]] constexpr std::string_view text() const BANKHOOK_LIFETIMEBOUND { return {text_.data(), size_}; }

  [[nodiscard]] static constexpr bool contains(std::string_view seen, Digest digest) {
    const auto wanted = written(digest);
    for (; seen.size() >= digest_size; seen.remove_prefix(digest_size)) {
      if (seen.substr(0, digest_size) == std::string_view(wanted.data(), wanted.size())) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] static constexpr std::array<char, digest_size> written(Digest digest) {
    std::array<char, digest_size> text{};
    for (std::size_t i = 0; i < digest_size; ++i) text[i] = static_cast<char>((digest >> 6 * i & 0x3F) + 0x3F);
    return text;
  }
  constexpr void add(std::string_view digest) {
    std::copy(digest.begin(), digest.end(), text_.data() + size_);
    size_ += digest.size();
  }

  std::array<char, digest_size * max_digests> text_{};
  std::size_t size_ = 0;
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// Eight bytes at a time; the last ones overlap.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_text(std::uint64_t lane, std::string_view text) {
  lane += text.size() + 1;
  if (text.size() < 8) return absorb(lane, text::load_up_to_8(text.data(), text.data() + text.size()));
  const char* const last = text.data() + text.size() - 8;
  for (const char* p = text.data(); p < last; p += 8) lane = absorb(lane, text::load8(p));
  return absorb(lane, text::load8(last));
}

[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_scalar(std::uint64_t lane, std::unsigned_integral auto value) {
  return absorb(lane, value);
}
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_scalar(std::uint64_t lane, const Decimal& value) {
  return absorb(absorb(lane, static_cast<std::uint64_t>(value.unscaled())), static_cast<std::uint64_t>(value.scale()));
}
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_scalar(std::uint64_t lane,
                                                                    const std::chrono::year_month_day& date) {
  const auto year = static_cast<std::uint16_t>(static_cast<int>(date.year()));
  return absorb(lane,
                std::uint64_t{year} << 16 | static_cast<unsigned>(date.month()) << 8 | static_cast<unsigned>(date.day()));
}
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_scalar(std::uint64_t lane, const text::DateTime& time) {
  const std::uint64_t minutes = std::uint64_t{time.hour} << 6 | time.minute;
  const std::uint64_t clock = ((minutes << 6 | time.second) << 4 | time.fraction_digits) << 32 | time.nanosecond;
  return absorb(absorb_scalar(lane, time.date), clock);
}
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_scalar(std::uint64_t lane, const LocalTimestamp& value) {
  return absorb_scalar(lane, value.fields());
}
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_scalar(std::uint64_t lane, const Timestamp& value) {
  const auto offset = static_cast<std::uint16_t>(value.offset().count());
  const auto form = static_cast<std::uint64_t>(value.offset_form()) << 1 | (value.has_minus() ? 1U : 0U);
  return absorb(absorb_scalar(lane, value.fields()), std::uint64_t{offset} << 8 | form);
}

/// A value type with a form of its own: by its text.
template <QuotedForm T>
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_scalar(std::uint64_t lane, const T& value) {
  std::array<char, T::max_printed> printed{};
  const char* const end = value.print(printed.data());
  return absorb_text(lane, std::string_view(printed.data(), end));
}

/// By spelling: `19.9` and `19.90` are two spellings, and two events.
template <class T>
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_value(std::uint64_t lane, const T& value) {
  if constexpr (reflect::Tag<T>) return lane;
  else if constexpr (reflect::Text<T>) return absorb_text(lane, value);
  else if constexpr (reflect::OpenEnumeration<T>) {
    const auto known = value.known();
    return known ? absorb(lane, static_cast<std::uint64_t>(*known) + 1) : absorb_text(lane, value.text());
  } else if constexpr (reflect::HasParts<T>) {
    if constexpr (!reflect::Structure<T>) lane = absorb(lane, reflect::part_count(value));
    reflect::for_each_part(value, [&](const auto& part) { return lane = absorb_value(lane, part), true; });
    return lane;
  } else return absorb_scalar(lane, value);
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// The digest of an event, of whatever type.
template <class Event>
[[nodiscard]] constexpr Digest digest_of(const Event& event) {
  return detail::finish(detail::absorb_value(1, event));
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
