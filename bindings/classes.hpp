// SPDX-License-Identifier: MIT
// The structs that are bound as classes, in the order in which one holds the other.
#pragma once

#include "library.hpp"
#include "object.hpp"
#include "values.hpp"

#include <pybind11/pybind11.h>

#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook::python {

/// Spec section 2.
using Resources = std::tuple<Account, Connection, Customer, ConnectedCustomer, InitialTransaction>;

/// What a tracker's queries give back.
using Held = std::tuple<Membership, TrackedMember, TrackedConnection, TrackedTransaction>;

/// An event has its payload as `raw` beside its fields.
template <class T>
inline constexpr bool is_event = []<class... Events>(std::type_identity<std::variant<Events...>>) {
  return (std::is_same_v<T, Events> || ...);
}(std::type_identity<AnyEvent>());

/// Calls `f.template operator()<T>()` for each class, resources first, events last; stops where it returns false.
template <class F>
bool for_each_class(F&& f) {
  return []<class... Parts, class... Kept, class... Events>(F& call, std::type_identity<std::tuple<Parts...>>,
                                                            std::type_identity<std::tuple<Kept...>>,
                                                            std::type_identity<std::variant<Events...>>) {
    return (call.template operator()<Parts>() && ...) && (call.template operator()<Kept>() && ...) &&
           (call.template operator()<Events>() && ...);
  }(f, std::type_identity<Resources>(), std::type_identity<Held>(), std::type_identity<AnyEvent>());
}

/// `f.template operator()<T>()` for the struct that `cls` is bound to, and true; false for a class that is not ours.
template <class F>
bool with_struct(const void* cls, F&& f) {
  return !for_each_class([&]<class T>() {
    if (cls != class_of<T>) return true;
    f.template operator()<T>();
    return false;
  });
}

/// One of our classes.
struct Known {
  std::string_view name;
  bool is_event = false;
};
/// What is known of `cls`, or nothing of one that is not ours.
inline std::optional<Known> known_class(PyTypeObject* cls) {
  std::optional<Known> known;
  with_struct(cls, [&]<class T>() { known = {class_name<T>, is_event<T>}; });
  return known;
}

/// `f(event)` for an object of any event's class, and true; false for anything else.
template <class F>
bool visit_event(PyObject* object, F f) {
  return !for_each_class([&]<class T>() {
    if constexpr (is_event<T>) {
      if (Py_TYPE(object) == class_of<T>) return f(value_of<T>(object)), false;
    }
    return true;
  });
}

}  // namespace bankhook::python
