// SPDX-License-Identifier: MIT
// "T or null" and "may be missing": two types with the interface of std::optional, never mixed up.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>

#include <compare>
#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

template <class T>
class nullable;
template <class T>
class maybe_absent;

}}  // namespace bankhook::BANKHOOK_STRUCTS

namespace bankhook { inline namespace BANKHOOK_ABI {

namespace detail { namespace base {

/// Whether `T` is made of the template `Of`.
template <class T, template <class...> class Of>
inline constexpr bool is_of = false;
template <class... Arguments, template <class...> class Of>
inline constexpr bool is_of<Of<Arguments...>, Of> = true;

template <class T>
inline constexpr bool is_nullable = is_of<T, nullable>;
template <class T>
inline constexpr bool is_maybe_absent = is_of<T, maybe_absent>;

}}  // namespace detail::base

namespace detail {

template <class T>
inline constexpr bool is_std_optional = base::is_of<T, std::optional>;

/// What makes a value of an optional `Self`, and is not an optional value by itself.
template <class U, class T, class Self>
concept ValueFor = std::is_convertible_v<U, T> && !std::is_base_of_v<Self, std::remove_cvref_t<U>> &&
                   (is_std_optional<T> || !is_std_optional<std::remove_cvref_t<U>>);

/// What it is compared with: that keeps the two meanings apart, and the question from asking itself. An OpenEnum is
/// compared with text, too.
template <class U, class T, class Self>
concept ComparedValue = ValueFor<const U&, T, Self> ||
                        (std::is_convertible_v<const U&, std::string_view> && requires { typename T::enum_type; });

/// The other kind of optional value.
template <class Other, class T, class Self>
concept OtherOptional =
    (base::is_nullable<Other> || base::is_maybe_absent<Other>) && !std::is_same_v<Other, Self> && !std::is_same_v<Other, T>;

/// The common interface. `Self` keeps the two meanings apart: they neither convert nor compare to each other.
template <class Self, class T>
class OptionalBase {
 public:
  using value_type = T;

  constexpr OptionalBase() = default;
  constexpr OptionalBase(std::nullopt_t) {}  // NOLINT(google-explicit-constructor)
  /// A template, so that nothing is converted to a std::optional before: a maybe_absent is no nullable.
  template <class Optional>
    requires std::same_as<std::remove_cvref_t<Optional>, std::optional<T>>
  constexpr OptionalBase(Optional&& other) : held_(std::forward<Optional>(other)) {}  // NOLINT(google-explicit-constructor)
  template <class U = T>
    requires(ValueFor<U, T, OptionalBase> && !GoneBeforeView<U, T>)
  constexpr OptionalBase(U&& value) : held_(std::forward<U>(value)) {}  // NOLINT(google-explicit-constructor)
  /// A view of what is gone before it: keep the text or the array first.
  template <class U, class Instead = keep_it_in_a_variable_because_it_is_gone_before_what_views_it>
    requires(ValueFor<U, T, OptionalBase> && GoneBeforeView<U, T>)
  OptionalBase(U&& value) = BANKHOOK_DELETE("keep it in a variable: it is gone before what views it");
  template <class... Arguments>
    requires(std::is_constructible_v<T, Arguments...> && !(GoneBeforeView<Arguments, T> || ...))
  constexpr explicit OptionalBase(std::in_place_t, Arguments&&... arguments)
      : held_(std::in_place, std::forward<Arguments>(arguments)...) {}

  constexpr operator std::optional<T>() const { return held_; }  // NOLINT(google-explicit-constructor)

  [[nodiscard]] constexpr bool has_value() const { return held_.has_value(); }
  constexpr explicit operator bool() const { return held_.has_value(); }
  [[nodiscard]] constexpr const T& operator*() const { return *held_; }
  [[nodiscard]] constexpr T& operator*() { return *held_; }
  [[nodiscard]] constexpr const T* operator->() const { return &*held_; }
  [[nodiscard]] constexpr T* operator->() { return &*held_; }
  /// Throws std::bad_optional_access if it is empty, as std::optional does; the library itself never calls it.
  [[nodiscard]] constexpr const T& value() const { return held_.value(); }
  [[nodiscard]] constexpr T& value() { return held_.value(); }
  template <class U>
  [[nodiscard]] constexpr T value_or(U&& other) const {
    static_assert(!GoneBeforeView<U, T>, "keep the other value in a variable: it is gone before what views it");
    return held_.value_or(std::forward<U>(other));
  }

  template <class... Arguments>
    requires(!(GoneBeforeView<Arguments, T> || ...))
  constexpr T& emplace(Arguments&&... arguments) {
    return held_.emplace(std::forward<Arguments>(arguments)...);
  }
  constexpr void reset() { held_.reset(); }

  /// What `f` makes of the value, if there is one: `f` gives a std::optional, a nullable or a maybe_absent.
  constexpr auto and_then(auto&& f) const {
    using Result = std::remove_cvref_t<std::invoke_result_t<decltype(f), const T&>>;
    static_assert(is_std_optional<Result> || base::is_nullable<Result> || base::is_maybe_absent<Result>,
                  "and_then takes a function that gives an optional value");
    return has_value() ? Result(std::apply(std::forward<decltype(f)>(f), std::tie(*held_))) : Result();
  }
  /// What `f` makes of the value, if there is one, as a std::optional: it is not a field any more.
  constexpr auto transform(auto&& f) const { return held_.transform(std::forward<decltype(f)>(f)); }
  /// This, or what `f` gives if it is empty.
  constexpr Self or_else(auto&& f) const {
    return has_value() ? static_cast<const Self&>(*this) : Self(std::forward<decltype(f)>(f)());
  }

  friend constexpr bool operator==(const Self& left, const Self& right) { return left.held_ == right.held_; }
  friend constexpr bool operator==(const Self& left, const std::optional<T>& right) { return left.held_ == right; }
  friend constexpr bool operator==(const Self& left, std::nullopt_t) { return !left.has_value(); }
  template <ComparedValue<T, OptionalBase> U>
  friend constexpr bool operator==(const Self& left, const U& right) {
    return left.has_value() && *left.held_ == right;
  }

  /// An empty one precedes every value.
  friend constexpr auto operator<=>(const Self& left, const Self& right)
    requires std::three_way_comparable<T>
  {
    return left.held_ <=> right.held_;
  }
  friend constexpr std::strong_ordering operator<=>(const Self& left, std::nullopt_t) { return left.has_value() <=> false; }
  template <class U>
    requires((ValueFor<const U&, T, OptionalBase> || std::same_as<U, std::optional<T>>) && std::three_way_comparable<T>)
  friend constexpr auto operator<=>(const Self& left, const U& right) {
    if constexpr (std::same_as<U, std::optional<T>>) return left.held_ <=> right;
    else return left.has_value() ? std::compare_three_way_result_t<T>(*left.held_ <=> right) : std::strong_ordering::less;
  }

 private:
  std::optional<T> held_;
};

struct compare_the_values_because_null_is_not_absent;
/// Nor is the other kind compared by way of std::optional.
template <class Self, OtherOptional<typename Self::value_type, Self> Other>
  requires(base::is_nullable<Self> || base::is_maybe_absent<Self>)
compare_the_values_because_null_is_not_absent operator==(const Self& left, const Other& right);
template <class Self, OtherOptional<typename Self::value_type, Self> Other>
  requires(base::is_nullable<Self> || base::is_maybe_absent<Self>)
compare_the_values_because_null_is_not_absent operator<=>(const Self& left, const Other& right);

}  // namespace detail

/// Writes the value as `<<` writes it alone, or what it is instead: `null`, `absent`.
template <class Stream, class T>
  requires(detail::base::is_nullable<T> || detail::base::is_maybe_absent<T>) &&
          requires(Stream& out, const typename T::value_type& value) { out.flush() << value; }
Stream& operator<<(Stream& out, const T& value) {
  if (value) out << *value;
  else out << (detail::base::is_nullable<T> ? "null" : "absent");
  return out;
}

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// A value or JSON null; the field itself is required. It is used like std::optional, and converts to and from it;
/// `= std::nullopt` sets null, and `= nullable<T>()` a field that may be absent, but is there. `<<` prints it.
///
///     nullable<std::string_view> hash = account.account_hash;
///     std::optional<std::string_view> same = hash;
///     const std::size_t size = hash.transform(&std::string_view::size).value_or(0);
template <class T>
class nullable : public detail::OptionalBase<nullable<T>, T> {
 public:
  using detail::OptionalBase<nullable<T>, T>::OptionalBase;
};

/// A value, or no such field at all. `maybe_absent<nullable<T>>` is a field that may be missing or null.
template <class T>
class maybe_absent : public detail::OptionalBase<maybe_absent<T>, T> {
 public:
  using detail::OptionalBase<maybe_absent<T>, T>::OptionalBase;
};

}}  // namespace bankhook::BANKHOOK_STRUCTS
