// SPDX-License-Identifier: MIT
// An event in the source, checked by the compiler: `event_literal<"...">` and `"..."_event`.
#pragma once

#include <bankhook/base/fixed_string.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/codec_event.hpp>
#include <bankhook/json/literal.hpp>

#include <cstddef>
#include <type_traits>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// Which alternative of AnyEvent the text is; the envelope alone is read here, so a missing name is a fault of its own.
template <FixedString text>
inline constexpr std::size_t literal_index = json::literal<Envelope, text>.event.index();

template <FixedString text, std::size_t index>
consteval const auto& literal_event() {
  return json::literal<std::variant_alternative_t<index, AnyEvent>, text>;
}

/// An event that the specification does not list stays what it is here, too.
template <FixedString text>
inline constexpr UnknownEvent unknown_literal{json::literal<Envelope, text>.event.text(), text.view()};

template <FixedString text>
consteval const auto& literal_of() {
  constexpr std::size_t index = literal_index<text>;
  if constexpr (index == known_events) return unknown_literal<text>;
  else return literal_event<text, index>();
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// The event that the payload `text` contains, as its own type, in a constant expression:
/// `event_literal<text>.customer.id`. A wrong payload does not compile; the message names the fault, its byte offset and
/// the field (ThePayloadIsWrong). Views have static storage. Payloads of many KB may need the compiler's limit for constant
/// expressions raised.
template <FixedString text>
inline constexpr const auto& event_literal = detail::literal_of<text>();

/// The suffix `_event`; visible wherever the namespace `bankhook` is.
inline namespace literals {

/// The same as the suffix `_event` of a literal.
template <FixedString text>
[[nodiscard]] consteval auto operator""_event() {
  return event_literal<text>;
}

}  // namespace literals

}  // namespace bankhook::inline BANKHOOK_ABI
