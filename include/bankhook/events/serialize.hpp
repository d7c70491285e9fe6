// SPDX-License-Identifier: MIT
// Events and their parts become bytes: minified JSON, fields in the specification's order, absent ones left out.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/json/can_hold.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/write_over.hpp>

#include <expected>
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

/// Appends `value`, an event or a resource, to `out`, written over the JSON that it was read from before it was changed.
/// The bytes of all fields that are equal, and of all that are not listed, are copied as they stand, with blanks and order;
/// written is only what differs. An unchanged event gives its payload byte for byte, without a byte order
/// mark.
///
/// A field that becomes absent goes, one that appears comes after the one before it in the specification's order. Elements
/// of arrays are matched by `id`: one without a match, or whose id occurs twice, is written new, so that no unlisted field
/// moves to another element. `value` and `payload` must not view `out`.
/// @return nothing, or the error that `parse_as` gives: of another event, not JSON, cut. Then nothing is appended.
///
///     std::string out;
///     auto changed = std::get<InitialTransactionUpdate>(document->event());
///     changed.customer.external_id = "user-42";
///     if (const auto written = serialize_over(changed, document->raw(), out)) send(out);
template <class T>
[[nodiscard]] std::expected<void, Error> serialize_over(const T& value, std::string_view payload, std::string& out) {
  if constexpr (std::is_same_v<T, AnyEvent>) {
    return std::visit([&](const auto& event) { return serialize_over(event, payload, out); }, value);
  } else if constexpr (std::is_same_v<T, UnknownEvent>) {  // it is its payload, from brace to brace
    payload = detail::json::without_mark(payload);
    const std::size_t open = (std::min)(payload.find('{'), payload.size());
    const bool is_it = payload.substr(open).starts_with(value.raw) && detail::json::is_blank(payload.substr(0, open)) &&
                       detail::json::is_blank(payload.substr((std::min)(open + value.raw.size(), payload.size())));
    if (!is_it) return std::unexpected(Error{.code = Errc::wrong_event});
    out += payload;
    return {};
  } else if constexpr (detail::json::can_hold<T>) {
    return detail::json::write_over(value, payload, out);
  }
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
BANKHOOK_ONCE(std::expected<void, Error> detail::json::write_over(const BankConnectionsUpdateV2&, std::string_view,
                                                                  std::string&));
BANKHOOK_ONCE(std::expected<void, Error> detail::json::write_over(const InitialTransactionUpdate&, std::string_view,
                                                                  std::string&));

}}  // namespace bankhook::BANKHOOK_ABI
