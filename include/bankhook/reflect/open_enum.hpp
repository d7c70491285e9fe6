// SPDX-License-Identifier: MIT
// Values with a text of their own: an enumeration that is not closed, and the constant name of a struct on the wire.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// Holds `E` or, for a value from the future, a view of its text (which lives as long as the payload or arena it
/// points into). The text of an enumerator never counts as unknown: `OpenEnum<E>::of("created")` is the enumerator. A
/// number that no enumerator has is an unknown value without a text.
template <Enumeration E>
class OpenEnum {
  static_assert(detail::counts_from_zero<E>(), "the_enumerators_count_from_0_without_gaps");

 public:
  using enum_type = E;

  constexpr OpenEnum() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): an enumerator is a value
  constexpr OpenEnum(E value) : value_(value), is_known_(static_cast<std::size_t>(value) < enumerator_count<E>) {}

  /// The enumerator with this wire text, or `text` itself as an unknown value.
  [[nodiscard]] static constexpr OpenEnum of(std::string_view text BANKHOOK_LIFETIMEBOUND) {
    for (std::size_t i = 0; i < enumerator_count<E>; ++i) {
      if (reflect::enumerator_texts<E>[i] == text) return static_cast<E>(i);
    }
    OpenEnum unknown;
    unknown.unknown_ = text;
    unknown.is_known_ = false;
    return unknown;
  }
  template <detail::TemporaryText S>
  static OpenEnum of(S&& text) = delete;

  [[nodiscard]] constexpr bool is_known() const { return is_known_; }
  /// The enumerator, or nothing for an unknown value.
  [[nodiscard]] constexpr std::optional<E> known() const { return is_known_ ? std::optional<E>(value_) : std::nullopt; }
  /// The text on the wire: static storage for an enumerator, else as long-lived as what it was made from.
  [[nodiscard]] constexpr std::string_view text() const {
    return is_known_ ? reflect::enumerator_texts<E>[static_cast<std::size_t>(value_)] : unknown_;
  }

  friend constexpr bool operator==(const OpenEnum& left, const OpenEnum& right) {
    return left.is_known_ ? right == left.value_ : !right.is_known_ && left.unknown_ == right.unknown_;
  }
  friend constexpr bool operator==(const OpenEnum& left, E right) { return left.is_known_ && left.value_ == right; }
  friend constexpr bool operator==(const OpenEnum& left, std::string_view right) { return left.text() == right; }

  /// As `text`.
  [[nodiscard]] friend constexpr std::string_view to_string(const OpenEnum& value) { return value.text(); }
  /// By its text, as `==`.
  [[nodiscard]] std::size_t hash() const noexcept { return std::hash<std::string_view>()(text()); }

 private:
  std::string_view unknown_{};
  E value_{};
  bool is_known_ = true;
};

/// Stands in a struct where its table lists the constant name; holds nothing. `TypeTag<T>` may be a field of `T` itself.
template <class T>
struct TypeTag {
  [[nodiscard]] static constexpr std::string_view text() { return reflect::type_wire_name<T>.view(); }
  constexpr operator std::string_view() const { return text(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] friend constexpr std::string_view to_string(const TypeTag&) { return text(); }
  /// All tags of one struct are equal.
  [[nodiscard]] static std::size_t hash() noexcept { return 0; }
  constexpr bool operator==(const TypeTag&) const = default;
  friend constexpr bool operator==(const TypeTag&, std::string_view other) { return text() == other; }
};

}  // namespace bankhook::inline BANKHOOK_ABI
