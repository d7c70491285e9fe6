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

  /// Room for so many in the arena; none, after `fail`, without memory.
  template <class T>
  [[nodiscard]] std::span<T> array(std::size_t count) {
    auto* const first = static_cast<T*>(arena.allocate(count * sizeof(T), alignof(T)));
    if (first == nullptr) fail(Errc::out_of_memory, copied);
    return {first, first == nullptr ? 0 : count};
  }

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

/// Over the array from `p` to `after`, which holds `old`: element by element, each with the blanks around it. One is
/// written new if no old one has its id, or if that occurs twice.
template <class T>
const char* write_array_over(OverContext& in, const char* p, const char* after, std::span<const T> old,
                             std::span<const T> values) {
  using Id = std::pair<std::string_view, std::size_t>;  // of the old values, then of the new ones
  const std::span<Id> ids = in.array<Id>(old.size() + values.size());
  const std::span<std::string_view> elements = in.array<std::string_view>(old.size());
  if (in.error.code != Errc::none) return nullptr;
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = {i < old.size() ? old[i].id : values[i - old.size()].id, i};
  std::sort(ids.begin(), ids.end());
  const char* comma = p;
  for (std::string_view& element : elements) {
    const char* const begin = comma + 1;
    const char* const end = skip_value(in, skip_space(in, begin));
    comma = skip_space(in, end);
    element = {begin, *comma == ',' ? comma : end};
  }
  in.copy_to(p + 1);
  in.depth += is_container<T>;
  for (const T& value : values) {
    if (&value != values.data()) in.out += ',';
    const auto [first, last] = std::ranges::equal_range(ids, value.id, {}, &Id::first);
    if (last - first != 2 || first[0].second >= old.size() || first[1].second < old.size()) {
      write(value, in.out);
      continue;
    }
    const std::size_t at = first[0].second;
    in.copied = elements[at].data();
    if (!reflect::equal(old[at], value)) write_object_over(in, skip_space(in, in.copied), value);
    in.copy_to(elements[at].data() + elements[at].size());
  }
  in.depth -= is_container<T>;
  in.copied = values.empty() || old.empty() ? after - 1 : elements.back().data() + elements.back().size();
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
    return write_array_over<typename V::value_type>(in, p, after, old, value);
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
  in.copied = without_mark(payload).data();
  const char* const open = skip_to_value(in);
  if (expect_end(in,
                 in.peek(open) == '{' ? write_object_over(in, open, value) : in.fail_or_end(Codec<T>::expected, open))) {
    in.copy_to(in.end);
    return {};
  }
  out.resize(old_size);
  return std::unexpected(in.error);
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
