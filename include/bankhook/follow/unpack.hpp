// SPDX-License-Identifier: MIT
// Packed bytes become values again; bytes that nobody packed are refused, whatever they are.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/follow/pack.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace bankhook::follow {

/// Takes from packed bytes and never goes beyond their end.
struct Reader {
  const char* next;
  const char* end;

  explicit constexpr Reader(std::string_view bytes) : next(bytes.data()), end(bytes.data() + bytes.size()) {}

  [[nodiscard]] constexpr std::size_t rest() const { return static_cast<std::size_t>(end - next); }
  [[nodiscard]] BANKHOOK_INLINE constexpr bool byte(std::uint8_t& out) {
    if (next == end) return false;
    out = static_cast<std::uint8_t>(*next++);
    return true;
  }
};

/// Reads what `pack` wrote. Texts view the packed bytes; arrays go to `arena`, which a type without arrays never uses
/// (nullptr will do). False where the bytes are none that `pack` writes, or without memory; `out` then means nothing.
template <class T>
[[nodiscard]] constexpr bool unpack(Reader& in, T& out, Arena* arena);

}  // namespace bankhook::follow

namespace bankhook::follow::detail {

[[nodiscard]] BANKHOOK_INLINE constexpr bool unpack_number(Reader& in, std::uint64_t& out) {
  out = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    std::uint8_t byte = 0;
    if (!in.byte(byte)) return false;
    const std::uint64_t bits = byte & 0x7F;
    if (shift == 63 && bits > 1) return false;
    out |= bits << shift;
    if (byte < 0x80) return byte != 0 || shift == 0;  // one number, one spelling
  }
  return false;
}

[[nodiscard]] constexpr std::int64_t unfold_sign(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
}

template <std::integral T>
[[nodiscard]] constexpr bool unpack_signed(Reader& in, T& out) {
  std::uint64_t folded = 0;
  if (!unpack_number(in, folded)) return false;
  const std::int64_t value = unfold_sign(folded);
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return false;
  out = static_cast<T>(value);
  return true;
}

[[nodiscard]] BANKHOOK_INLINE constexpr bool unpack_bytes(Reader& in, std::uint64_t size, std::string_view& out) {
  if (size > in.rest()) return false;
  out = {in.next, static_cast<std::size_t>(size)};
  in.next += size;
  return true;
}

[[nodiscard]] BANKHOOK_INLINE constexpr bool unpack_text(Reader& in, std::string_view& out) {
  std::uint64_t size = 0;
  return unpack_number(in, size) && unpack_bytes(in, size, out);
}

/// Any four bytes are a date as `pack` takes it; only `ok()` ones come from payloads, which is the owner's to ask.
[[nodiscard]] constexpr bool unpack_date(Reader& in, std::chrono::year_month_day& out) {
  if (in.rest() < 4) return false;
  const auto at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(in.next[i])); };
  const auto year = static_cast<std::int16_t>(static_cast<std::uint16_t>(at(0) | at(1) << 8));
  out = {std::chrono::year(year), std::chrono::month(at(2)), std::chrono::day(at(3))};
  in.next += 4;
  return true;
}

struct Moment {
  std::chrono::year_month_day date{};
  std::chrono::nanoseconds time_of_day{};
  int fraction_digits = 0;
};

[[nodiscard]] constexpr bool unpack_moment(Reader& in, Moment& out) {
  std::uint64_t seconds = 0;
  std::uint64_t fraction = 0;
  std::uint8_t digits = 0;
  if (!unpack_date(in, out.date) || !unpack_number(in, seconds) || seconds >= 86400 || !in.byte(digits)) return false;
  if (digits > text::most_fraction_digits || (digits != 0 && !unpack_number(in, fraction))) return false;
  if (fraction >= text::powers_of_ten[digits]) return false;
  fraction *= text::powers_of_ten[static_cast<std::size_t>(text::most_fraction_digits) - digits];
  out.time_of_day = std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1'000'000'000 + fraction));
  out.fraction_digits = digits;
  return true;
}

[[nodiscard]] constexpr bool unpack_local(Reader& in, LocalTimestamp& out) {
  Moment moment;
  if (!unpack_moment(in, moment)) return false;
  const auto made = LocalTimestamp::make(moment.date, moment.time_of_day, moment.fraction_digits);
  if (made) out = *made;
  return made.has_value();
}

/// Only a text makes a `-00:00`.
[[nodiscard]] constexpr bool turn_sign(Timestamp& value) {
  std::array<char, Timestamp::max_printed> printed{};
  const char* const end = value.print(printed.data());
  for (char* p = printed.data() + text::date_time_size; p != end; ++p) {
    if (*p == '+') *p = '-';
  }
  return Timestamp::scan({printed.data(), end}, value);
}

[[nodiscard]] constexpr bool unpack_timestamp(Reader& in, Timestamp& out) {
  Moment moment;
  std::uint8_t spelling = 0;
  std::int64_t offset = 0;
  if (!unpack_moment(in, moment) || !in.byte(spelling) || spelling >= 2 * minus_zero) return false;
  const bool is_minus_zero = spelling > minus_zero;
  const auto form = static_cast<OffsetForm>(is_minus_zero ? spelling - minus_zero : spelling);
  if (form != OffsetForm::z && !unpack_signed(in, offset)) return false;
  if (is_minus_zero && offset != 0) return false;
  if (offset <= -1440 || offset >= 1440) return false;
  const auto made =
      Timestamp::make(moment.date, moment.time_of_day, moment.fraction_digits, std::chrono::minutes(offset), form);
  if (!made) return false;
  out = *made;
  return !is_minus_zero || turn_sign(out);
}

template <class E>
[[nodiscard]] constexpr bool unpack_enum(Reader& in, OpenEnum<E>& out) {
  std::uint64_t known = 0;
  std::string_view text;
  if (!unpack_number(in, known) || known > enumerator_count<E>) return false;
  if (known != 0) {
    out = static_cast<E>(known - 1);
    return true;
  }
  if (!unpack_text(in, text)) return false;
  out = OpenEnum<E>::of(text);
  return !out.is_known();  // one value, one spelling
}

template <class Optional>
[[nodiscard]] constexpr bool unpack_optional(Reader& in, Optional& out, Arena* arena) {
  out.reset();
  if constexpr (std::same_as<typename Optional::value_type, std::string_view>) {
    std::uint64_t size = 0;
    if (!unpack_number(in, size)) return false;
    return size == 0 || unpack_bytes(in, size - 1, out.emplace());
  } else {
    std::uint8_t is_there = 0;
    if (!in.byte(is_there) || is_there > 1) return false;
    return is_there == 0 || unpack(in, out.emplace(), arena);
  }
}

/// Each item takes a byte at least, so a count that the bytes cannot hold asks for no memory.
template <class T>
[[nodiscard]] constexpr bool unpack_array(Reader& in, std::span<const T>& out, Arena& arena) {
  std::uint64_t count = 0;
  out = {};
  if (!unpack_number(in, count) || count > in.rest()) return false;
  if (count == 0) return true;
  auto* const items = static_cast<T*>(arena.allocate(static_cast<std::size_t>(count) * sizeof(T), alignof(T)));
  if (items == nullptr) return false;
  std::uninitialized_value_construct_n(items, count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!unpack(in, items[i], &arena)) return false;
  }
  out = {items, static_cast<std::size_t>(count)};
  return true;
}

template <class E>
[[nodiscard]] constexpr bool unpack_enumerator(Reader& in, E& out) {
  std::uint64_t value = 0;
  if (!unpack_number(in, value) || value >= enumerator_count<E>) return false;
  out = static_cast<E>(value);
  return true;
}

}  // namespace bankhook::follow::detail

namespace bankhook::follow {

template <class T>
constexpr bool unpack(Reader& in, T& out, Arena* arena) {
  if constexpr (std::same_as<T, std::string_view>) return detail::unpack_text(in, out);
  else if constexpr (is_nullable<T> || is_maybe_absent<T>) return detail::unpack_optional(in, out, arena);
  else if constexpr (is_open_enum<T>) return detail::unpack_enum(in, out);
  else if constexpr (is_type_tag<T>) return true;
  else if constexpr (std::is_enum_v<T>) return detail::unpack_enumerator(in, out);
  else if constexpr (std::same_as<T, std::uint64_t>) return detail::unpack_number(in, out);
  else if constexpr (std::same_as<T, Decimal>) {
    std::int64_t unscaled = 0;
    int scale = 0;
    if (!detail::unpack_signed(in, unscaled) || !detail::unpack_signed(in, scale)) return false;
    out = Decimal(unscaled, scale);
    return true;
  } else if constexpr (std::same_as<T, std::chrono::year_month_day>) return detail::unpack_date(in, out);
  else if constexpr (std::same_as<T, LocalTimestamp>) return detail::unpack_local(in, out);
  else if constexpr (std::same_as<T, Timestamp>) return detail::unpack_timestamp(in, out);
  else if constexpr (reflect::detail::is_span<T>) return detail::unpack_array(in, out, *arena);
  else {
    static_assert(reflect::Aggregate<T>, "only_values_of_the_kit_and_structs_of_them_are_packed");
    return reflect::for_each_member<T>([&]<std::size_t I>() { return unpack(in, reflect::member<I>(out), arena); });
  }
}

}  // namespace bankhook::follow
