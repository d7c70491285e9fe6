// SPDX-License-Identifier: MIT
// What JSON Schema 2020-12 says of a type that has a codec: one specialisation of Schema a type.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/json/schema/schema_patterns.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/reflect/type_tag.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/digits.hpp>
#include <bankhook/text/number.hpp>
#include <bankhook/text/timestamp.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::json {

/// A schema that is being written: the text, where definitions are found, and those that are still owed.
struct SchemaText {
  struct Definition {
    std::string name{};
    void (*write)(SchemaText&) = nullptr;
  };

  std::string text{};
  std::string_view definitions = "#/$defs/";
  std::vector<Definition> owed{};  ///< grows while definitions are written; has none twice

  /// The name of this definition: that of its struct, followed by a number if another struct took the name before.
  template <class = void>
  std::string owe(std::string_view name, void (*write)(SchemaText&)) {
    const auto find = [this](auto Definition::* field, const auto& value) { return std::ranges::find(owed, value, field); };
    if (const auto known = find(&Definition::write, write); known != owed.end()) return known->name;
    std::string unique(name);
    for (int i = 2; find(&Definition::name, unique) != owed.end(); ++i) unique = std::string(name) + std::to_string(i);
    owed.push_back({unique, write});
    return unique;
  }
  /// Appends a JSON string; only for texts of the library, which need no escapes.
  constexpr void quote(std::string_view plain) { text.append("\"").append(plain).append("\""); }
  /// Appends the keyword `description`, after a comma, where there is something to say.
  constexpr void describe(std::string_view meaning) {
    if (!meaning.empty()) text.append(R"(,"description":")").append(meaning).append("\"");
  }
};

/// A type gives `write(SchemaText&)`, which appends its schema, and `or_null(SchemaText&)` where null is allowed, too.
template <class T>
struct Schema {
  static_assert(sizeof(T) == 0, "this_type_has_no_json_schema");
};

}  // namespace bankhook::inline BANKHOOK_ABI::json

namespace bankhook::inline BANKHOOK_ABI::json::detail {

/// A type that is a JSON type with further keywords: `{"type":"string","format":"date"}`.
template <class Self>
struct SchemaOfType {
  static constexpr void write(SchemaText& out) {
    out.text.append(R"({"type":)");
    out.quote(Self::type);
    out.text.append(Self::keywords).append("}");
  }
  static constexpr void or_null(SchemaText& out) {
    out.text.append(R"({"type":[)");
    out.quote(Self::type);
    out.text.append(R"(,"null"])").append(Self::keywords).append("}");
  }
};

/// The bounds of an integer: both ends if it has less than 64 bits, else only that a count is not negative, because many
/// readers of schemas cannot represent such numbers exactly, and the specification gives counts no other bound.
template <text::Integer T>
inline constexpr auto bounds = [] {
  std::array<char, 64> keywords{};
  char* end = keywords.data();
  const auto append = [&](std::string_view name, T bound) {
    for (const char c : name) *end++ = c;
    end = text::print_integer(bound, end);
  };
  constexpr bool is_narrow = sizeof(T) < sizeof(std::uint64_t);
  if (is_narrow || std::unsigned_integral<T>) append(R"(,"minimum":)", std::numeric_limits<T>::min());
  if (is_narrow) append(R"(,"maximum":)", std::numeric_limits<T>::max());
  return keywords;
}();

template <class E>
constexpr void list_values(SchemaText& out) {
  bool first = true;
  for (const std::string_view text : reflect::enumerator_texts<E>) {
    if (!first) out.text.append(",");
    first = false;
    out.quote(text);
  }
}

/// Calls `f` with a comma before each field but the first that `wanted` names.
template <class T, class RuleFilter, class F>
constexpr void between_commas(SchemaText& out, RuleFilter wanted, F f) {
  bool first = true;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    if (!wanted.template operator()<I>()) return true;
    if (!first) out.text.append(",");
    first = false;
    f.template operator()<I>();
    return true;
  });
}

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail

namespace bankhook::inline BANKHOOK_ABI::json {

template <>
struct Schema<std::string_view> : detail::SchemaOfType<Schema<std::string_view>> {
  static constexpr std::string_view type = "string", keywords = "";
};
template <>
struct Schema<bool> : detail::SchemaOfType<Schema<bool>> {
  static constexpr std::string_view type = "boolean", keywords = "";
};
template <>
struct Schema<Decimal> : detail::SchemaOfType<Schema<Decimal>> {
  static constexpr std::string_view type = "number", keywords = "";
};
template <text::Integer T>
struct Schema<T> : detail::SchemaOfType<Schema<T>> {
  static constexpr std::string_view type = "integer", keywords = detail::bounds<T>.data();
};
template <>
struct Schema<std::chrono::year_month_day> : detail::SchemaOfType<Schema<std::chrono::year_month_day>> {
  static constexpr std::string_view type = "string", keywords = detail::date_keywords.view();
};
/// A text in a form of its own, with the pattern of the form if there is one. `format` is for dates alone: none is a local
/// date and time, and `date-time` has no offsets without a colon, as ISO 8601 has them.
template <QuotedForm T>
struct Schema<T> : detail::SchemaOfType<Schema<T>> {
  static constexpr std::string_view type = "string", keywords = detail::form_keywords<T>;
};

template <class E>
struct Schema<OpenEnum<E>> {
  static constexpr void write(SchemaText& out) {
    out.text.append(R"({"type":"string","enum":[)");
    detail::list_values<E>(out);
    out.text.append("]}");
  }
  static constexpr void or_null(SchemaText& out) {
    out.text.append(R"({"type":["string","null"],"enum":[)");
    detail::list_values<E>(out);
    out.text.append(",null]}");
  }
};

template <class T>
struct Schema<TypeTag<T>> {
  static constexpr void write(SchemaText& out) {
    out.text.append(R"({"type":"string","const":)");
    out.quote(TypeTag<T>::text());
    out.text.append("}");
  }
  static constexpr void or_null(SchemaText& out) {
    out.text.append(R"({"enum":[)");
    out.quote(TypeTag<T>::text());
    out.text.append(",null]}");
  }
};

template <class T>
struct Schema<nullable<T>> {
  static constexpr void write(SchemaText& out) { Schema<T>::or_null(out); }
};

template <class T>
struct Schema<maybe_absent<T>> : Schema<T> {};

template <class T>
struct Schema<std::span<const T>> {
  static constexpr void write(SchemaText& out) {
    out.text.append(R"({"type":"array","items":)");
    Schema<T>::write(out);
    out.text.append("}");
  }
  static constexpr void or_null(SchemaText& out) {
    out.text.append(R"({"type":["array","null"],"items":)");
    Schema<T>::write(out);
    out.text.append("}");
  }
};

/// What a struct's schema holds besides its fields: further keywords, each after a comma. Specialised above.
template <class T>
inline constexpr auto further_keywords = [](SchemaText&) {};

/// A struct is defined once and referred to.
template <reflect::Aggregate T>
struct Schema<T> {
  static constexpr void write(SchemaText& out) {
    const std::string name = out.owe(reflect::type_name<T>, define);
    out.text.append(R"({"$ref":")").append(out.definitions).append(name).append("\"}");
  }
  static constexpr void or_null(SchemaText& out) {
    out.text.append(R"({"anyOf":[)");
    write(out);
    out.text.append(R"(,{"type":"null"}]})");
  }

  /// The object itself. Unlisted fields are allowed: no specification of the events forbids them.
  static constexpr void define(SchemaText& out) {
    out.text.append("{");
    fields(out);
    out.text.append("}");
  }

  static constexpr void fields(SchemaText& out) {
    out.text.append(R"("title":)");
    out.quote(reflect::type_name<T>);
    if constexpr (requires { T::section; }) out.text.append(R"(,"$comment":"section )").append(T::section).append("\"");
    out.describe(reflect::meaning<T>);
    out.text.append(R"(,"type":"object","properties":{)");
    const auto any = []<std::size_t>() { return true; };
    detail::between_commas<T>(out, any, [&]<std::size_t I>() {
      out.quote(reflect::wire_name<T, I>.view());
      out.text.append(":");
      Schema<reflect::FieldType<T, I>>::write(out);
      out.text.pop_back();  // the brace that ends the field's schema, whatever its type
      out.describe(reflect::field_meaning<T, I>);
      out.text.append("}");
    });
    out.text.append(R"(},"required":[)");
    const auto required = []<std::size_t I>() { return !base::is_maybe_absent<reflect::FieldType<T, I>>; };
    detail::between_commas<T>(out, required, [&]<std::size_t I>() { out.quote(reflect::wire_name<T, I>.view()); });
    out.text.append("]");
    further_keywords<T>(out);
  }
};

/// The definitions that are owed, those that they need in turn, each once: `"Account":{...},"Connection":{...}`.
inline void write_definitions(SchemaText& out) {
  for (std::size_t i = 0; i < out.owed.size(); ++i) {
    if (i > 0) out.text.append(",");
    out.quote(out.owed[i].name);
    out.text.append(":");
    out.owed[i].write(out);
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
