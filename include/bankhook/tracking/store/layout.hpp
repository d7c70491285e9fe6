// SPDX-License-Identifier: MIT
// The layout of encoded bytes as a text inside a snapshot: the names and types of all fields.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/reflect/type_tag.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>
#include <bankhook/tracking/store/encode.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bankhook::tracking {

/// How a value was encoded. The first kinds have a word each, in this order.
enum class Packing : std::uint8_t {
  text,
  number,
  decimal,
  date,
  local_timestamp,
  timestamp,
  one_of,     ///< `one_of(names)`: an enumeration
  any_of,     ///< `any_of(names)`: one that may have other values, too
  optional,   ///< `?` and a type
  array,      ///< `[type]`
  structure,  ///< `{name:type,...}`
  name,       ///< of an enumerator
};

/// Appends the layout of `T`, as `encode` writes it: `{id:text,hash:?text}`. Static: it does not depend on any value.
template <class T>
void append_layout(std::string& out);

template <class T>
[[nodiscard]] std::string layout_of() {
  std::string out;
  append_layout<T>(out);
  return out;
}

/// A layout after reading: its types in the order in which they are written, each before its parts.
class Layout {
 public:
  struct Type {
    Packing packing{};
    std::string_view name{};  ///< of the field or the enumerator
    std::string_view text{};  ///< of the type
    std::uint32_t end = 0;    ///< the index after its last part
    std::uint32_t size = 0;   ///< the fewest bytes that a value takes
  };
  /// More than any snapshot needs; the bound keeps hostile ones small.
  static constexpr std::size_t max_depth = 16;
  static constexpr std::size_t max_size = 1 << 16;

  /// False if `text` is not a layout. The layout views it.
  [[nodiscard]] bool read(std::string_view text) {
    rest_ = text;
    types_.clear();
    return text.size() <= max_size && read_type({}, max_depth) && rest_.empty();
  }
  /// The first type is the whole.
  [[nodiscard]] const Type& operator[](std::uint32_t index) const { return types_[index]; }
  /// Calls `f(index)` for each field of a structure, until one returns false.
  template <class F>
  [[nodiscard]] bool for_each_field(std::uint32_t structure, F&& f) const {
    for (std::uint32_t i = structure + 1; i != types_[structure].end; i = types_[i].end) {
      if (!f(i)) return false;
    }
    return true;
  }

 private:
  static constexpr std::array<std::string_view, 8> words{"text",      "number", "decimal", "date", "local_timestamp",
                                                         "timestamp", "one_of", "any_of"};

  [[nodiscard]] bool takes(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] std::string_view read_word() {
    const std::size_t size = std::min(rest_.find_first_of(":,?()[]{}"), rest_.size());
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

  [[nodiscard]] bool read_type(std::string_view name, std::size_t depth) {
    const std::size_t index = types_.size();
    const char* const begin = rest_.data();
    types_.push_back({.name = name});
    Type type{.name = name, .size = 1};
    if (depth == 0 || !read_parts(type, depth - 1)) return false;
    type.text = {begin, static_cast<std::size_t>(rest_.data() - begin)};
    type.end = static_cast<std::uint32_t>(types_.size());
    types_[index] = type;
    return true;
  }
  [[nodiscard]] bool read_parts(Type& type, std::size_t depth) {
    if (takes('?')) {
      type.packing = Packing::optional;
      return read_type({}, depth);
    }
    if (takes('[')) {
      type.packing = Packing::array;
      return read_type({}, depth) && takes(']');
    }
    if (takes('{')) {
      type.packing = Packing::structure;
      return read_fields(type, depth);
    }
    const std::size_t word = static_cast<std::size_t>(std::find(words.begin(), words.end(), read_word()) - words.begin());
    type.packing = static_cast<Packing>(word);
    if (type.packing == Packing::one_of || type.packing == Packing::any_of) return takes('(') && read_names();
    return word < words.size();
  }
  [[nodiscard]] bool read_fields(Type& type, std::size_t depth) {
    type.size = 0;
    do {
      const std::string_view name = read_word();
      const std::size_t field = types_.size();
      if (name.empty() || !takes(':') || !read_type(name, depth)) return false;
      type.size += types_[field].packing == Packing::structure ? types_[field].size : 1;
    } while (takes(','));
    return takes('}');
  }
  [[nodiscard]] bool read_names() {
    do {
      const std::string_view name = read_word();
      if (name.empty()) return false;
      types_.push_back({Packing::name, name, name, static_cast<std::uint32_t>(types_.size() + 1), 0});
    } while (takes(','));
    return takes(')');
  }

  std::string_view rest_;
  std::vector<Type> types_;
};

}  // namespace bankhook::tracking

namespace bankhook::tracking::detail {

template <class E>
void append_enumeration(std::string_view kind, std::string& out) {
  out += kind;
  char before = '(';
  for (const std::string_view text : reflect::enumerator_texts<E>) {
    out += before;
    out += text;
    before = ',';
  }
  out += ')';
}

/// Appends the fields: `before` precedes the first one, a comma each other one.
template <class T>
void append_fields(char before, std::string& out) {
  reflect::for_each_member<T>([&]<std::size_t I>() {
    if constexpr (!reflect::is_type_tag<reflect::MemberType<T, I>>) {
      out += before;
      out += reflect::member_name<T, I>;
      out += ':';
      append_layout<reflect::MemberType<T, I>>(out);
      before = ',';
    }
    return true;
  });
}

}  // namespace bankhook::tracking::detail

namespace bankhook::tracking {

template <class T>
void append_layout(std::string& out) {
  if constexpr (std::same_as<T, std::string_view> || detail::PackedAsText<T>) out += "text";
  else if constexpr (std::unsigned_integral<T>) out += "number";
  else if constexpr (std::same_as<T, Decimal>) out += "decimal";
  else if constexpr (std::same_as<T, std::chrono::year_month_day>) out += "date";
  else if constexpr (std::same_as<T, LocalTimestamp>) out += "local_timestamp";
  else if constexpr (std::same_as<T, Timestamp>) out += "timestamp";
  else if constexpr (std::is_enum_v<T>) detail::append_enumeration<T>("one_of", out);
  else if constexpr (reflect::is_open_enum<T>) detail::append_enumeration<typename T::enum_type>("any_of", out);
  else if constexpr (base::is_nullable<T> || base::is_maybe_absent<T>) {
    out += '?';
    append_layout<typename T::value_type>(out);
  } else if constexpr (reflect::detail::is_span<T>) {
    out += '[';
    append_layout<typename T::value_type>(out);
    out += ']';
  } else {
    detail::append_fields<T>('{', out);
    out += '}';
  }
}

}  // namespace bankhook::tracking
