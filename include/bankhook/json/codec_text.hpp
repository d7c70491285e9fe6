// SPDX-License-Identifier: MIT
// What stands in quotes: text, enumerators, the constant name of a type, dates and both date-times.
#pragma once

#include <bankhook/base/simd.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/tokens.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/timestamp.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

template <>
struct Codec<std::string_view> {
  static constexpr char opener = '"';
  static constexpr Errc expected = Errc::expected_string;

  BANKHOOK_INLINE static const char* read(ParseContext& in, const char* p, const char* window, std::string_view& out,
                                          RememberedLength& length) {
    return read_text(in, p, window, out, length);
  }
  static constexpr std::size_t fixed = 2;
  template <FixedString before>
  BANKHOOK_INLINE static bool write(Sink& out, std::string_view value, std::size_t room) {
    return out.text<before>(value, room);
  }
};

template <class E>
struct Codec<OpenEnum<E>> {
  static constexpr char opener = '"';
  static constexpr Errc expected = Errc::expected_string;

  BANKHOOK_INLINE static const char* read(ParseContext& in, const char* p, const char* window, OpenEnum<E>& out,
                                          RememberedLength&) {
    if constexpr (deciding_place < sizeof(simd::Block32)) {  // no branch has to guess which one it is
      const std::size_t index = by_character[static_cast<unsigned char>(window[deciding_place])];
      const Quoted& text = texts[index];
      if ((simd::same_bytes(window, text.characters) & text.mask) == text.mask) [[likely]] {
        out = static_cast<E>(index);
        return p + text.size;
      }
    }
    return read_other(in, p, out);
  }
  template <FixedString before>
  BANKHOOK_INLINE static bool write(Sink& out, const OpenEnum<E>& value, std::size_t room) {
    if (!value.is_known()) return out.text<before>(value.text(), room);
    return out.printed<join_literals(before, FixedString("\""))>([&](char* to) {
      const Quoted& text = texts[static_cast<std::size_t>(*value.known())];
      std::copy_n(text.characters, longest, to);  // as many for each: no branch has to guess how many
      return to + text.size;
    });
  }

 private:
  /// A value from the future, or one that is written with escapes.
  BANKHOOK_NOINLINE static const char* read_other(ParseContext& in, const char* p, OpenEnum<E>& out) {
    std::string_view text;
    p = read_any_text(in, p, text);
    if (p != nullptr) out = OpenEnum<E>::of(text);
    return p;
  }

  /// Room for each text with the quote that closes it.
  static constexpr std::size_t longest =
      ((std::ranges::max)(reflect::enumerator_texts<E>, {}, &std::string_view::size).size() + 16) / 16 * 16;
  /// To be compared as a block, of which `mask` says which bytes count.
  struct Quoted {
    char characters[(std::max)(longest, sizeof(simd::Block32))];
    std::uint32_t mask;
    std::size_t size;
  };
  static constexpr auto texts = [] {
    std::array<Quoted, enumerator_count<E>> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      *std::ranges::copy(reflect::enumerator_texts<E>[i], all[i].characters).out = '"';
      all[i].size = reflect::enumerator_texts<E>[i].size() + 1;
      all[i].mask = static_cast<std::uint32_t>((std::uint64_t{1} << std::min<std::size_t>(all[i].size, 32)) - 1);
    }
    return all;
  }();

  /// A place where no two of the texts have the same character, which tells which one it can be. 32 if they have no such
  /// place, or if one of them is longer than a block.
  static constexpr std::size_t deciding_place = [] {
    std::size_t place = longest > sizeof(simd::Block32) ? sizeof(simd::Block32) : 0;
    const auto is_shared = [&](const Quoted& text) {
      return place >= text.size || std::ranges::count(texts, text.characters[place],
                                                      [&](const Quoted& other) { return other.characters[place]; }) > 1;
    };
    while (place < sizeof(simd::Block32) && std::ranges::any_of(texts, is_shared)) ++place;
    return place;
  }();
  static constexpr auto by_character = [] {
    std::array<std::uint8_t, 256> indices{};
    for (std::size_t i = 0; deciding_place < sizeof(simd::Block32) && i < texts.size(); ++i)
      indices[static_cast<unsigned char>(texts[i].characters[deciding_place])] = static_cast<std::uint8_t>(i);
    return indices;
  }();

 public:
  static constexpr std::size_t fixed = 1 + longest;
};

template <class T>
struct Codec<TypeTag<T>> {
  static constexpr char opener = '"';
  static constexpr Errc expected = Errc::expected_string;

  BANKHOOK_INLINE static const char* read(ParseContext& in, const char* p, const char* window, TypeTag<T>&,
                                          RememberedLength&) {
    if (simd::begins_with<quoted>(window)) [[likely]]
      return p + quoted.size();
    return read_other(in, p);
  }
  template <FixedString before>
  BANKHOOK_INLINE static bool write(Sink& out, const TypeTag<T>&, std::size_t) {
    return out.literal<join_literals(before, FixedString("\""), quoted)>();
  }

 private:
  /// The name written with escapes, or another one.
  BANKHOOK_COLD static const char* read_other(ParseContext& in, const char* p) {
    std::string_view text;
    const char* const next = read_any_text(in, p, text);
    return next == nullptr || text == TypeTag<T>::text() ? next : in.fail(Errc::wrong_event, p);
  }

  static constexpr auto quoted = join_literals(reflect::type_wire_name<T>, FixedString("\""));

 public:
  static constexpr std::size_t fixed = 1 + quoted.size();
};

/// A value with a form of its own in quotes: `Form` has what QuotedForm lists.
template <class T, class Form = T>
struct TextForm {
  static constexpr char opener = '"';
  static constexpr Errc expected = Form::form_error;

  BANKHOOK_INLINE static const char* read(ParseContext& in, const char* p, const char* window, T& out,
                                          RememberedLength& length) {
    if constexpr (requires { Form::fast_size; }) {  // no search: the form itself rejects a quote inside
      if (window[Form::fast_size] == '"' && Form::scan_usual(window, out)) [[likely]]
        return p + Form::fast_size + 1;
    }
    return read_slow(in, p, out, length);
  }
  static constexpr std::size_t fixed = Form::max_printed + 2;
  template <FixedString before>
  BANKHOOK_INLINE static bool write(Sink& out, const T& value, std::size_t) {
    return out.printed<join_literals(before, FixedString("\""))>([&](char* to) {
      if constexpr (std::is_same_v<T, Form>) to = value.print(to);
      else to = Form::print(value, to);
      *to++ = '"';
      return to;
    });
  }

 private:
  BANKHOOK_NOINLINE static const char* read_slow(ParseContext& in, const char* p, T& out, RememberedLength& length) {
    std::string_view text;
    const char* const next = read_text(in, p, in.window(p), text, length);
    if (next == nullptr) return next;
    if (next > in.end) return in.fail(Errc::truncated, in.end);
    out = T();
    if (!Form::scan(text, out)) {
      Errc fault = expected;
      if constexpr (requires { Form::fault_of(text); }) fault = Form::fault_of(text);
      return in.fail(fault, p);
    }
    if constexpr (!requires { Form::fast_size; }) in.has_other_form = true;  // how one of the user's own prints is unknown
    if constexpr (std::is_same_v<T, LocalTimestamp>)
      in.has_notes |= out.fraction_digits() != LocalTimestamp::spelled_digits;
    return next;
  }
};

struct DateForm {
  static constexpr Errc form_error = Errc::expected_date;
  static constexpr std::size_t max_printed = text::date_size;
  static constexpr std::size_t fast_size = max_printed;
  BANKHOOK_INLINE static bool scan_usual(const char* p, std::chrono::year_month_day& out) {
    return text::scan_date(p, out);
  }
  BANKHOOK_INLINE static bool scan(std::string_view text, std::chrono::year_month_day& out) {
    return text.size() == fast_size && text::scan_date(text.data(), out);
  }
  static Errc fault_of(std::string_view text) { return text::fault_of_date(text); }
  BANKHOOK_INLINE static char* print(std::chrono::year_month_day value, char* to) { return text::print_date(value, to); }
};

template <>
struct Codec<std::chrono::year_month_day> : TextForm<std::chrono::year_month_day, DateForm> {};
template <QuotedForm T>
struct Codec<T> : TextForm<T> {};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
