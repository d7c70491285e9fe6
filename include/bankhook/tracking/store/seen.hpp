// SPDX-License-Identifier: MIT
// Hashes of the last applied events of a key: how an exact redelivery is reported to the consumer.
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
#include <bankhook/tracking/store/hash.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// A hash of what was taken from an event: four bytes of six bits, the same on every machine. One pair of different
/// events in 16 million shares a hash, and more if the sender wants it: so it only informs.
using EventHash = std::uint32_t;

inline constexpr std::size_t hash_size = 4;
/// How many events of a key are remembered.
inline constexpr std::size_t max_hashes = 4;

/// Hashes, one after the other and each once, the newest first. The bytes are printable ASCII, so that a record can store
/// them as a text.
class Seen {
 public:
  constexpr Seen() = default;
  /// `hash`, then as many of `older` as there is room for.
  constexpr Seen(EventHash hash, std::string_view older) {
    add(hash);
    for (; older.size() >= hash_size && size_ < bytes_.size(); older.remove_prefix(hash_size)) {
      if (const EventHash one = first_of(older); one != hash) add(one);
    }
  }

  /// Valid as long as this lives.
  [[nodiscard]] constexpr std::string_view text() const BANKHOOK_LIFETIMEBOUND { return {bytes_.data(), size_}; }

  [[nodiscard]] static constexpr bool contains(std::string_view seen, EventHash hash) {
    for (; seen.size() >= hash_size; seen.remove_prefix(hash_size)) {
      if (first_of(seen) == hash) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] static constexpr EventHash first_of(std::string_view seen) {
    const auto word = text::load_up_to_8(seen.data(), seen.data() + hash_size);
    return static_cast<EventHash>(word);
  }
  constexpr void add(EventHash hash) {
    for (std::size_t i = 0; i < hash_size; ++i) bytes_[size_++] = static_cast<char>(hash >> 8 * i & 0x7F);
  }

  std::array<char, hash_size * max_hashes> bytes_{};
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
  if constexpr (reflect::Text<T>) return absorb_text(lane, value);
  else if constexpr (reflect::OpenEnumeration<T>) {
    const auto known = value.known();
    return known ? absorb(lane, static_cast<std::uint64_t>(*known) + 1) : absorb_text(lane, value.text());
  } else if constexpr (reflect::HasParts<T>) {
    if constexpr (!reflect::Structure<T>) lane = absorb(lane, reflect::part_count(value));
    reflect::for_each_part(value, [&](const auto& part) { return lane = absorb_value(lane, part), true; });
    return lane;
  } else return absorb_scalar(lane, value);
}

/// The fields of a struct, from the one at `First` on: its id is the first one, and may be known by its hash.
template <std::size_t First, class T>
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t absorb_from(std::uint64_t lane, const T& value) {
  reflect::for_each_field<T>([&]<std::size_t I>() {
    if constexpr (I >= First) lane = absorb_value(lane, reflect::field<I>(value));
    return true;
  });
  return lane;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// The hash of a lane that has absorbed what was taken from an event.
[[nodiscard]] constexpr EventHash hash_of(std::uint64_t lane) {
  return static_cast<EventHash>((detail::finish(lane) >> 32 & 0x3F3F3F3F) + 0x3F3F3F3F);
}

/// The hash of what an event says of a transaction; the id need not be looked at.
[[nodiscard]] constexpr EventHash hash_of(const InitialTransaction& transaction,
                                          const OpenEnum<TransactionStatus>& event_type) {
  return hash_of(detail::absorb_from<1>(detail::absorb_value(1, event_type), transaction));
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
