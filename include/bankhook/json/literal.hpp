// SPDX-License-Identifier: MIT
// A text in the source becomes a value in a constant expression; a wrong one does not compile.
#pragma once

#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/read/constant_store.hpp>
#include <bankhook/json/read/parse_context.hpp>
#include <bankhook/json/read/read.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI {

/// What the compiler names if a payload in the source is wrong: the fault, its byte offset, the field concerned.
template <Errc fault, std::size_t at_offset, FixedString field>
struct ThePayloadIsWrong {
  static_assert(fault == Errc::none, "the_payload_does_not_parse: see the fault, its offset and field named nearby");
  static constexpr bool checked = true;
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::json::detail {

/// What a literal needs: found by reading it once into pools that are large enough for anything.
template <std::size_t pools>
struct Measure {
  Error error;
  std::size_t characters = 0;
  std::array<std::size_t, pools> elements{};
};

template <class T, class... E>
consteval Measure<sizeof...(E)> measure(std::string_view text, TypeList<E...>) {
  [[maybe_unused]] const auto max_elements =
      static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c == ',' || c == '['; }));
  ConstantVector<char> characters(text.size());
  std::tuple<Pool<E, ConstantVector<E>>...> pools{Pool<E, ConstantVector<E>>{ConstantVector<E>(max_elements)}...};
  ConstantStore store(characters, pools);
  ParseContext in(text, store);
  T value{};
  read_all(in, value);
  return {in.error, store.characters_used(), {std::get<Pool<E, ConstantVector<E>>>(pools).used...}};
}

/// The value of a literal and all that it views, in one static object.
template <class T, FixedString text, class Elements, class Indices>
struct Literal;

template <class T, FixedString text, class... E, std::size_t... I>
struct Literal<T, text, TypeList<E...>, std::index_sequence<I...>> {
  static constexpr Measure<sizeof...(E)> measured = measure<T>(text.view(), TypeList<E...>());
  static constexpr FixedString<measured.error.field.size()> field{measured.error.field};
  static_assert(ThePayloadIsWrong<measured.error.code, measured.error.offset, field>::checked);

  constexpr Literal() {  // not consteval: its views point into the object itself, so clang wants it in its place
    if (measured.error.code != Errc::none) return;
    ConstantStore store(characters, pools);
    ParseContext in(text.view(), store);
    read_all(in, value);
  }

  std::array<char, measured.characters> characters{};
  std::tuple<Pool<E, std::array<E, measured.elements[I]>>...> pools{};
  T value{};
};

template <class T, FixedString text, class List>
struct LiteralOf;
template <class T, FixedString text, class... E>
struct LiteralOf<T, text, TypeList<E...>> {
  static constexpr Literal<T, text, TypeList<E...>, std::index_sequence_for<E...>> literal{};
};

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail

namespace bankhook::inline BANKHOOK_ABI::json {

/// `text` read as a `T`, a constant with static storage: `constexpr auto& account = json::literal<Account, "...">;`
template <class T, FixedString text>
inline constexpr const T& literal = detail::LiteralOf<T, text, detail::ElementsOf<detail::TypeList<>, T>>::literal.value;

}  // namespace bankhook::inline BANKHOOK_ABI::json
