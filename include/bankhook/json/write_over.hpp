// SPDX-License-Identifier: MIT
// A value is written over the JSON that it was read from: what is equal, and what is not listed, is copied as it stands.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/object_slow_path.hpp>
#include <bankhook/json/parse_context.hpp>
#include <bankhook/json/tokens.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <expected>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

/// The complete reader, for which other functions read the fields: they write what differs.
struct OverContext : ParseContext {
  OverContext(std::string_view text, Arena& memory, std::string& to)
      : ParseContext(text, memory, 0, remembered_by_thread()), out(to) {}

  std::string& out;
  const char* copied = begin;  ///< what comes before it was copied, or left out

  /// Goes on to `p` in the payload, and copies what lies before it.
  void copy_to(const char* p) {
    out.append(copied, p);
    copied = p;
  }
  /// Where `p`, if nothing changes before it, lies in `out`; never 0, because an object opens before it.
  [[nodiscard]] std::size_t place_of(const char* p) const { return out.size() + static_cast<std::size_t>(p - copied); }

  /// Leaves out the field with this value, and the comma before it. The first one takes the comma after it along.
  void leave_out(const char* value, const char* after) {
    const char* name = value;
    for (int quotes = 2; quotes > 0;) quotes -= *--name == '"';  // a name that is listed has none in it
    const char* before = name;
    while (is_space(before[-1])) --before;
    const bool is_first = before[-1] != ',' || before <= copied;
    copy_to(is_first ? name : before - 1);
    copied = after;
    if (!is_first) return;
    const char* const comma = skip_space(*this, after);
    if (peek(comma) == ',') copied = skip_space(*this, comma + 1);
  }
};

/// What is written over an object, and where its fields end in `out`; 0: it has none of that name.
template <class T>
struct WrittenObject {
  const T& value;
  std::array<std::size_t, reflect::field_count<T>> ends{};
};

/// An element that is read where it lies.
template <class T>
struct Placed {
  T value{};
  const char* begin = nullptr;
  const char* end = nullptr;
};
template <class T>
struct Codec<Placed<T>> {
  static constexpr char opener = '\0';
  static constexpr Errc expected = Codec<T>::expected;

  static const char* read(ParseContext& in, const char* p, const char*, Placed<T>& out, RememberedLength& length) {
    out.begin = p;
    return out.end = read_value_outlined(in, p, out.value, length);
  }
  static constexpr std::size_t fixed = Codec<T>::fixed;
  template <FixedString before>
  static bool write(Sink& out, const Placed<T>& element, std::size_t room) {
    return Codec<T>::template write<before>(out, element.value, room);
  }
};

template <class V>
const char* write_value_over(OverContext& in, const char* p, const V& value, RememberedLength& length);

/// Field `At` of a WrittenObject over the value at `p`: a FieldReader.
template <class T, std::size_t At>
const char* write_field_over(ParseContext& context, const char* p, void* object) {
  using Field = reflect::FieldType<T, At>;
  auto& in = static_cast<OverContext&>(context);
  auto& [value, ends] = *static_cast<WrittenObject<T>*>(object);
  const Field& field = reflect::field<At>(value);
  RememberedLength& length = in.length<T, At>();
  in.depth += is_container<Field>;
  const char* after = nullptr;
  bool was_there = false;
  if constexpr (base::is_maybe_absent<Field>) {
    if (!field) {
      Field old;
      after = read_value(in, p, old, length);
      was_there = old.has_value();
    } else after = write_value_over(in, p, field, length);
  } else after = write_value_over(in, p, field, length);
  in.depth -= is_container<Field>;
  if (after == nullptr) return after;
  if (was_there) in.leave_out(p, after);
  else ends[At] = in.place_of(after);
  return after;
}

/// `field_readers` and `names` of what is written.
template <class T>
inline constexpr auto field_writers = []<std::size_t... At>(std::index_sequence<At...>) {
  return std::array<FieldReader, sizeof...(At)>{FieldReader{write_field_over<T, At>, '\0'}...};
}(std::make_index_sequence<reflect::field_count<T>>());
template <class T>
inline constexpr Names writing_names = [](Names all) {
  all.readers = field_writers<T>.data();
  return all;
}(names<T>);

/// Over the object that opens at `p`.
template <class T>
const char* write_object_over(OverContext& in, const char* p, const T& value) {
  if (in.depth >= max_depth) return in.fail(Errc::nested_too_deeply, p);
  WrittenObject<T> object{value};
  const std::size_t start = in.place_of(p + 1);
  p = collect_fields(in, p + 1, &object, 0, {names<T>.none()}, writing_names<T>).p;
  if (p == nullptr) return p;
  std::size_t last = start;  // where the field ends that comes before, in the struct's order
  reflect::for_each_field<T>([&]<std::size_t At>() {
    std::size_t& end = object.ends[At];
    if constexpr (base::is_maybe_absent<reflect::FieldType<T, At>>) {
      if (const auto& field = reflect::field<At>(value); end == 0 && field) {
        in.copy_to(p);
        const bool is_first = last == start, is_alone = in.out[in.out.find_first_not_of(" \n\r\t", start)] == '}';
        std::string text = is_first ? "\"" : ",\"";
        text.append(reflect::wire_name<T, At>.view()).append("\":");
        write(*field, text);
        const std::size_t size = text.size();
        if (is_first && !is_alone) text += ',';
        in.out.insert(last, text);
        for (std::size_t& other : object.ends) other += other > last ? text.size() : 0;
        end = last + size;
      }
    }
    if (end != 0) last = end;
    return true;
  });
  return p;
}

/// Of each value the element with its id; nullptr without one, or if the id occurs twice. In the arena; itself nullptr if
/// that has no memory.
template <class T>
const Placed<T>** matched(Arena& arena, std::span<const Placed<T>> elements, std::span<const T> values) {
  using Id = std::pair<std::string_view, std::size_t>;  // of elements, then of values
  const std::size_t count = elements.size() + values.size();
  auto* const ids = static_cast<Id*>(arena.allocate(count * sizeof(Id), alignof(Id)));
  auto** const found = static_cast<const Placed<T>**>(arena.allocate(values.size() * sizeof(void*), alignof(void*)));
  if (ids == nullptr || found == nullptr) return nullptr;
  for (std::size_t i = 0; i < count; ++i)
    ::new (ids + i) Id(i < elements.size() ? elements[i].value.id : values[i - elements.size()].id, i);
  std::sort(ids, ids + count);
  for (Id *first = ids, *next = first; first != ids + count; first = next) {
    while (++next != ids + count && next->first == first->first) {
    }
    const bool is_pair = next - first == 2 && first->second < elements.size() && first[1].second >= elements.size();
    for (const Id* id = first; id != next; ++id) {
      if (id->second >= elements.size()) found[id->second - elements.size()] = is_pair ? &elements[first->second] : nullptr;
    }
  }
  return found;
}

/// Over the array that opens at `p`, element by element, each with the blanks around it.
template <class T>
const char* write_array_over(OverContext& in, const char* p, std::span<const T> values, RememberedLength& length) {
  std::span<const Placed<T>> elements;
  const char* const after = Codec<std::span<const Placed<T>>>::read(in, p + 1, in.window(p + 1), elements, length);
  if (after == nullptr) return after;  // no memory
  const Placed<T>* const* const found = matched(in.arena, elements, values);
  if (found == nullptr) return in.fail(Errc::out_of_memory, p);
  in.depth += is_container<T>;
  in.copy_to(p + 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) in.out += ',';
    if (found[i] == nullptr) {
      write(values[i], in.out);
      continue;
    }
    const auto at = static_cast<std::size_t>(found[i] - elements.data());
    in.copied = at == 0 ? p + 1 : std::find(elements[at - 1].end, found[i]->begin, ',') + 1;
    if (!reflect::equal(found[i]->value, values[i])) write_object_over(in, found[i]->begin, values[i]);
    in.copy_to(at + 1 == elements.size() ? found[i]->end : std::find(found[i]->end, elements[at + 1].begin, ','));
  }
  in.depth -= is_container<T>;
  in.copied = values.empty() || elements.empty() ? after - 1 : elements.back().end;
  return after;
}

/// Contains no array: then it costs less to compare it as a whole first, and to read it again if it differs.
template <class T>
inline constexpr bool is_flat = reflect::for_each_field<T>(
    []<std::size_t At>() { return Codec<reflect::FieldType<T, At>>::expected != Errc::expected_array; });

/// Over the value at `p`, up to where all may be copied already. The position after it, or nullptr after `fail`.
template <class V>
const char* write_value_over(OverContext& in, const char* p, const V& value, RememberedLength& length) {
  constexpr char opener = Codec<V>::expected == Errc::expected_object ? '{' : '[';
  if (is_container<V> != 0 && in.peek(p) == opener) {
    if constexpr (reflect::OptionalValue<V>) {
      if (value) return write_value_over(in, p, *value, length);
    } else if constexpr (reflect::Structure<V>) {
      if (!is_flat<V>) return write_object_over(in, p, value);
    }
  }
  V old = reflect::value_initialized<V>();
  const char* const after = read_value(in, p, old, length);
  if (after == nullptr || reflect::equal(old, value)) return after;
  if constexpr (reflect::Structure<V>) {
    return write_object_over(in, p, value);
  } else if constexpr (requires(const V& array) { std::string_view(array.front().id); }) {
    return write_array_over<typename V::value_type>(in, p, value, length);
  } else {
    in.copy_to(p);
    write(value, in.out);
    in.copied = after;
    return after;
  }
}

/// Appends `value`, written over `payload`, to `out`; nothing where `payload` is not JSON of a `T`.
template <class T>
[[nodiscard]] BANKHOOK_ENTRY std::expected<void, Error> write_over(const T& value, std::string_view payload,
                                                                   std::string& out) {
  Arena arena;
  OverContext in(payload, arena, out);
  const std::size_t old_size = out.size();
  const char* const start = without_mark(payload).data();
  in.copied = start;
  const char* const open = skip_space(in, start);
  if (expect_end(in,
                 in.peek(open) == '{' ? write_object_over(in, open, value) : in.fail_or_end(Codec<T>::expected, open))) {
    in.copy_to(in.end);
    return {};
  }
  out.resize(old_size);
  return std::unexpected(in.error);
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
