// SPDX-License-Identifier: MIT
// What stands in quotes: text, enumerators, the constant name of a type, dates and both date-times.
#pragma once

#include <bankhook/base/simd.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/sink.hpp>
#include <bankhook/json/text.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/reflect/type_tag.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/timestamp.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace bankhook::json {

template <>
struct Codec<std::string_view> {
  static constexpr char opener = '"';
  static constexpr Errc expected = Errc::expected_string;

  template <class In>
  BANKHOOK_INLINE static constexpr const char* read(In& in, const char* p, const char* window, std::string_view& out,
                                                    std::uint32_t& length) {
    return read_text(in, p, window, out, length);
  }
  template <class Out>
  BANKHOOK_INLINE static constexpr void write(Out& out, std::string_view value) {
    out.text(value);
  }
};

template <class E>
struct Codec<OpenEnum<E>> {
  static constexpr char opener = '"';
  static constexpr Errc expected = Errc::expected_string;

  template <class In>
  BANKHOOK_INLINE static constexpr const char* read(In& in, const char* p, const char* window, OpenEnum<E>& out,
                                                    std::uint32_t&) {
    if !consteval {
      std::size_t size = 0;
      const bool known = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return ((simd::begins_with<quoted<I>>(window) && (out = static_cast<E>(I), size = quoted<I>.size(), true)) || ...);
      }(std::make_index_sequence<enumerator_count<E>>());
      if (known) [[likely]]
        return p + size;
    }
    return read_other(in, p, out);
  }
  template <class Out>
  BANKHOOK_INLINE static constexpr void write(Out& out, const OpenEnum<E>& value) {
    out.text(value.text());
  }

 private:
  /// A value from the future, or one that is written with escapes.
  template <class In>
  BANKHOOK_NOINLINE static constexpr const char* read_other(In& in, const char* p, OpenEnum<E>& out) {
    std::string_view text;
    p = detail::read_any_text(in, p, 0, text);
    if (p != nullptr) out = OpenEnum<E>::of(text);
    return p;
  }

  /// The enumerator's text with the quote that closes it.
  template <std::size_t I>
  static constexpr auto quoted = join(reflect::enumerator_wire_name<E, I>, FixedString("\""));
};

template <class T>
struct Codec<TypeTag<T>> {
  static constexpr char opener = '"';
  static constexpr Errc expected = Errc::expected_string;

  template <class In>
  BANKHOOK_INLINE static constexpr const char* read(In& in, const char* p, const char* window, TypeTag<T>&,
                                                    std::uint32_t&) {
    if !consteval {
      if (simd::begins_with<quoted>(window)) [[likely]]
        return p + quoted.size();
    }
    return read_other(in, p);
  }
  template <class Out>
  BANKHOOK_INLINE static constexpr void write(Out& out, const TypeTag<T>&) {
    out.template literal<join(FixedString("\""), quoted)>();
  }

 private:
  /// The name written with escapes, or another one.
  template <class In>
  BANKHOOK_COLD static constexpr const char* read_other(In& in, const char* p) {
    std::string_view text;
    const char* const next = detail::read_any_text(in, p, 0, text);
    return next == nullptr || text == TypeTag<T>::text() ? next : in.fail(Errc::wrong_event, p);
  }

  static constexpr auto quoted = join(reflect::type_wire_name<T>, FixedString("\""));
};

}  // namespace bankhook::json

namespace bankhook::json::detail {

/// A value with a form of its own in quotes. `Form` has `scan(text, out)`, `print(value, out)`, `most` bytes and
/// `expected`.
template <class T, class Form>
struct TextForm {
  static constexpr char opener = '"';
  static constexpr Errc expected = Form::expected;

  template <class In>
  BANKHOOK_INLINE static constexpr const char* read(In& in, const char* p, const char* window, T& out,
                                                    std::uint32_t& length) {
    if !consteval {
      // No search: the form itself refuses a quote inside.
      const std::size_t guess = length >> 3;
      if (guess < sizeof(simd::Block32) && window[guess] == '"' && Form::scan({window, guess}, out)) [[likely]]
        return p + guess + 1;
    }
    return read_searched(in, p, out, length);
  }
  template <class Out>
  BANKHOOK_INLINE static constexpr void write(Out& out, const T& value) {
    out.printed(Form::most + 2, [&](char* to) {
      *to++ = '"';
      to = Form::print(value, to);
      *to++ = '"';
      return to;
    });
  }

 private:
  /// The length is another than the last one.
  template <class In>
  BANKHOOK_NOINLINE static constexpr const char* read_searched(In& in, const char* p, T& out, std::uint32_t& length) {
    std::string_view text;
    const char* window = p;
    if !consteval {
      window = in.window(p);
    }
    const char* const next = read_text(in, p, window, text, length);
    if (next == nullptr) [[unlikely]]
      return next;
    if (next > in.end) [[unlikely]]
      return in.fail(Errc::truncated, in.end);
    if (!Form::scan(text, out)) [[unlikely]]
      return in.fail(expected, p);
    return next;
  }
};

struct DateForm {
  static constexpr Errc expected = Errc::expected_date;
  static constexpr std::size_t most = 10;
  BANKHOOK_INLINE static constexpr bool scan(std::string_view text, std::chrono::year_month_day& out) {
    return text.size() == most && text::scan_date(text.data(), out);
  }
  BANKHOOK_INLINE static constexpr char* print(std::chrono::year_month_day value, char* to) {
    return text::print_date(value, to);
  }
};

template <class T, Errc code>
struct TimestampForm {
  static constexpr Errc expected = code;
  static constexpr std::size_t most = T::max_printed;
  BANKHOOK_NOINLINE static constexpr bool scan(std::string_view text, T& out) { return T::scan(text, out); }
  BANKHOOK_INLINE static constexpr char* print(const T& value, char* to) { return value.print(to); }
};

}  // namespace bankhook::json::detail

namespace bankhook::json {

template <>
struct Codec<std::chrono::year_month_day> : detail::TextForm<std::chrono::year_month_day, detail::DateForm> {};
template <>
struct Codec<LocalTimestamp>
    : detail::TextForm<LocalTimestamp, detail::TimestampForm<LocalTimestamp, Errc::expected_local_timestamp>> {};
template <>
struct Codec<Timestamp> : detail::TextForm<Timestamp, detail::TimestampForm<Timestamp, Errc::expected_timestamp>> {};

}  // namespace bankhook::json
