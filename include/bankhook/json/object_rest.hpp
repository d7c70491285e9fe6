// SPDX-License-Identifier: MIT
// The complete reader of objects: members in any order, with white space, unlisted, repeated and missing ones.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/name_set.hpp>
#include <bankhook/json/skip.hpp>
#include <bankhook/json/text.hpp>
#include <bankhook/reflect/lookup.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/wire_names.hpp>

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

/// Reads the value at `p` into the member with this index.
template <class T, class In>
constexpr const char* read_member(In& in, const char* p, T& out, std::size_t index) {
  reflect::for_each_member<T>([&]<std::size_t I>() {
    if (I != index) return true;
    p = read_value_apart(in, p, reflect::member<I>(out), remembered_length<T, I>(in));
    return false;
  });
  return p;
}

/// One member from its name on: read if it is listed, else skipped. `unlisted` holds the names of the latter.
template <class T, class In, class Names>
constexpr const char* read_or_skip_member(In& in, const char* const start, T& out, MemberMask& seen, Names& unlisted) {
  if (in.peek(start) != '"') return in.fail_or_end(Errc::expected_member_name, start);
  std::string_view name;
  const char* p = read_any_text(in, start + 1, 0, name);
  if (p != nullptr) p = skip_colon(in, p);
  if (p == nullptr) return p;
  const std::size_t index = lookup<T>.find(name);
  if (index == lookup<T>.none) {
    in.is_lenient = true;
    const Errc error = unlisted.add(name);
    return error == Errc::none ? skip_value(in, p) : in.fail(error, start);
  }
  const MemberMask bit = MemberMask{1} << index;
  if ((seen & bit) != 0) return in.fail(Errc::repeated_member, start, reflect::wire_names<T>[index]);
  seen |= bit;
  return read_member(in, p, out, index);
}

}  // namespace bankhook::json::detail

namespace bankhook::json {

/// Reads from behind the opening brace, or from behind the members that were `seen` already, to behind the closing one.
template <class T, class In>
BANKHOOK_NOINLINE constexpr const char* read_rest(In& in, const char* p, T& out, MemberMask seen) {
  NameSet unlisted(in.store);
  for (bool first = seen == 0;; first = false) {
    p = skip_space(in, p);
    if (in.peek(p) == '}') break;
    if (!first) {
      if (in.peek(p) != ',') return in.fail_or_end(Errc::expected_comma_or_brace, p);
      p = skip_space(in, p + 1);
    }
    p = detail::read_or_skip_member(in, p, out, seen, unlisted);
    if (p == nullptr) return p;
  }
  const MemberMask missing = detail::required_members<T> & ~seen;
  if (missing == 0) return p + 1;
  return in.fail(Errc::missing_member, p, reflect::wire_names<T>[static_cast<std::size_t>(std::countr_zero(missing))]);
}

}  // namespace bankhook::json
