// SPDX-License-Identifier: MIT
// A delivery, the label of its fault if there is one, and what faults do to the bytes of a payload.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/json/field_table.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/sandbox/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI {

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
  std::string_view field{};   ///< wire name of the field that was touched, or empty; static storage
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

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// The name of the innermost field around the byte at `offset`, in its name or its value, of a minified payload; empty for
/// the braces around all of them.
[[nodiscard]] inline std::string_view field_at(std::string_view json, std::size_t offset) {
  std::vector<std::string_view> around;  // the fields whose values are open
  std::string_view field;                // the one of the last name
  for (std::size_t at = 0; at <= offset; ++at) {
    const char c = json[at];
    if (c == '"') {
      const std::size_t open = at + 1;
      for (at = open; json[at] != '"'; ++at) at += json[at] == '\\';
      if (json[at + 1] == ':') field = json.substr(open, at - open);
    }
    if (c == '{' || c == '[') around.push_back(field);
    if (c == '}' || c == ']' || c == ',') field = around.back();
    if (c == '}' || c == ']') around.pop_back();
  }
  return field;
}

/// The name as the struct of this table or one that it contains has it: in static storage. Empty if none of them has it.
[[nodiscard]] constexpr std::string_view listed_name(const json::FieldTable& table, std::string_view name) {
  if (const json::FieldRow* const field = table.find(name)) return field->wire_name();
  std::string_view found;
  for (const json::FieldRow& field : table.fields) {
    const json::FieldTable* const inner = field.type->innermost().table;
    if (found.empty() && inner != nullptr) found = listed_name(*inner, name);
  }
  return found;
}

/// Cuts the payload anywhere: at least the closing brace is gone.
inline void truncate(Random& random, std::string& payload, Fault& fault) {
  fault.what = "cut";
  fault.offset = random.below(payload.size());
  payload.resize(fault.offset);
}

/// Replaces one byte of a payload, which was made of `event`, by another: a printable one in three of four draws, a digit
/// or a quote among them often; else any.
inline void mutate(const AnyEvent& event, Random& random, std::string& payload, Fault& fault) {
  static constexpr std::string_view likely = "0123456789\"\\{}[]:,. -abcdefnrtuxXZ_";
  fault.what = "one byte replaced";
  fault.offset = random.below(payload.size());
  const std::string_view name = field_at(payload, fault.offset);
  fault.field = std::visit([&]<class T>(const T&) { return listed_name(json::field_table<T>, name); }, event);
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

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
