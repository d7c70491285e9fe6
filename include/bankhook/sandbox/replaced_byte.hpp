// SPDX-License-Identifier: MIT
// What a consumer can notice of one replaced byte: told by what stood there, never by parsing the result.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/sandbox/fault.hpp>
#include <bankhook/sandbox/spot.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/timestamp.hpp>
#include <bankhook/text/utf8.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bankhook::sandbox {

/// What a touched payload does to one who keeps what events say.
enum class Effect : std::uint8_t {
  none,     ///< it says what the clean one says
  altered,  ///< it is an event that says something else, or it may be one
  ignored,  ///< it is none of the listed events: it says nothing about any connection or transaction
};

struct Mutation {
  Detectable detectable{};
  Effect effect = Effect::none;
  std::string_view what{};
  std::size_t offset = 0;
  std::string_view field{};
};

[[nodiscard]] constexpr Detectable breaks(RuleId rule) { return {.detected_by = DetectedBy::rule, .rule = rule}; }

}  // namespace bankhook::sandbox

namespace bankhook::sandbox::detail {

inline Mutation refused(RuleId rule, std::string_view what) { return {breaks(rule), Effect::ignored, what}; }
/// What stands where a value belongs, or beside it, is no JSON, and so it is not of the member's type.
inline Mutation no_json(std::string_view what) {
  Mutation mutation = refused(RuleId::payload_is_json_object, what);
  mutation.detectable.or_rule = RuleId::fields_have_their_type;
  return mutation;
}
inline Mutation unnoticed(std::string_view what) { return {{}, Effect::altered, what}; }

[[nodiscard]] inline bool is_utf8(std::string_view text) {
  const char* const end = text.data() + text.size();
  return text::find_invalid_utf8(text.data(), end) == end;
}

[[nodiscard]] inline bool has_form(Meaning meaning, std::string_view text) {
  switch (meaning) {
    case Meaning::date: return text::parse_date(text).has_value();
    case Meaning::local_timestamp: return LocalTimestamp::parse(text).has_value();
    case Meaning::timestamp: return Timestamp::parse(text).has_value();
    default: return true;
  }
}

/// A number that stays one by the grammar says something else; what else a detected_by, a point or a space makes of it is
/// left open here, so nothing is promised.
inline Mutation damage_of_number(std::string_view token, std::size_t offset) {
  const char now = token[offset];
  if (std::string_view("+-.eE \t\n\r").contains(now)) return unnoticed("a digit of a number");
  const bool digit = now >= '0' && now <= '9';
  const bool leading_zero = token[0] == '0' && token.size() > 1 && token[1] >= '0' && token[1] <= '9';
  if (digit && !leading_zero) return unnoticed("a digit of a number");
  return no_json("a digit of a number");
}

/// A byte of a text or name that stays inside its quotes.
inline Mutation damage_of_text(std::string_view token, const Spot& spot, bool is_subject) {
  if (!is_utf8(token)) return refused(RuleId::text_is_utf8, "a byte of a text");
  if (spot.token == Token::name) {
    if (spot.absence) return refused(*spot.absence, "a letter of a name");
    return {breaks(RuleId::fields_are_listed), Effect::altered, "a letter of a name"};
  }
  switch (spot.meaning) {
    case Meaning::event_name: return refused(RuleId::event_is_listed, "a letter of the event's name");
    case Meaning::listed_value: return {breaks(RuleId::values_are_listed), Effect::altered, "a letter of a listed value"};
    case Meaning::free: break;
    default:
      if (has_form(spot.meaning, token)) return unnoticed("a digit of a date");
      return refused(spot.meaning == Meaning::timestamp ? RuleId::date_can_be_read : RuleId::fields_have_their_form,
                     "a digit of a date");
  }
  if (is_subject)
    return {breaks(RuleId::connection_is_among_those_of_the_customer), Effect::altered, "a letter of the connection's id"};
  return unnoticed("a letter of a text");
}

}  // namespace bankhook::sandbox::detail

namespace bankhook::sandbox {

/// Whether the id at `spot` is that of the event's connection, where the event says that it is among all connections.
template <class T>
[[nodiscard]] bool names_subject(const T& event, std::string_view payload, const Spot& spot) {
  if constexpr (std::is_same_v<T, BankConnectionsUpdateV2>) {
    return event.event_type != ConnectionEventType::delete_ &&
           payload.substr(spot.begin, spot.end - spot.begin) == event.connection.id;
  } else {
    return false;
  }
}

/// `payload` with the byte at `offset` replaced already; `spot` is what stood there before.
[[nodiscard]] inline Mutation damage_of(std::string_view payload, const Spot& spot, std::size_t offset, bool is_subject) {
  const char now = payload[offset];
  const std::string_view token = payload.substr(spot.begin, spot.end - spot.begin);
  if (spot.token == Token::punctuation) return detail::no_json("punctuation");
  if (spot.token == Token::null) return detail::no_json("a letter of null");
  if (spot.token == Token::number) return detail::damage_of_number(token, offset - spot.begin);
  if (now == '\\' || spot.in_escape) return detail::unnoticed("an escape");  // or it breaks: nothing is promised
  if (now == '"') return detail::refused(RuleId::payload_is_json_object, "a quote inside a text");
  if (static_cast<unsigned char>(now) < 0x20)
    return detail::refused(RuleId::payload_is_json_object, "a control character inside a text");
  return detail::damage_of_text(token, spot, is_subject);
}

}  // namespace bankhook::sandbox
