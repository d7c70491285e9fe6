// SPDX-License-Identifier: MIT
// No two texts or arrays of the events share the place where the reader remembers how long they were.
#include <bankhook_catch.hpp>

#include <bankhook/events/any_event.hpp>
#include <bankhook/json/parse_context.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>

namespace events_remembered_places_test {

namespace {

namespace reflect = bankhook::detail::reflect;

/// The names of all texts and arrays by their place, in a type and in all that it is made of.
using Places = std::map<std::size_t, std::set<std::string>>;

template <class T>
void add_places(Places& places);

template <class T>
void add_places_in(Places& places) {
  if constexpr (reflect::OptionalValue<T>) add_places_in<typename T::value_type>(places);
  else if constexpr (reflect::Array<T>) add_places_in<std::remove_const_t<typename T::element_type>>(places);
  else if constexpr (reflect::Structure<T>) add_places<T>(places);
}

template <class T>
constexpr bool has_length() {
  if constexpr (reflect::OptionalValue<T>) return has_length<typename T::value_type>();
  else return reflect::Text<T> || reflect::Array<T>;
}

template <class T>
void add_places(Places& places) {
  reflect::for_each_field<T>([&]<std::size_t I>() {
    using Field = reflect::FieldType<T, I>;
    if constexpr (has_length<Field>()) {
      const std::string name = std::string(reflect::type_name<T>) + "." + std::string(reflect::field_name<T, I>);
      places[bankhook::detail::json::place_of_length<T, I>].insert(name);
    }
    add_places_in<Field>(places);
    return true;
  });
}

template <class... Events>
Places places_of(std::variant<Events...>*) {
  Places places;
  (add_places<Events>(places), ...);
  return places;
}

}  // namespace

TEST_CASE("each text and each array of the events has a place of its own in what the reader remembers") {
  const Places places = places_of(static_cast<bankhook::AnyEvent*>(nullptr));
  REQUIRE(places.size() > 15);
  for (const auto& [place, names] : places) {
    CAPTURE(place, *names.begin(), *names.rbegin());
    REQUIRE(place < bankhook::detail::json::Remembered::places);
    REQUIRE(names.size() == 1);
  }
}

}  // namespace events_remembered_places_test
