// SPDX-License-Identifier: MIT
// The list of events: every event that the library knows, and the one that it does not.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// An event whose name the specification does not list: kept verbatim, so that nothing is lost.
struct UnknownEvent {
  static constexpr std::string_view section = "6";
  static constexpr std::string_view meaning = "An event whose name the specification does not list, kept verbatim";
  static constexpr Meaning meanings[] = {
      {"event", "Name of the event"},
      {"raw", "The payload from brace to brace, as it was received"},
  };

  std::string_view event{};
  std::string_view raw{};
};

}}  // namespace bankhook::BANKHOOK_STRUCTS

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Spec 6: any event. A new event is one struct and one entry here.
using AnyEvent = std::variant<BankConnectionsUpdateV2, InitialTransactionUpdate, UnknownEvent>;

namespace detail { namespace json {

template <class T>
struct Codec;
/// Declared only: it is written verbatim, and read by its name alone.
template <>
struct Codec<UnknownEvent>;

}}  // namespace detail::json

namespace detail {

template <class Events, class T>
inline constexpr bool is_one_of = false;
template <class... Events, class T>
inline constexpr bool is_one_of<std::variant<Events...>, T> = (std::is_same_v<T, Events> || ...);

/// The events that are known come first in AnyEvent.
inline constexpr std::size_t known_events = std::variant_size_v<AnyEvent> - 1;

/// The index of the event for which `is_it.template operator()<T>()`; that of UnknownEvent if it is no known one.
BANKHOOK_INLINE constexpr std::size_t find_event(auto&& is_it) {
  std::size_t index = known_events;
  [&]<std::size_t... At>(std::index_sequence<At...>) {
    static_cast<void>(
        ((is_it.template operator()<std::variant_alternative_t<At, AnyEvent>>() && (index = At, true)) || ...));
  }(std::make_index_sequence<known_events>());
  return index;
}

/// The index of the event with this name in AnyEvent; that of UnknownEvent for all others.
constexpr std::size_t event_index(std::string_view name) {
  return find_event([&]<class T>() { return name == reflect::type_wire_name<T>.view(); });
}

/// The id of the connection or the initial transaction that an event is about; empty for one that is not listed.
template <class Event>
[[nodiscard]] constexpr std::string_view id_of(const Event& event) {
  if constexpr (requires { event.connection; }) return event.connection.id;
  else if constexpr (requires { event.initial_transaction; }) return event.initial_transaction.id;
  else {
    static_assert(std::is_same_v<Event, UnknownEvent>, "an event says what it is about");
    return {};
  }
}

/// A handler as an object, whose call can stand beside others: a function becomes one.
template <class Handler>
  requires std::is_class_v<Handler>
constexpr Handler as_object(Handler handler) {
  return handler;
}
template <class Result, class Event>
constexpr auto as_object(Result (*handler)(Event)) {
  return [handler](Event event) -> Result { return handler(event); };
}

/// All handlers as one, of which each event chooses its own.
template <class... Handlers>
struct Handling : Handlers... {
  using Handlers::operator()...;

  template <class Event>
  static consteval bool takes() {
    static_assert(std::is_invocable_v<Handling&, const Event&>, "write a handler of match for this event");
    return std::is_invocable_v<Handling&, const Event&>;
  }
  template <class First, class... Rest>
  static consteval bool takes_all(const std::variant<First, Rest...>*) {
    if constexpr (takes<First>() && (takes<Rest>() && ...)) {
      using Result = std::invoke_result_t<Handling&, const First&>;
      constexpr bool is_one = (std::is_same_v<Result, std::invoke_result_t<Handling&, const Rest&>> && ...);
      static_assert(is_one, "return the same type from all handlers of match");
      return is_one;
    } else return false;
  }
};

/// What a refused call gives: anything, so that the compiler has one sentence only.
struct Refused {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

struct to_print_an_event_include_bankhook_serialize_hpp_and_write_serialize_of_it;  // <bankhook/serialize.hpp>

}  // namespace detail

/// `<<` of an event or a resource where serialize.hpp is not included, and of any event: the compiler says what to write.
template <class Stream, class T>
  requires((detail::reflect::contains<T, AnyEvent> || std::is_same_v<T, AnyEvent>) && !Printable<T> &&
           requires(Stream& out, std::string_view text) { out.flush() << text; })
detail::to_print_an_event_include_bankhook_serialize_hpp_and_write_serialize_of_it operator<<(Stream& out, const T& value);

/// Calls the handler for the event that `event` is, and returns what that returns: all of them the same type. Handlers are
/// lambdas, other objects that can be called, or functions. An event without a handler does not compile; a lambda with
/// `const auto&` takes whatever no other does.
///
///     match(*event,
///           [](const BankConnectionsUpdateV2& update) { ... },
///           [](const InitialTransactionUpdate& update) { ... },
///           [](const UnknownEvent& unknown) { ... });
template <class... Handlers>
constexpr decltype(auto) match(const AnyEvent& event, Handlers... handlers) {
  using All = detail::Handling<decltype(detail::as_object(std::move(handlers)))...>;
  if constexpr (All::takes_all(static_cast<const AnyEvent*>(nullptr)))
    return std::visit(All{detail::as_object(std::move(handlers))...}, event);
  else return detail::Refused();
}

}}  // namespace bankhook::BANKHOOK_ABI
