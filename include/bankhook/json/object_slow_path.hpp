// SPDX-License-Identifier: MIT
// The complete reader of objects: fields in any order, with white space, unlisted, repeated and missing ones.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/tokens.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

/// A bit a field of a struct, in its order.
using FieldMask = std::uint32_t;

/// The name of a field; one that is given at run time is found by it, wherever it is expected.
template <class T, std::size_t At>
inline constexpr std::string_view known_name = [] {
  if constexpr (reflect::has_fixed_name<T, At>) return reflect::wire_name<T, At>.view();
  else return std::string_view("~");
}();
/// The indices of the fields in the struct's order, or in the other one: reversed if there are two, else by their names.
template <class T, bool other>
inline constexpr auto order = []<std::size_t... At>(std::index_sequence<At...>) {
  std::array<std::size_t, sizeof...(At)> all{At...};
  if constexpr (other && sizeof...(At) == 2) std::ranges::reverse(all);
  else if constexpr (other) {
    std::ranges::sort(all, {}, [names = std::array{known_name<T, At>...}](std::size_t i) { return names[i]; });
  }
  return all;
}(std::make_index_sequence<reflect::field_count<T>>());
/// Whether there is another one, which its first key tells.
template <class T>
inline constexpr bool has_other_order = [] {
  constexpr std::size_t count = reflect::field_count<T>;
  if constexpr (count == 2 || (count > 2 && base::knows_sorted_names)) {
    constexpr std::size_t first = order<T, true>[0];
    return first != 0 && reflect::has_fixed_name<T, first> && !base::is_maybe_absent<reflect::FieldType<T, first>>;
  } else return false;
}();
/// The fields before a place of the order.
template <class T, std::size_t Place, bool other>
inline constexpr FieldMask mask_before = [] {
  FieldMask mask = 0;
  for (std::size_t i = 0; i < Place; ++i) mask |= FieldMask{1} << order<T, other>[i];
  return mask;
}();

/// How a field is read.
struct FieldReader {
  const char* (*read)(ParseContext& in, const char* p, void* object);  ///< the value at `p` of this field of `object`
  char opener;  ///< the character that the value begins with, or 0 if that varies
};

template <class T, std::size_t At>
const char* read_value_of(ParseContext& in, const char* p, void* object) {
  in.depth += is_container<reflect::FieldType<T, At>>;
  p = read_value_outlined(in, p, reflect::field<At>(*static_cast<T*>(object)), in.length<T, At>());
  in.depth -= is_container<reflect::FieldType<T, At>>;
  return p;
}

/// Of each field, by its index.
template <class T>
inline constexpr auto field_readers = []<std::size_t... At>(std::index_sequence<At...>) {
  return std::array<FieldReader, sizeof...(At)>{
      FieldReader{read_value_of<T, At>, Codec<reflect::FieldType<T, At>>::opener}...};
}(std::make_index_sequence<reflect::field_count<T>>());

/// A name in its quotes with the colon, to be compared as a block.
struct Key {
  char characters[sizeof(simd::Block32)];
  std::uint32_t mask;  ///< the bytes that count; none where the key is longer than a block
  std::uint16_t size;
  std::uint8_t index;  ///< of the field
  std::uint8_t next;   ///< the index of the next field whose name has the same size

  /// Whether the key stands at the start of a window.
  [[nodiscard]] BANKHOOK_INLINE bool begins(const char* window) const {
    return (simd::same_bytes(window, characters) & mask) == mask && mask != 0;
  }
};

/// The keys of a struct's fields.
template <std::size_t N>
struct Keys {
  std::array<Key, N + 1> all{};  ///< the last one belongs to no field, and begins no window
  /// The first field whose name has this size; N if no field has.
  std::array<std::uint8_t, sizeof(simd::Block32) + 1> by_size{};

  constexpr explicit Keys(const std::array<std::string_view, N>& names) {
    by_size.fill(N);
    all[N].index = N;
    for (std::size_t i = N; i-- > 0;) {
      const std::string_view name = names[i];
      Key& key = all[i];
      key.index = static_cast<std::uint8_t>(i);
      key.size = static_cast<std::uint16_t>(name.size() + 3);
      if (key.size > sizeof(simd::Block32)) continue;
      key.characters[0] = '"';
      key.mask = ~std::uint32_t{0} >> (sizeof(simd::Block32) - key.size);
      std::copy(name.begin(), name.end(), key.characters + 1);
      key.characters[name.size() + 1] = '"';
      key.characters[name.size() + 2] = ':';
      key.next = std::exchange(by_size[name.size()], static_cast<std::uint8_t>(i));
    }
  }
};

template <class T>
inline constexpr auto keys = Keys(reflect::wire_names<T>);

/// What reading by name needs of a struct: of one type for all structs, so that it is compiled once for all of them.
struct Names {
  std::span<const std::string_view> texts;
  const Key* keys;
  const std::uint8_t* by_size;
  const FieldReader* readers;
  FieldMask required;  ///< the fields without which the object is not complete
  std::size_t place;   ///< of its first field among what is remembered

  [[nodiscard]] constexpr std::uint32_t none() const { return static_cast<std::uint32_t>(std::uint64_t{texts.size()}); }
};

template <class T>
inline constexpr Names names = []<std::size_t... At>(std::index_sequence<At...>) {
  return Names{reflect::wire_names<T>,
               keys<T>.all.data(),
               keys<T>.by_size.data(),
               field_readers<T>.data(),
               (FieldMask{} | ... | (FieldMask{!base::is_maybe_absent<reflect::FieldType<T, At>>} << At)),
               place_of_length<T, 0>};
}(std::make_index_sequence<reflect::field_count<T>>());

/// The key that begins at a window. That of `none` where the name is not listed or has escapes, where white space stands
/// before the colon, and for keys longer than a block.
BANKHOOK_INLINE const Key& find_key(const char* window, const Names& names) {
  const std::uint32_t quotes = simd::Block32::load(window + 1).same(simd::Block32::repeat('"')).high();
  const Key* key = names.keys + names.by_size[std::countr_zero(quotes)];
  while (key->mask != 0 && !key->begins(window)) key = names.keys + key->next;
  return *key;
}

/// A field that is to come next, and those before it.
struct Awaited {
  std::uint32_t index;
  FieldMask before = 0;
};

/// Where the value of a listed field begins, and its index. With the index `none` there is nothing to be read: `p` is after
/// the object or the skipped field, or nullptr after an error.
struct Listed {
  const char* p;
  std::uint32_t index;
  FieldMask seen = 0;  ///< it and those before it
};

/// The value of the field at `p`, however its name is written, if it is listed; else it is skipped. The same name may come
/// again then: remembering names would be work whose amount the sender chooses. `was_compared`: `find_key` found none here.
BANKHOOK_NOINLINE inline Listed find_or_skip_field(ParseContext& in, const char* p, bool was_compared, const Names& names) {
  const std::uint32_t none = names.none();
  const char* const window = in.window(p);
  const std::size_t size =
      static_cast<std::size_t>(std::countr_zero(simd::escapes<true>(simd::Block32::load(window + 1)).high()));
  if (was_compared && size + 3 <= sizeof(simd::Block32) && window[size + 1] == '"' && window[size + 2] == ':') {
    in.has_notes = true;
    return {skip_value(in, skip_space(in, p + size + 3)), none};
  }
  if (in.peek(p) != '"') return {in.fail_or_end(Errc::expected_field_name, p), none};
  std::string_view name;
  p = read_any_text(in, p + 1, name);
  if (p == nullptr) return {p, none};
  std::uint32_t index = 0;
  while (index != none && names.texts[index] != name) ++index;
  p = skip_colon(in, p);
  if (index != none || p == nullptr) return {p, index};
  in.has_notes = true;
  return {skip_value(in, p), index};
}

/// `p` after the closing brace, unless a required field was not `seen`.
BANKHOOK_NOINLINE inline const char* expect_complete(ParseContext& in, const char* p, const Names& names, FieldMask seen) {
  const FieldMask missing = names.required & ~seen;
  if (missing == 0) return p + 1;
  return in.fail(Errc::missing_field, p, names.texts[static_cast<std::size_t>(std::countr_zero(missing))]);
}

/// The value of a field, after its `opener` if it has one, if the field's key comes next, after any white space but with
/// one blank at most before the value; otherwise nullptr. `p` is after the comma or the brace that precedes it.
BANKHOOK_INLINE const char* find_indented(ParseContext& in, const char* p, const Key& key, char opener) {
  const char* window = in.window(p);
  const std::size_t spaces = count_spaces(window, in.spaces_before_field());
  window += spaces;
  if (!key.begins(window)) return nullptr;
  in.has_space |= spaces > 0;
  window += key.size;
  const std::size_t blank = *window == ' ';
  in.has_other_form |= blank != 0;
  p += spaces + key.size + blank;
  if (p >= in.end || (opener != '\0' && window[blank] != opener)) return nullptr;
  return p + (opener != '\0');
}

/// As `find_indented`, from after the brace.
BANKHOOK_NOINLINE inline const char* find_first(ParseContext& in, const char* p, const Key& key, char opener) {
  return find_indented(in, p, key, opener);
}
/// As `find_indented`, from the comma on.
BANKHOOK_NOINLINE inline const char* find_indented_field(ParseContext& in, const char* p, const Key& key, char opener) {
  return in.peek(p) == ',' ? find_indented(in, p + 1, key, opener) : nullptr;
}

/// Reads from after the opening brace, or from after the fields that were `seen` already, to after the closing one; or to
/// the value of the field `awaited`, after its opener, if only unlisted ones and some of those before it come first.
/// The field that came after the last one the last time is tried first: its size is known, so that the processor goes on
/// before it has found where the name ends.
BANKHOOK_NOINLINE inline Listed collect_fields(ParseContext& in, const char* p, void* object, FieldMask seen,
                                               Awaited awaited, const Names& names) {
  in.looks_ahead = false;  // it is for what comes as predicted
  const std::uint32_t none = names.none();
  std::uint32_t last = seen == 0 ? none : 31 - static_cast<std::uint32_t>(std::countl_zero(seen));
  bool first = seen == 0;
  for (p -= first;; first = false) {
    const char* window = in.window(p);
    if (*window != ',' && !first) {
      p = skip_space(in, p);
      if (in.peek(p) == '}') return {expect_complete(in, p, names, seen), none};
      if (in.peek(p) != ',') return {in.fail_or_end(Errc::expected_comma_or_brace, p), none};
      window = in.window(p);
    }
    const char* name = window + 1;
    if (*name <= ' ') {
      in.has_space = true;
      name += count_spaces(name, in.spaces_before_field());
    }
    p += name - window;
    std::uint8_t& learned = in.remembered.next_indices[(names.place + last) % Remembered::places];
    const Key* key = names.keys + (std::min)(std::uint32_t{learned}, none);
    if (!key->begins(name)) key = &find_key(name, names);
    std::uint32_t index = key->index;
    const char* value = p + key->size;
    if (index != none && value < in.end) [[likely]] {
      value = skip_space(in, value);
    } else {
      const bool was_compared = index == none && *name == '"';
      if (!was_compared) p = skip_space(in, p);
      if (first && in.peek(p) == '}') return {expect_complete(in, p, names, seen), none};
      const Listed field = find_or_skip_field(in, p, was_compared, names);
      if (field.p == nullptr) return {field.p, none};
      value = field.p;
      index = field.index;
      if (index == none) {
        p = value;
        continue;
      }
    }
    const FieldMask bit = FieldMask{1} << index;
    if ((seen & bit) != 0) return {in.fail(Errc::repeated_field, p, names.texts[index]), none};
    in.has_other_form |= seen > bit;  // one after it came before
    seen |= bit;
    learned = static_cast<std::uint8_t>(index);
    if (index == awaited.index && (seen & ~(awaited.before | bit)) == 0) {
      const char opener = names.readers[index].opener;
      if (opener == '\0') return {value, index, seen};
      if (in.peek(value) == opener) return {value + 1, index, seen};
    }
    p = names.readers[index].read(in, value, object);
    if (p == nullptr) return {in.failed_in(names.texts[index]), none};
    last = index;
  }
}

/// `p` after the closing brace, where all fields that are required were `seen`; others are read before.
BANKHOOK_NOINLINE inline const char* find_end(ParseContext& in, const char* p, void* object, FieldMask seen,
                                              const Names& names) {
  const char* const end = skip_space(in, p);
  if (in.peek(end) == '}') return end + 1;
  return collect_fields(in, p, object, seen, {names.none()}, names).p;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
