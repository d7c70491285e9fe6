// SPDX-License-Identifier: MIT
// The complete reader of objects: members in any order, with white space, unlisted, repeated and missing ones.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/name_set.hpp>
#include <bankhook/json/skip.hpp>
#include <bankhook/json/text.hpp>
#include <bankhook/reflect/lookup.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace bankhook::json {

/// A bit a member of a struct, in its order.
using MemberMask = std::uint32_t;

/// Where the reader remembers the length of member `I`: spread by the struct's name; a shared place costs only time.
template <class T, std::size_t I, class In>
BANKHOOK_INLINE constexpr RememberedLength& remembered_length(In& in) {
  constexpr std::size_t slot = [] {
    std::size_t value = 0;
    for (const char c : reflect::type_name<T>) value = value * 31 + static_cast<unsigned char>(c);
    return (value * 24 + I) % 256;
  }();
  return in.store.length(slot);
}

}  // namespace bankhook::json

namespace bankhook::json::detail {

template <class T>
inline constexpr auto lookup = reflect::Lookup(reflect::wire_names<T>);

/// The members without which the object is not complete.
template <class T>
inline constexpr MemberMask required_members = [] {
  MemberMask mask = 0;
  reflect::for_each_member<T>([&]<std::size_t I>() {
    if constexpr (!is_maybe_absent<reflect::MemberType<T, I>>) mask |= MemberMask{1} << I;
    return true;
  });
  return mask;
}();

/// As `read_value`, once a type: what is read here is rare or was a surprise.
template <class T, class In>
BANKHOOK_NOINLINE constexpr const char* read_value_apart(In& in, const char* p, T& out, RememberedLength& length) {
  return read_value(in, p, out, length);
}

/// How each member is read: by its index.
template <class T, class In>
inline constexpr auto member_readers = []<std::size_t... I>(std::index_sequence<I...>) {
  using Reader = const char* (*)(In&, const char*, T&);
  return std::array<Reader, sizeof...(I)>{[](In& in, const char* p, T& out) {
    return read_value_apart(in, p, reflect::member<I>(out), remembered_length<T, I>(in));
  }...};
}(std::make_index_sequence<reflect::member_count<T>>());

/// A name in its quotes, to be compared as a block.
struct QuotedName {
  char characters[sizeof(simd::Block32)];
  std::uint32_t mask;  ///< the bytes that count; none where the name is longer than a block
  std::uint32_t size;
};

template <class T>
inline constexpr auto quoted_names = [] {
  std::array<QuotedName, reflect::member_count<T> + 1> names{};  // the last one is no member's
  for (std::size_t i = 0; i < reflect::member_count<T>; ++i) {
    const std::string_view name = reflect::wire_names<T>[i];
    names[i].size = static_cast<std::uint32_t>(name.size() + 2);
    if (names[i].size > sizeof(simd::Block32)) continue;
    names[i].mask = ~std::uint32_t{0} >> (sizeof(simd::Block32) - names[i].size);
    names[i].characters[0] = '"';
    std::ranges::copy(name, names[i].characters + 1);
    names[i].characters[name.size() + 1] = '"';
  }
  return names;
}();

/// The member whose name, in quotes and without escapes, begins at `p`: the one with the index `likely`, or any other.
/// `none` where a name is not listed, is longer than a block, or has escapes. Not for constant expressions.
template <class T, class In>
BANKHOOK_INLINE std::size_t find_quoted(In& in, const char* p, std::size_t likely) {
  const char* const window = in.window(p);
  const auto is = [&](std::size_t index) {
    const QuotedName& name = quoted_names<T>[index];
    return name.mask != 0 && (simd::same_bytes(window, name.characters) & name.mask) == name.mask;
  };
  if (is(likely)) return likely;
  const std::uint32_t stops = simd::Block32::load(window + 1).template stops<true>();
  const std::size_t size = static_cast<std::size_t>(std::countr_zero(stops));
  if (stops == 0) return lookup<T>.none;
  const std::size_t index = lookup<T>.candidate({window + 1, size});
  return index != lookup<T>.none && is(index) ? index : lookup<T>.none;
}

/// One member from its name on: read if it is listed, else skipped. `unlisted` holds the names of the latter.
template <class T, class In, class Names>
constexpr const char* read_or_skip_member(In& in, const char* const start, T& out, MemberMask& seen, Names& unlisted) {
  if (in.peek(start) != '"') return in.fail_or_end(Errc::expected_member_name, start);
  std::size_t index = lookup<T>.none;
  const char* p = start;
  if !consteval {
    index = find_quoted<T>(in, start, static_cast<std::size_t>(std::bit_width(seen)));
    p = start + quoted_names<T>[index].size;
  }
  std::string_view name;
  if (index == lookup<T>.none) {
    p = read_any_text(in, start + 1, 0, name);
    if (p == nullptr) return p;
    index = lookup<T>.find(name);
  }
  p = skip_colon(in, p);
  if (p == nullptr) return p;
  if (index == lookup<T>.none) {
    in.is_lenient = true;
    const Errc error = unlisted.add(name);
    return error == Errc::none ? skip_value(in, p) : in.fail(error, start);
  }
  const MemberMask bit = MemberMask{1} << index;
  if ((seen & bit) != 0) return in.fail(Errc::repeated_member, start, reflect::wire_names<T>[index]);
  seen |= bit;
  return member_readers<T, In>[index](in, p, out);
}

}  // namespace bankhook::json::detail

namespace bankhook::json {

/// Reads from behind the opening brace, or from behind the members that were `seen` already, to behind the closing one.
template <class T, class In>
BANKHOOK_NOINLINE constexpr const char* read_rest(In& in, const char* p, T& out, MemberMask seen) {
  NameSet unlisted(in.store);
  for (bool first = seen == 0;; first = false) {
    if (first || in.peek(p) != ',') {
      p = skip_space(in, p);
      if (in.peek(p) == '}') break;
      if (!first && in.peek(p) != ',') return in.fail_or_end(Errc::expected_comma_or_brace, p);
    }
    if (!first) p = skip_space(in, p + 1);
    p = detail::read_or_skip_member(in, p, out, seen, unlisted);
    if (p == nullptr) return p;
  }
  const MemberMask missing = detail::required_members<T> & ~seen;
  if (missing == 0) return p + 1;
  return in.fail(Errc::missing_member, p, reflect::wire_names<T>[static_cast<std::size_t>(std::countr_zero(missing))]);
}

}  // namespace bankhook::json
