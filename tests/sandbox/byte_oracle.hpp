// SPDX-License-Identifier: MIT
// An oracle: what a consumer can notice of one replaced byte, by its token and never by parsing the result.
#pragma once

#include <sandbox/token_at.hpp>

#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/timestamp.hpp>
#include <bankhook/text/utf8.hpp>

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace bankhook::test {

/// What must be noticed, if anything; nothing where it is left open.
struct Prediction {
  std::optional<RuleId> rule{};
  std::optional<RuleId> or_rule{};  ///< broken JSON is not a string either

  [[nodiscard]] bool is_met_by(RuleId found) const { return found == rule || found == or_rule; }
};

}  // namespace bankhook::test

namespace bankhook::test::detail {

/// What stands where a value belongs, or beside it, is no JSON, or it begins as a value of another type.
inline Prediction no_json() { return {RuleId::payload_is_json_object, RuleId::fields_have_their_type}; }

[[nodiscard]] inline bool is_utf8(std::string_view text) {
  const char* const end = text.data() + text.size();
  return bankhook::detail::text::find_invalid_utf8(text.data(), end) == end;
}

[[nodiscard]] inline bool is_read(TextKind kind, std::string_view text) {
  switch (kind) {
    case TextKind::date: return bankhook::detail::text::parse_date(text).has_value();
    case TextKind::local_timestamp: return LocalTimestamp::parse(text).has_value();
    case TextKind::timestamp: return Timestamp::parse(text).has_value();
    default: return true;
  }
}

/// Whether a digit of the day or of the time of day was replaced by another one.
[[nodiscard]] inline bool names_another_moment(std::string_view token, std::size_t offset) {
  constexpr std::string_view form = "9999-99-99 99:99:99";
  return offset < form.size() && form[offset] == '9' && token[offset] >= '0' && token[offset] <= '9';
}

/// A number that stays one by the grammar says something else; what a sign, a point or a space makes of it is left
/// open here, so nothing is predicted.
inline Prediction predict_number(std::string_view token, std::size_t offset) {
  const char now = token[offset];
  if (std::string_view("+-.eE \t\n\r").contains(now)) return {};
  const bool digit = now >= '0' && now <= '9';
  const bool leading_zero = token[0] == '0' && token.size() > 1 && token[1] >= '0' && token[1] <= '9';
  if (digit && !leading_zero) return {};
  return no_json();
}

/// A byte of a text or name that stays inside its quotes.
inline Prediction predict_text(std::string_view token, std::size_t offset, const TokenAt& at, bool is_subject) {
  if (!is_utf8(token)) return {RuleId::text_is_utf8};
  if (at.token == Token::name) {
    if (at.absence) return {*at.absence};
    return {RuleId::fields_are_listed};
  }
  switch (at.kind) {
    case TextKind::event_name: return {RuleId::event_is_listed};
    case TextKind::listed_value: return {RuleId::values_are_listed};
    case TextKind::free: break;
    default:
      if (is_read(at.kind, token)) return {};
      if (names_another_moment(token, offset)) return {RuleId::days_and_times_exist};
      return {at.kind == TextKind::timestamp ? RuleId::date_can_be_read : RuleId::fields_have_their_form};
  }
  if (is_subject) return {RuleId::connection_is_among_those_of_the_customer};
  return {};
}

/// Whether the id at `at` is that of the event's connection, if the event says that it is among all connections.
template <class T>
[[nodiscard]] bool names_subject(const T& event, std::string_view original, const TokenAt& at) {
  if constexpr (std::is_same_v<T, BankConnectionsUpdateV2>) {
    return at.is_connection_id && event.event_type != ConnectionEventType::delete_ &&
           original.substr(at.begin, at.end - at.begin) == event.connection.id;
  } else {
    return false;
  }
}

}  // namespace bankhook::test::detail

namespace bankhook::test {

/// @param original what `serialize` wrote from `event`
/// @param payload the same with the byte at `offset` replaced
template <class T>
[[nodiscard]] Prediction predict(const T& event, std::string_view original, std::string_view payload, std::size_t offset) {
  const TokenAt at = token_at<T>(original, offset);
  const char now = payload[offset];
  const std::string_view token = payload.substr(at.begin, at.end - at.begin);
  if (at.token == Token::punctuation || at.token == Token::null) return detail::no_json();
  if (at.token == Token::number) return detail::predict_number(token, offset - at.begin);
  if (now == '\\' || at.in_escape) return {};  // or it breaks: nothing is predicted
  if (now == '"' || static_cast<unsigned char>(now) < 0x20) return {RuleId::payload_is_json_object};
  return detail::predict_text(token, offset - at.begin, at, detail::names_subject(event, original, at));
}

}  // namespace bankhook::test
