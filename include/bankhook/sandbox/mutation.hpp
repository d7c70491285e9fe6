// SPDX-License-Identifier: MIT
// What is done to the bytes of a payload: cut, one byte replaced, something added from the future; each with what it shows.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/sandbox/fault.hpp>
#include <bankhook/sandbox/outgoing_event.hpp>
#include <bankhook/sandbox/random.hpp>
#include <bankhook/sandbox/replaced_byte.hpp>
#include <bankhook/sandbox/spot.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace bankhook::sandbox::detail {

/// A printable byte in three of four draws, a digit or a quote among them often; else any.
inline char draw_byte(Random& random, char other_than) {
  static constexpr std::string_view likely = "0123456789\"\\{}[]:,. -abcdefnrtuxXZ_";
  for (;;) {
    const char drawn = random.one_in(4)   ? static_cast<char>(random.below(256))
                       : random.one_in(2) ? likely[random.below(static_cast<std::uint32_t>(likely.size()))]
                                          : static_cast<char>(random.between(' ', '~'));
    if (drawn != other_than) return drawn;
  }
}

/// What no version of the specification has.
inline constexpr std::string_view future_value = "sandboxFuture";

/// The value of `Member` is not listed any more.
template <auto Member>
Mutation another_value() {
  return {breaks(RuleId::values_are_listed), Effect::altered, "a value that is not listed", 0, wire_name_of<Member>};
}

inline Mutation change_value(BankConnectionsUpdateV2& event, bool) {
  event.event_type = OpenEnum<ConnectionEventType>::of(future_value);
  return another_value<&BankConnectionsUpdateV2::event_type>();
}
inline Mutation change_value(InitialTransactionUpdate& event, bool reason) {
  if (reason && event.initial_transaction.rejection_reason) {
    event.initial_transaction.rejection_reason = OpenEnum<RejectionReason>::of(future_value);
    return another_value<&InitialTransaction::rejection_reason>();
  }
  event.event_type = event.initial_transaction.status = OpenEnum<TransactionStatus>::of(future_value);
  return another_value<&InitialTransaction::status>();
}

/// An event that is not listed: the name goes on where it ended.
template <class T>
Mutation change_name(const T&, std::string& payload) {
  const std::size_t end = payload.find(T{}.event.text()) + T{}.event.text().size();
  payload.insert(end, "_sandbox_future");
  return {breaks(RuleId::event_is_listed), Effect::ignored, "an event that is not listed", end, wire_name_of<&T::event>};
}

/// A member that is not listed, first in one of the objects. No text of a payload holds a brace.
template <class T>
Mutation add_member(const T&, Random& random, std::string& payload) {
  static constexpr std::string_view values[] = {"null", "true", "[1,2.5]", "{\"deep\":[{}]}", "\"\\u00e9\"", "-1e3"};
  const auto objects = static_cast<std::uint32_t>(std::ranges::count(payload, '{'));
  const std::uint32_t object = random.below(objects);
  std::size_t at = 0;
  for (std::uint32_t met = 0; met <= object; ++met) at = payload.find('{', at) + 1;
  std::string added = "\"";
  added.append(future_value).append("\":").append(random.pick(values)).append(",");
  payload.insert(at, added);
  const bool bare_customer = std::is_same_v<T, InitialTransactionUpdate> && object == 1;  // 6.3: only id and externalId
  return {breaks(bare_customer ? RuleId::customer_has_only_ids : RuleId::fields_are_listed), Effect::none,
          "a member that is not listed", at, future_value};
}

}  // namespace bankhook::sandbox::detail

namespace bankhook::sandbox {

/// Cuts the payload anywhere: at least the closing brace is gone.
inline Mutation truncate(Random& random, std::string& payload) {
  const std::size_t left = random.below(static_cast<std::uint32_t>(payload.size()));
  payload.resize(left);
  return {breaks(RuleId::payload_is_json_object), Effect::ignored, "cut", left};
}

/// Replaces one byte by another.
inline Mutation mutate(const OutgoingEvent& outgoing, Random& random, std::string& payload) {
  const std::size_t offset = random.below(static_cast<std::uint32_t>(payload.size()));
  return std::visit(
      [&]<class T>(const T& event) {
        const Spot spot = spot_at<T>(payload, offset);
        const bool is_subject = spot.is_connection_id && names_subject(event, payload, spot);
        payload[offset] = detail::draw_byte(random, payload[offset]);
        Mutation mutation = damage_of(payload, spot, offset, is_subject);
        mutation.offset = offset;
        mutation.field = spot.field;
        return mutation;
      },
      outgoing.event);
}

/// Makes the payload one that a later version of the service may send.
inline Mutation from_future(const OutgoingEvent& outgoing, Random& random, std::string& payload) {
  return std::visit(
      [&]<class T>(T event) {
        if constexpr (std::is_same_v<T, UnknownEvent>) return Mutation{};
        else {
          const std::uint32_t draw = random.below(3);
          if (draw == 0) return detail::change_name(event, payload);
          if (draw == 1) return detail::add_member(event, random, payload);
          const Mutation mutation = detail::change_value(event, random.one_in(2));
          payload.clear();
          serialize_to(event, payload);
          return mutation;
        }
      },
      outgoing.event);
}

}  // namespace bankhook::sandbox
