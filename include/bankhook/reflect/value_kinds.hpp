// SPDX-License-Identifier: MIT
// The kinds of values that a field can have, those with a text of their own among them, and the one walk into a value.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// Holds `E` or, for a value from the future, a view of its text (which lives as long as the payload or arena it
/// points into). `= OpenEnum<E>::of(text)` sets it by its text; that of an enumerator never counts as unknown. A
/// number that no enumerator has is an unknown value without a text.
template <Enumeration E>
class OpenEnum {
 public:
  using enum_type = E;

  BANKHOOK_OWN constexpr OpenEnum() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): an enumerator is a value
  BANKHOOK_OWN constexpr OpenEnum(E value)
      : value_(value), is_known_(detail::is_numbered<E> && static_cast<std::size_t>(value) < enumerator_count<E>) {}

  /// The enumerator with this wire text, or `text` itself as an unknown value.
  BANKHOOK_OWN [[nodiscard]] static constexpr OpenEnum of(std::string_view text BANKHOOK_LIFETIMEBOUND) {
    for (std::size_t i = 0; i < enumerator_count<E>; ++i) {
      if (detail::reflect::enumerator_texts<E>[i] == text) return static_cast<E>(i);
    }
    OpenEnum unknown;
    unknown.unknown_ = text;
    unknown.is_known_ = false;
    return unknown;
  }
  template <detail::TemporaryText S>
  static detail::keep_it_in_a_variable_because_it_is_gone_before_what_views_it of(S&& text);

  BANKHOOK_OWN [[nodiscard]] constexpr bool is_known() const { return is_known_; }
  /// The enumerator, or nothing for an unknown value.
  BANKHOOK_OWN [[nodiscard]] constexpr std::optional<E> known() const {
    return is_known_ ? std::optional<E>(value_) : std::nullopt;
  }
  /// The text on the wire: static storage for an enumerator, else as long-lived as what it was made from.
  BANKHOOK_OWN [[nodiscard]] constexpr std::string_view text() const {
    return is_known_ ? detail::reflect::enumerator_texts<E>[static_cast<std::size_t>(value_)] : unknown_;
  }

  BANKHOOK_OWN friend constexpr bool operator==(const OpenEnum& left, const OpenEnum& right) {
    return left.is_known_ ? right == left.value_ : !right.is_known_ && left.unknown_ == right.unknown_;
  }
  BANKHOOK_OWN friend constexpr bool operator==(const OpenEnum& left, E right) {
    return left.is_known_ && left.value_ == right;
  }
  BANKHOOK_OWN friend constexpr bool operator==(const OpenEnum& left, std::string_view right) {
    return left.text() == right;
  }

  /// As `text`.
  BANKHOOK_OWN [[nodiscard]] friend constexpr std::string_view to_string(const OpenEnum& value) { return value.text(); }
  /// By its text, as `==`.
  BANKHOOK_OWN [[nodiscard]] std::size_t hash() const noexcept { return std::hash<std::string_view>()(text()); }

 private:
  std::string_view unknown_{};
  E value_{};
  bool is_known_ = detail::is_numbered<E>;
};

/// Stands in a struct where its table lists the constant name; holds nothing. `TypeTag<T>` may be a field of `T` itself.
template <class T>
struct TypeTag {
  BANKHOOK_OWN [[nodiscard]] static constexpr std::string_view text() { return detail::reflect::type_wire_name<T>.view(); }
  BANKHOOK_OWN constexpr operator std::string_view() const { return text(); }  // NOLINT(google-explicit-constructor)
  BANKHOOK_OWN [[nodiscard]] friend constexpr std::string_view to_string(const TypeTag&) { return text(); }
  /// All tags of one struct are equal.
  BANKHOOK_OWN [[nodiscard]] static std::size_t hash() noexcept { return 0; }
  BANKHOOK_OWN constexpr bool operator==(const TypeTag&) const = default;
  BANKHOOK_OWN friend constexpr bool operator==(const TypeTag&, std::string_view other) { return text() == other; }
};

}}  // namespace bankhook::BANKHOOK_STRUCTS

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace reflect {
// What has no parts. Whatever is of none of these kinds is a value type by itself: a number, a date, a Decimal.
template <class T>
concept Text = std::same_as<T, std::string_view>;
template <class T>
concept OpenEnumeration = std::same_as<T, OpenEnum<typename T::enum_type>>;
template <class T>
concept Tag = base::is_of<T, TypeTag>;

// What has parts.
template <class T>
concept OptionalValue = base::is_nullable<T> || base::is_maybe_absent<T>;
template <class T>
concept Array = std::same_as<T, std::span<const typename T::value_type>>;
template <class T>
concept Structure = Aggregate<T> && !Tag<T>;
template <class T>
concept Alternatives = base::is_of<T, std::variant>;
template <class T>
concept HasParts = OptionalValue<T> || Array<T> || Structure<T> || Alternatives<T>;

/// A number, a date, a decimal: what neither has parts nor is text by itself. A type of your own is one, too.
template <class T>
concept Scalar = !HasParts<T> && !Text<T> && !OpenEnumeration<T> && !Tag<T>;

/// Calls `f(part)` for each value that lies directly in `value`: the value of an optional, if there is one, the elements of
/// an array, the fields of a struct, what a variant holds. Stops if it returns false, and returns whether it did not.
///
///     // all texts in a value, however deep
///     template <class T>
///     void add_texts(const T& value, std::vector<std::string_view>& texts) {
///       if constexpr (reflect::Text<T>) texts.push_back(value);
///       else if constexpr (reflect::HasParts<T>)
///         reflect::for_each_part(value, [&](const auto& part) { return add_texts(part, texts), true; });
///     }
template <class T, class F>
  requires HasParts<std::remove_const_t<T>>
constexpr bool for_each_part(T& value, F&& f) {
  using Value = std::remove_const_t<T>;
  if constexpr (OptionalValue<Value>) return !value || f(*value);
  else if constexpr (Array<Value>) {
    for (const auto& item : value) {
      if (!f(item)) return false;
    }
    return true;
  } else if constexpr (Alternatives<Value>) {
    return std::visit([&](auto& held) { return static_cast<bool>(f(held)); }, value);
  } else {
    return for_each_field<Value>([&]<std::size_t At>() { return static_cast<bool>(f(field<At>(value))); });
  }
}

/// How many values lie directly in `value`.
template <HasParts T>
constexpr std::size_t part_count(const T& value) {
  if constexpr (OptionalValue<T>) return value.has_value() ? 1 : 0;
  else if constexpr (Array<T>) return value.size();
  else if constexpr (Alternatives<T>) return 1;
  else return field_count<T>;
}

template <class T>
consteval auto innermost() {
  if constexpr (OptionalValue<T> || Array<T>) return innermost<std::remove_const_t<typename T::value_type>>();
  else return std::type_identity<T>();
}

/// What a field contains besides optionals and arrays: `Account` for `nullable<std::span<const Account>>`.
template <class T>
using InnermostType = typename decltype(innermost<T>())::type;

/// The struct that a field of type `Field` contains, itself or as elements; void if it contains no struct.
template <class Field>
using StructIn = std::conditional_t<Structure<InnermostType<Field>>, InnermostType<Field>, void>;

/// Calls `f.template operator()<Inner, At>()` for each field of `T` that contains a struct: with that and its own index.
template <Aggregate T, class F>
constexpr void for_each_struct_in(F&& f) {
  for_each_field<T>([&]<std::size_t At>() {
    using Inner = StructIn<FieldType<T, At>>;
    if constexpr (!std::is_void_v<Inner>) f.template operator()<Inner, At>();
    return true;
  });
}

/// Whether `T` is `Outer` or occurs somewhere in its fields, or in those of its alternatives.
template <class T, class Outer>
inline constexpr bool contains = std::is_same_v<T, Outer>;
template <class T, Structure Outer>
  requires(!std::is_same_v<T, Outer>)
inline constexpr bool contains<T, Outer> =
    !for_each_field<Outer>([]<std::size_t At>() { return !contains<T, StructIn<FieldType<Outer, At>>>; });
template <class T, class... Outer>
inline constexpr bool contains<T, std::variant<Outer...>> = (contains<T, Outer> || ...);

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::reflect
