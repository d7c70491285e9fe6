// SPDX-License-Identifier: MIT
// The complete reader of objects: fields in any order, with white space, unlisted, repeated and missing ones.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/read/skip.hpp>
#include <bankhook/json/read/text.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/lookup.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/digits.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::json {

/// A bit a field of a struct, in its order.
using FieldMask = std::uint32_t;

namespace detail {

template <class T>
inline constexpr auto lookup = reflect::Lookup(reflect::wire_names<T>);

/// How each field is read: by its index.
template <class T>
inline constexpr auto field_readers = []<std::size_t... I>(std::index_sequence<I...>) {
  using Reader = const char* (*)(ParseContext&, const char*, T&);
  return std::array<Reader, sizeof...(I)>{[](ParseContext& in, const char* p, T& out) {
    enter_part<reflect::FieldType<T, I>>(in);
    p = read_value_outlined(in, p, reflect::field<I>(out), in.length<T, I>());
    leave_part<reflect::FieldType<T, I>>(in);
    return p;
  }...};
}(std::make_index_sequence<reflect::field_count<T>>());

/// A name in its quotes with the colon, to be compared as a block.
struct Key {
  char characters[sizeof(simd::Block32)];
  std::uint32_t mask;  ///< the bytes that count; none where the key is longer than a block
  std::uint32_t size;
};

/// The keys of fields with these names.
template <std::size_t N>
constexpr auto keys_of(const std::array<std::string_view, N>& names) {
  std::array<Key, N + 1> keys{};  // the last one belongs to no field
  for (std::size_t i = 0; i < N; ++i) {
    const std::string_view name = names[i];
    keys[i].size = static_cast<std::uint32_t>(name.size() + 3);
    if (keys[i].size > sizeof(simd::Block32)) continue;
    keys[i].mask = ~std::uint32_t{0} >> (sizeof(simd::Block32) - keys[i].size);
    keys[i].characters[0] = '"';
    std::ranges::copy(name, keys[i].characters + 1);
    keys[i].characters[name.size() + 1] = '"';
    keys[i].characters[name.size() + 2] = ':';
  }
  return keys;
}

template <class T>
inline constexpr auto keys = keys_of(reflect::wire_names<T>);

/// Whether a field is null or an empty array unless it is read.
template <class Field>
inline constexpr bool is_empty_at_first = base::is_nullable<Field> || reflect::Array<Field>;

/// What reading by name needs of a struct: of one type for all structs, so that it is compiled once for all of them.
struct Names {
  const reflect::Lookup* lookup;
  const Key* keys;
  FieldMask required;      ///< the fields without which the object is not complete
  FieldMask may_be_empty;  ///< those that are empty at first

  [[nodiscard]] constexpr std::size_t none() const { return lookup->none(); }
};

template <class T>
inline constexpr Names names = []<std::size_t... I>(std::index_sequence<I...>) {
  return Names{&lookup<T>, keys<T>.data(),
               (FieldMask{} | ... | (FieldMask{!base::is_maybe_absent<reflect::FieldType<T, I>>} << I)),
               (FieldMask{} | ... | (FieldMask{is_empty_at_first<reflect::FieldType<T, I>>} << I))};
}(std::make_index_sequence<reflect::field_count<T>>());

/// The field whose key begins at `p`. `none` where the name is not listed or has escapes, where white space stands before
/// the colon, where the text ends with the key, and for keys longer than a block.
BANKHOOK_INLINE std::size_t find_key(ParseContext& in, const char* p, const Names& names) {
  if (!names.lookup->is_hashed()) return names.none();
  const char* const window = in.window(p);
  // Where fields come in any order, the next one is mispredicted mostly: the fewer steps from a name to its reader the
  // better.
  const std::uint32_t quotes = simd::Block32::load(window + 1).same(simd::Block32::repeat('"')).high();
  const std::size_t index = names.lookup->candidate(text::load8(window + 1), quotes & (0 - quotes));
  const Key& key = names.keys[index];
  const bool is_it = key.mask != 0 && (simd::same_bytes(window, key.characters) & key.mask) == key.mask;
  return is_it && p + key.size < in.end ? index : names.none();
}

/// From after the name of an unlisted field to after its value. The same name may come again: remembering names would
/// be work whose amount the sender chooses.
BANKHOOK_NOINLINE inline const char* skip_unlisted_value(ParseContext& in, const char* p) {
  p = skip_colon(in, p);
  if (p == nullptr) return p;
  in.has_notes = true;
  return skip_value(in, p);
}

/// The value of a listed field and its index, or `none` with the position after what has no value to be read, which is
/// nullptr after an error.
struct Listed {
  const char* p;
  std::size_t index;
};

/// The value of the field at `p`, however its name is written, if it is listed; else it is skipped.
BANKHOOK_NOINLINE inline Listed find_or_skip_field(ParseContext& in, const char* p, const Names& names) {
  if (in.peek(p) != '"') return {in.fail_or_end(Errc::expected_field_name, p), names.none()};
  std::string_view name;
  p = read_any_text(in, p + 1, name);
  if (p == nullptr) return {p, names.none()};
  const std::size_t index = names.lookup->find(name);
  if (index == names.none()) return {skip_unlisted_value(in, p), index};
  return {skip_colon(in, p), index};
}

/// `p` after the closing brace, unless a required field was not `seen`.
BANKHOOK_NOINLINE inline const char* expect_complete(ParseContext& in, const char* p, const Names& names, FieldMask seen) {
  FieldMask missing = names.required & ~seen;
  if (missing != 0 && in.missing_is_null) missing &= ~names.may_be_empty;
  if (missing == 0) return p + 1;
  return in.fail(Errc::missing_field, p, names.lookup->text(static_cast<std::size_t>(std::countr_zero(missing))));
}

/// From after a field, or the opening brace if none was `seen`, to the value of the next one that is listed, which is then
/// seen, too; `none` after the closing brace.
BANKHOOK_NOINLINE inline Listed next_listed(ParseContext& in, const char* p, const Names& names, FieldMask& seen) {
  for (bool first = seen == 0;; first = false) {
    if (first || in.peek(p) != ',') {
      p = skip_space(in, p);
      if (in.peek(p) == '}') return {expect_complete(in, p, names, seen), names.none()};
      if (!first && in.peek(p) != ',') return {in.fail_or_end(Errc::expected_comma_or_brace, p), names.none()};
    }
    if (!first) p = skip_space(in, p + 1);
    Listed field{p, find_key(in, p, names)};
    if (field.index == names.none()) field = find_or_skip_field(in, p, names);
    else field.p = skip_space(in, p + names.keys[field.index].size);
    if (field.p == nullptr) return {field.p, names.none()};
    if (field.index != names.none()) {
      const FieldMask bit = FieldMask{1} << field.index;
      if ((seen & bit) != 0) {
        return {in.fail(Errc::repeated_field, p, names.lookup->text(field.index)), names.none()};
      }
      seen |= bit;
      return field;
    }
    p = field.p;
  }
}

}  // namespace detail

/// Reads from after the opening brace, or from after the fields that were `seen` already, to after the closing one.
template <class T>
BANKHOOK_NOINLINE const char* read_rest(ParseContext& in, const char* p, T& out, FieldMask seen) {
  for (;;) {
    const auto [value, index] = detail::next_listed(in, p, detail::names<T>, seen);
    if (index == reflect::field_count<T>) return value;
    p = detail::field_readers<T>[index](in, value, out);
    if (p == nullptr) return p;
  }
}

namespace detail {

/// Where to go on, nullptr after an error, and the value of the field that was looked for, after its opener; nullptr if
/// another field or kind of value comes.
struct Expected {
  const char* next;
  const char* value;
};

/// What `find_expected` does first: the position after the field's opener, where less than a block of white space stands
/// before its name and at most one space before its value; else nullptr.
BANKHOOK_INLINE const char* find_indented(ParseContext& in, const char* p, FieldMask seen, const Key& key, char opener) {
  if (seen != 0 && in.peek(p++) != ',') return nullptr;
  const char* const window = in.window(p);
  const char* at = window + count_spaces(window, in.spaces_before_field);
  const std::uint32_t other = ~simd::same_bytes(at, key.characters) & key.mask;
  if (other != 0 || key.mask == 0) return nullptr;
  at += key.size;
  if (*at == ' ') {
    base::compiler_barrier();  // a branch: the processor does not wait for the character
    ++at;
  }
  if (opener != '\0' && *at++ != opener) return nullptr;
  const char* const value = p + (at - window);
  in.has_space = true;
  return value < in.end ? value : nullptr;
}

/// The rest of `find_expected`.
BANKHOOK_NOINLINE inline Expected find_past_unlisted(ParseContext& in, const char* p, const Names& names, FieldMask seen,
                                                     std::size_t index, char opener) {
  for (;;) {
    const char* at = skip_space(in, p);
    if (seen != 0) {
      if (in.peek(at) != ',') return {p, nullptr};
      at = skip_space(in, at + 1);
    }
    if (in.peek(at) != '"') return {p, nullptr};
    const std::size_t listed = find_key(in, at, names);
    if (listed != names.none() && listed != index) return {p, nullptr};
    std::string_view name;
    const char* next = read_any_text(in, at + 1, name);
    if (next == nullptr) return {next, nullptr};
    const std::size_t found = names.lookup->find(name);
    if (found == index) {
      next = skip_colon(in, next);
      if (next == nullptr) return {next, nullptr};
      if (opener == '\0') return {next, next};
      return in.peek(next) == opener ? Expected{next, next + 1} : Expected{p, nullptr};
    }
    if (seen == 0 || found != names.none()) return {p, nullptr};
    p = skip_unlisted_value(in, next);
    if (p == nullptr) return {p, nullptr};
    const char* const value = find_indented(in, p, seen, names.keys[index], opener);
    if (value != nullptr) return {value, value};
  }
}

/// Looks for the field `index` when it does not come as predicted: past white space, which is the usual reason, and,
/// after the first field, past fields that are not listed.
BANKHOOK_NOINLINE inline Expected find_expected(ParseContext& in, const char* p, const Names& names, FieldMask seen,
                                                std::size_t index, char opener) {
  const char* const value = find_indented(in, p, seen, names.keys[index], opener);
  return value != nullptr ? Expected{value, value} : find_past_unlisted(in, p, names, seen, index, opener);
}

}  // namespace detail

}  // namespace bankhook::inline BANKHOOK_ABI::json
