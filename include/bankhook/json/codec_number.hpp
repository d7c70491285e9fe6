// SPDX-License-Identifier: MIT
// Numbers and booleans: exact decimals, counts and other integers.
#pragma once

#include <bankhook/json/codec.hpp>
#include <bankhook/json/write/sink.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/number.hpp>

#include <concepts>
#include <cstdint>
#include <limits>

namespace bankhook::inline BANKHOOK_ABI::json {

template <>
struct Codec<Decimal> {
  static constexpr char opener = '\0';
  static constexpr Errc expected = Errc::expected_number;

  template <class Context>
  BANKHOOK_INLINE static constexpr const char* read(Context& in, const char* p, const char*, Decimal& out,
                                                    RememberedLength&) {
    const text::Scan number = text::scan_decimal(p, in.end, out);
    if (number.error != Errc::none) [[unlikely]]
      return in.fail_or_end(number.error, number.next);
    return number.next;
  }
  static constexpr std::size_t fixed = Decimal::max_printed;
  template <FixedString before, class Out>
  BANKHOOK_INLINE static constexpr bool write(Out& out, const Decimal& value, std::size_t) {
    out.template literal<before>();
    out.printed([&](char* to) { return value.print(to); });
    return true;
  }
};

template <text::Integer T>
struct Codec<T> {
  static constexpr char opener = '\0';
  static constexpr Errc expected = std::unsigned_integral<T> ? Errc::expected_count : Errc::expected_integer;

  template <class Context>
  BANKHOOK_INLINE static constexpr const char* read(Context& in, const char* p, const char*, T& out, RememberedLength&) {
    const text::Scan number = text::scan_integer(p, in.end, out);
    if (number.error == Errc::none) [[likely]]
      return number.next;
    return in.fail_or_end(number.error == Errc::expected_number ? expected : number.error, number.next);
  }
  static constexpr std::size_t fixed = static_cast<std::size_t>(std::numeric_limits<T>::digits10 + 2);
  template <FixedString before, class Out>
  BANKHOOK_INLINE static constexpr bool write(Out& out, T value, std::size_t) {
    out.template literal<before>();
    out.printed([&](char* to) { return text::print_integer(value, to); });
    return true;
  }
};

template <>
struct Codec<bool> {
  static constexpr char opener = '\0';
  static constexpr Errc expected = Errc::expected_boolean;

  template <class Context>
  static constexpr const char* read(Context& in, const char* p, const char*, bool& out, RememberedLength&) {
    out = word_at(in, p, "true");
    if (out) return p + 4;
    return word_at(in, p, "false") ? p + 5 : in.fail_or_end(expected, p);
  }
  static constexpr std::size_t fixed = 5;
  template <FixedString before, class Out>
  static constexpr bool write(Out& out, bool value, std::size_t) {
    if (value) out.template literal<join_literals(before, FixedString("true"))>();
    else out.template literal<join_literals(before, FixedString("false"))>();
    return true;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::json
