// SPDX-License-Identifier: MIT
// Events and their parts become bytes: minified JSON, fields in the specification's order, absent ones left out.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/json/can_hold.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/codec_object.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Appends `value` (an event, any event, a resource, or any struct of fields that JSON can hold) to `out`.
/// Allocates nothing once `out` has the capacity. `value` must not view `out`, as it would if it was parsed from there.
/// Text must be UTF-8, dates must be of the calendar, with years 1 to 9999, and amounts have at most `Decimal::max_digits`:
/// all that `parse` gave is so. Any other date or amount is written as one that `parse` rejects.
template <class T>
BANKHOOK_ENTRY void serialize_to(const T& value, std::string& out) {
  if constexpr (std::is_same_v<T, AnyEvent>) {
    std::visit([&out](const auto& event) { serialize_to(event, out); }, value);
  } else if constexpr (std::is_same_v<T, UnknownEvent>) {  // verbatim, without white space: one event stays one line
    detail::json::append(out, [&value](detail::json::Sink& sink) { return sink.minified(value.raw); });
  } else if constexpr (detail::json::can_hold<T>) {
    detail::json::write(value, out);
  }
}

/// `value` as a new string; see `serialize_to`.
template <class T>
[[nodiscard]] std::string serialize(const T& value) {
  std::string out;
  if constexpr (std::is_same_v<T, AnyEvent> || std::is_same_v<T, UnknownEvent>) serialize_to(value, out);
  else if constexpr (detail::json::can_hold<T>) detail::json::write(value, out);
  return out;
}

/// The same, for code that prints anything with a `to_string`, and so for `<<`: events and resources print as their JSON,
/// once this header is included. It contains personal data, as no other text of the library does: keep it out of logs.
template <class T>
  requires std::is_same_v<decltype(&T::section), const std::string_view*>
[[nodiscard]] std::string to_string(const T& value) {
  return serialize(value);
}

BANKHOOK_ONCE(void serialize_to(const AnyEvent&, std::string&));
BANKHOOK_ONCE(void detail::json::write(const BankConnectionsUpdateV2&, std::string&));
BANKHOOK_ONCE(void detail::json::write(const InitialTransactionUpdate&, std::string&));

}}  // namespace bankhook::BANKHOOK_ABI
