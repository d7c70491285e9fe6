// SPDX-License-Identifier: MIT
// The wire name of the map-provider place field (2.4, Note), which is in the environment of a process.
#pragma once

// One binary serves all users, so the name is not a constant here: variables specialise what the library derives from it.
// Code that still needs the name as a constant does not compile. The whole library is included here, after them: it has no
// other way into the bindings.

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/json/object_slow_path.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook::python {

/// A name that can be replaced by another one.
class LateName {
 public:
  static constexpr std::size_t max_size = 56;  ///< as much as the reader looks at in one go

  constexpr explicit LateName(std::string_view name) { set(name); }
  constexpr void set(std::string_view name) { size_ = name.copy(characters_, max_size); }
  [[nodiscard]] constexpr std::string_view view() const { return {characters_, size_}; }

 private:
  char characters_[max_size]{};
  std::size_t size_ = 0;
};

/// Whether a `T` has the field, itself or in one of its fields.
template <class T>
inline constexpr bool has_place_id =
    std::is_same_v<T, InitialTransaction> || requires(const T& value) { value.initial_transaction; };

inline constexpr std::size_t place_id_index = detail::reflect::index_of<&InitialTransaction::place_id>;

template <std::size_t I>
inline constexpr auto compiled_name = detail::reflect::field_wire_name<InitialTransaction, I>();

inline constexpr auto compiled_names = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{compiled_name<I>.view()...};
}(std::make_index_sequence<detail::reflect::field_count<InitialTransaction>>());

}  // namespace bankhook::python

namespace bankhook::detail {

template <>
inline constinit bool place_id_is_named<> = !given_place_id_name.empty();

}  // namespace bankhook::detail

namespace bankhook::detail::reflect {

template <>
inline constinit python::LateName wire_name<InitialTransaction, python::place_id_index>{
    python::compiled_names[python::place_id_index]};
template <>
inline constinit auto wire_names<InitialTransaction> = python::compiled_names;

template <>
inline constinit std::array<std::string_view, 2>
    path_names<&InitialTransactionUpdate::initial_transaction, &InitialTransaction::place_id>{
        name_of_field<&InitialTransactionUpdate::initial_transaction>.view(),
        python::compiled_names[python::place_id_index]};
template <>
inline constinit std::array<std::string_view, 1> path_names<&InitialTransaction::place_id>{
    python::compiled_names[python::place_id_index]};

}  // namespace bankhook::detail::reflect

namespace bankhook::detail::json {

template <>
inline constinit auto keys<InitialTransaction> = Keys(python::compiled_names);

}  // namespace bankhook::detail::json

namespace bankhook::python {

/// The name of the field.
inline constexpr auto& place_id_name = detail::reflect::wire_name<InitialTransaction, place_id_index>;

/// Gives the field its name, at most `LateName::max_size` bytes; before any name is used.
inline void set_place_id_name(std::string_view name) {
  place_id_name.set(name);
  using detail::reflect::path_names;
  path_names<&InitialTransaction::place_id>.back() = place_id_name.view();
  path_names<&InitialTransactionUpdate::initial_transaction, &InitialTransaction::place_id>.back() = place_id_name.view();
  auto& names = detail::reflect::wire_names<InitialTransaction>;
  names[place_id_index] = place_id_name.view();
  detail::json::keys<InitialTransaction> = detail::json::Keys(names);
  detail::place_id_is_named<> = true;
}

}  // namespace bankhook::python

#include <bankhook/bankhook.hpp>
#include <bankhook/columns.hpp>
#include <bankhook/sandbox.hpp>
#include <bankhook/schema.hpp>
