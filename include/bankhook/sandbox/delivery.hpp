// SPDX-License-Identifier: MIT
// A delivery, the label of its fault if there is one, and what faults do to the bytes of a payload.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/sandbox/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// What a sandbox does to deliveries, in the order of the fields of Faults.
enum class FaultKind : std::uint8_t { duplicate, reorder, drop, truncate, mutate, future };

/// How a consumer can detect a fault.
enum class DetectedBy : std::uint8_t {
  nothing,    ///< neither `diagnose` nor a tracker reports anything about the delivery
  rule,       ///< it breaks a rule of the catalogue
  repeat,     ///< it contains nothing new about its connection or transaction
  lifecycle,  ///< the lifecycle excludes it now: a `create` or `created` of a known key, or an event after the last one
};

/// What a consumer can notice at one delivery: the first thing that this library reports. Other findings may come with it.
struct Detectable {
  DetectedBy detected_by = DetectedBy::nothing;
  RuleId rule{};  ///< if `detected_by` is rule

  constexpr bool operator==(const Detectable&) const = default;
  constexpr explicit operator bool() const { return detected_by != DetectedBy::nothing; }
};

/// The stable id of the rule, else the name of what it is detected by. Static storage.
[[nodiscard]] constexpr std::string_view to_string(const Detectable& detectable) {
  return detectable.detected_by == DetectedBy::rule ? rule_of(detectable.rule).id() : name_of(detectable.detected_by);
}

/// The label of one delivery. If the first event of a connection or transaction was lost, damaged or held back, and only a
/// later event shows it, it is the label of that delivery: `number` then differs from the delivery's.
struct Fault {
  FaultKind kind{};
  std::uint64_t number = 0;   ///< number of the event that was touched, counted from 0
  std::string_view what{};    ///< what was done to it, in a few words; static storage
  std::string_view field{};   ///< of what is not listed: wire name of the field that has it, or is it; static storage
  std::size_t offset = 0;     ///< where in its payload, in bytes: of the cut, the byte, the value; else 0
  std::uint32_t late_by = 0;  ///< how many events a duplicate or a late delivery waited for
  /// What can be noticed at the delivery that has this label: what `diagnose` reports first of damaged bytes, else what a
  /// tracker reports that was given every delivery before it, and nothing but deliveries.
  Detectable detectable{};

  constexpr bool operator==(const Fault&) const = default;
};

/// The bytes that reach the consumer, and how they differ from what the service meant. Views into the sandbox, valid until
/// its next call.
struct Delivery {
  std::string_view payload{};    ///< what the consumer gets
  std::string_view original{};   ///< the payload of the same event as the service meant it
  std::uint64_t number = 0;      ///< number of the event in the history, counted from 0; a gap is a drop
  std::optional<Fault> fault{};  ///< nothing if neither this delivery nor an earlier one that shows here was touched
};

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace sandbox {

/// Cuts the payload anywhere: at least the closing brace is gone.
inline void truncate(Random& random, std::string& payload, Fault& fault) {
  fault.what = "cut";
  fault.offset = random.below(payload.size());
  payload.resize(fault.offset);
}

/// Replaces one byte of a payload by another: a printable one in three of four draws, a digit or a quote among them often;
/// else any.
inline void mutate(Random& random, std::string& payload, Fault& fault) {
  static constexpr std::string_view likely = "0123456789\"\\{}[]:,. -abcdefnrtuxXZ_";
  fault.what = "one byte replaced";
  fault.offset = random.below(payload.size());
  const char before = payload[fault.offset];
  while (payload[fault.offset] == before) {
    payload[fault.offset] = random.one_in(4)   ? static_cast<char>(random.below(256))
                            : random.one_in(2) ? random.pick(likely)
                                               : static_cast<char>(random.between(' ', '~'));
  }
}

/// Makes the payload one that a later version of the service may send: another event, field or value.
inline void from_future(AnyEvent event, Random& random, std::string& payload, Fault& fault) {
  static constexpr std::string_view news = "sandboxFuture";
  static constexpr std::string_view values[] = {"null", "true", "[1,2.5]", "{\"deep\":[{}]}", "\"\\u00e9\"", "-1e3"};
  const std::uint32_t draw = random.below(3);
  if (draw == 0) {  // the name goes on where it ended
    fault.what = "an event that is not listed";
    fault.field = reflect::name_of_field<&BankConnectionsUpdateV2::event>.view();
    fault.offset = payload.find("\",");
    payload.insert(fault.offset, "_sandbox_future");
  } else if (draw == 1) {  // first in one of the objects. No text of a payload holds a brace
    fault.what = "a field that is not listed";
    fault.field = news;
    const auto objects = static_cast<std::uint64_t>(std::count(payload.begin(), payload.end(), '{'));
    for (std::uint32_t left = random.below(objects) + 1; left > 0; --left)
      fault.offset = payload.find('{', fault.offset) + 1;
    payload.insert(fault.offset, std::string("\"").append(news).append("\":").append(random.pick(values)).append(","));
  } else {
    fault.what = "a value that is not listed";
    const bool is_reason = random.one_in(2);
    if (auto* const bank = std::get_if<BankConnectionsUpdateV2>(&event)) {
      fault.field = reflect::name_of_field<&BankConnectionsUpdateV2::event_type>.view();
      bank->event_type = OpenEnum<ConnectionEventType>::of(news);
    } else if (auto* const update = std::get_if<InitialTransactionUpdate>(&event)) {
      InitialTransaction& said = update->initial_transaction;
      if (is_reason && said.rejection_reason) {
        fault.field = reflect::name_of_field<&InitialTransaction::rejection_reason>.view();
        said.rejection_reason = OpenEnum<RejectionReason>::of(news);
      } else {  // the status says the same as the type, so that only the value is new
        fault.field = reflect::name_of_field<&InitialTransaction::status>.view();
        update->event_type = said.status = OpenEnum<TransactionStatus>::of(news);
      }
    }
    payload = serialize(event);
  }
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::sandbox
