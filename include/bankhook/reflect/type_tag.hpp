// SPDX-License-Identifier: MIT
// A field whose only value is the name of its struct on the wire: `"event": "bank_connections_update_v2"`.
#pragma once

#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <functional>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// Stands in a struct where its table lists the constant name; holds nothing. `TypeTag<T>` may be a field of `T` itself.
template <class T>
struct TypeTag {
  [[nodiscard]] static constexpr std::string_view text() { return reflect::type_wire_name<T>.view(); }
  constexpr operator std::string_view() const { return text(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] friend constexpr std::string_view to_string(const TypeTag&) { return text(); }
  constexpr bool operator==(const TypeTag&) const = default;
  friend constexpr bool operator==(const TypeTag&, std::string_view other) { return text() == other; }
};

namespace reflect {

template <class T>
inline constexpr bool is_type_tag = false;
template <class T>
inline constexpr bool is_type_tag<TypeTag<T>> = true;

}  // namespace reflect
}  // namespace bankhook::inline BANKHOOK_ABI

/// All tags of one struct are equal.
template <class T>
struct std::hash<bankhook::TypeTag<T>> {
  [[nodiscard]] std::size_t operator()(const bankhook::TypeTag<T>&) const noexcept { return 0; }
};
