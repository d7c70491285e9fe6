// SPDX-License-Identifier: MIT
// The fields of a struct as a constant table: what need not be quick is a plain function over it, the same for all structs.
#pragma once

#include <bankhook/base/error.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/number.hpp>
#include <bankhook/text/timestamp.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

struct FieldTable;

/// What a value is. Its functions take values of the type as `void*`; those that its kind has no use for are null.
struct ValueType {
  enum class Kind : std::uint8_t {
    nullable,
    maybe_absent,
    array,
    object,
    boolean,
    decimal,
    integer,
    // in quotes
    text,
    enumeration,
    tag,
    date,
    local_timestamp,
    timestamp,
    form,  ///< a value type of the user's own
  };

  Kind kind{};
  Errc expected{};                    ///< the error if another kind of value is found; of an optional, that of `inner`
  const ValueType* inner = nullptr;   ///< of an optional and of an array
  const FieldTable* table = nullptr;  ///< of an object
  std::span<const std::string_view> values{};  ///< of an enumeration, as they are written on the wire
  const Meaning* meanings = nullptr;           ///< of an enumeration: of its values, in their order, or null
  std::string_view text{};  ///< of a tag: the one value; of an enumeration: its name; of a form: its pattern, if it has one
  std::size_t size = 0;     ///< in bytes, in memory
  bool is_signed = false;   ///< of an integer

  /// Of neither optional, array nor object: sets it to what JSON writes as `text`, for a string to its content.
  Errc (*assign)(std::string_view text, void* out) = nullptr;
  void* (*emplace)(void* optional) = nullptr;                           ///< makes a new value in an optional and returns it
  void (*make)(void* memory) = nullptr;                                 ///< makes a new value in memory of `size` bytes
  void (*view)(void* array, void* first, std::size_t count) = nullptr;  ///< makes the array view these elements

  [[nodiscard]] constexpr bool is_optional() const { return kind == Kind::nullable || kind == Kind::maybe_absent; }
  /// Whether JSON writes it as a string.
  [[nodiscard]] constexpr bool is_quoted() const { return kind >= Kind::text; }
  /// What JSON calls it, if it is not optional.
  [[nodiscard]] constexpr std::string_view json_type() const {
    if (kind == Kind::array) return "array";
    if (kind == Kind::object) return "object";
    if (kind == Kind::boolean) return "boolean";
    return kind == Kind::decimal || kind == Kind::integer ? "number" : "string";
  }
  /// What is in optionals and arrays.
  [[nodiscard]] constexpr const ValueType& innermost() const { return inner == nullptr ? *this : inner->innermost(); }
};

/// A field of a struct.
struct FieldRow {
  std::string_view name{};                 ///< as written in the struct
  const std::string_view* wire = nullptr;  ///< a binding may replace this name, before the first payload is read
  const ValueType* type = nullptr;
  std::string_view meaning{};           ///< empty if the struct does not say; `meaning_of` has that of its values, too
  void* (*of)(void* object) = nullptr;  ///< where the field lies in an object

  [[nodiscard]] constexpr std::string_view wire_name() const { return *wire; }
  /// Whether an object is complete without it.
  [[nodiscard]] constexpr bool may_be_absent() const { return type->kind == ValueType::Kind::maybe_absent; }
  [[nodiscard]] constexpr bool may_be_null() const {
    return (may_be_absent() ? type->inner : type)->kind == ValueType::Kind::nullable;
  }
};

/// A struct with its fields in their order. All views have static storage.
struct FieldTable {
  std::string_view name{};     ///< that of the struct
  std::string_view section{};  ///< of the specification; empty for a struct that is not in it
  std::string_view meaning{};
  std::span<const FieldRow> fields{};

  /// The field with this name on the wire, or nullptr. That with the index `likely` is looked at first.
  [[nodiscard]] constexpr const FieldRow* find(std::string_view wire_name, std::size_t likely = 0) const {
    if (likely < fields.size() && fields[likely].wire_name() == wire_name) return &fields[likely];
    for (const FieldRow& field : fields) {
      if (field.wire_name() == wire_name) return &field;
    }
    return nullptr;
  }
};

template <class V>
constexpr Errc assign(std::string_view text, V& out) {
  if constexpr (reflect::Text<V>) return out = text, Errc::none;
  else if constexpr (std::same_as<V, bool>) return out = text == "true", Errc::none;
  else if constexpr (reflect::OpenEnumeration<V>) return out = V::of(text), Errc::none;
  else if constexpr (reflect::Tag<V>) return out == text ? Errc::none : Errc::wrong_event;
  else if constexpr (text::Integer<V>) return text::scan_integer(text.data(), text.data() + text.size(), out).error;
  else if constexpr (std::same_as<V, Decimal>) {
    return text::scan_decimal(text.data(), text.data() + text.size(), out).error;
  } else if constexpr (std::same_as<V, std::chrono::year_month_day>) {
    const auto date = text::parse_date(text);
    if (!date) return date.error();
    return out = *date, Errc::none;
  } else {
    if (V::scan(text, out)) return Errc::none;
    if constexpr (requires { V::fault_of(text); }) return V::fault_of(text);
    else return V::form_error;
  }
}

/// The kind of a value without parts, and what is expected where one should be.
template <class V>
constexpr ValueType describe_plain() {
  using enum ValueType::Kind;
  if constexpr (reflect::Text<V>) return {.kind = text, .expected = Errc::expected_string};
  else if constexpr (std::same_as<V, bool>) return {.kind = boolean, .expected = Errc::expected_boolean};
  else if constexpr (reflect::Tag<V>) return {.kind = tag, .expected = Errc::expected_string, .text = V::text()};
  else if constexpr (std::same_as<V, Decimal>) return {.kind = decimal, .expected = Errc::expected_number};
  else if constexpr (text::Integer<V>) {
    return {.kind = integer, .expected = std::signed_integral<V> ? Errc::expected_integer : Errc::expected_count};
  } else if constexpr (std::same_as<V, std::chrono::year_month_day>) {
    return {.kind = date, .expected = Errc::expected_date};
  } else if constexpr (reflect::OpenEnumeration<V>) {
    return {.kind = enumeration,
            .expected = Errc::expected_string,
            .values = reflect::enumerator_texts<typename V::enum_type>,
            .meanings = meanings_of<typename V::enum_type>.empty() ? nullptr : meanings_of<typename V::enum_type>.data(),
            .text = reflect::type_name<typename V::enum_type>};
  } else {
    static_assert(QuotedForm<V>, "write a field that JSON can hold");
    if constexpr (std::same_as<V, LocalTimestamp>) return {.kind = local_timestamp, .expected = V::form_error};
    else if constexpr (std::same_as<V, Timestamp>) return {.kind = timestamp, .expected = V::form_error};
    else if constexpr (requires { V::pattern; }) {
      return {.kind = form, .expected = V::form_error, .text = V::pattern.view()};
    } else return {.kind = form, .expected = V::form_error};
  }
}

template <class V>
constexpr ValueType describe();

/// The description of a type that a field may have.
template <class V>
inline constexpr ValueType value_type = describe<V>();

/// The rows of `field_table<T>`.
template <reflect::Aggregate T>
inline constexpr std::array<FieldRow, reflect::field_count<T>> field_rows =
    []<std::size_t... At>(std::index_sequence<At...>) {
      return std::array<FieldRow, sizeof...(At)>{
          FieldRow{reflect::field_name<T, At>, &reflect::wire_names<T>[At], &value_type<reflect::FieldType<T, At>>,
                   reflect::field_meaning<T, At>,
                   [](void* object) -> void* { return &reflect::field<At>(*static_cast<T*>(object)); }}...};
    }(std::make_index_sequence<reflect::field_count<T>>());

/// The table of a struct.
template <reflect::Aggregate T>
inline constexpr FieldTable field_table{
    .name = reflect::type_name<T>, .section = reflect::section<T>, .meaning = reflect::meaning<T>, .fields = field_rows<T>};

/// What a field means, and each of the values that it may have: ``Why; `purchaseNotFound`: It could not be found``.
[[nodiscard]] inline std::string meaning_of(const FieldRow& field) {
  std::string text(field.meaning);
  const ValueType& type = field.type->innermost();
  for (std::size_t i = 0; type.meanings != nullptr && i < type.values.size(); ++i)
    text.append("; `").append(type.values[i]).append("`: ").append(type.meanings[i].text);
  return text;
}

template <class V>
constexpr ValueType describe() {
  using enum ValueType::Kind;
  ValueType type;
  if constexpr (reflect::OptionalValue<V>) {
    const ValueType& inner = value_type<typename V::value_type>;
    type = {.kind = base::is_nullable<V> ? nullable : maybe_absent, .expected = inner.expected, .inner = &inner};
    type.emplace = [](void* optional) -> void* { return &static_cast<V*>(optional)->emplace(); };
  } else if constexpr (reflect::Array<V>) {
    using Element = std::remove_const_t<typename V::value_type>;
    type = {.kind = array, .expected = Errc::expected_array, .inner = &value_type<Element>};
    type.view = [](void* array, void* first, std::size_t count) {
      *static_cast<V*>(array) = {static_cast<const Element*>(first), count};
    };
  } else if constexpr (reflect::Structure<V>) {
    type = {.kind = object, .expected = Errc::expected_object, .table = &field_table<V>};
  } else {
    type = describe_plain<V>();
    type.assign = [](std::string_view text, void* out) { return assign(text, *static_cast<V*>(out)); };
  }
  type.size = sizeof(V);
  type.is_signed = std::signed_integral<V>;
  type.make = [](void* memory) { ::new (memory) V{}; };
  return type;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
