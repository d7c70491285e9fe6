// SPDX-License-Identifier: MIT
// What is done to the bytes of a payload: it is cut, one byte is replaced, or something is added from the future.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/reflect/contained.hpp>
#include <bankhook/reflect/field_path.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/sandbox/random.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// What was done. The views have static storage.
struct Mutation {
  std::string_view what{};
  std::size_t offset = 0;
  std::string_view field{};  ///< wire name, or empty
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox

namespace bankhook::inline BANKHOOK_ABI::sandbox::detail {

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

/// Where the text ends whose first quote is at `open`: the offset of its last quote.
constexpr std::size_t end_of_text(std::string_view json, std::size_t open) {
  std::size_t at = open + 1;
  while (json[at] != '"') at += json[at] == '\\' ? 2U : 1U;
  return at;
}

/// The name of the innermost field around the byte at `offset`, in its name or its value, of a minified payload; empty for
/// the braces around all of them.
[[nodiscard]] inline std::string_view field_at(std::string_view json, std::size_t offset) {
  std::vector<std::string_view> around;  // the fields whose values are open
  std::string_view field;                // the one of the last name
  for (std::size_t at = 0; at <= offset; ++at) {
    const char c = json[at];
    if (c == '"') {
      const std::size_t end = end_of_text(json, at);
      if (json[end + 1] == ':') field = json.substr(at + 1, end - at - 1);
      at = end;
    }
    if (c == '{' || c == '[') around.push_back(field);
    if (c == '}' || c == ']' || c == ',') field = around.back();
    if (c == '}' || c == ']') around.pop_back();
  }
  return field;
}

/// The name as `T` or a struct that it contains has it: in static storage. Empty if none of them has such a field.
template <class T>
[[nodiscard]] constexpr std::string_view listed_name(std::string_view name) {
  std::string_view found;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    using Inner = reflect::StructIn<reflect::FieldType<T, I>>;
    if (name == reflect::wire_name<T, I>.view()) found = reflect::wire_name<T, I>.view();
    if constexpr (!std::is_void_v<Inner>) {
      if (found.empty()) found = listed_name<Inner>(name);
    }
    return found.empty();
  });
  return found;
}

/// The wire name of a member: its path in its own struct, without `$.`.
template <auto Member>
inline constexpr std::string_view wire_name_of = reflect::name_of_field<Member>.view();

/// What no version of the specification has.
inline constexpr std::string_view future_value = "sandboxFuture";

/// The value of `Member` is not listed any more.
template <auto Member>
Mutation another_value() {
  return {"a value that is not listed", 0, wire_name_of<Member>};
}

template <class T>
Mutation change_value(T& event, bool) {
  event.event_type = decltype(event.event_type)::of(future_value);
  return another_value<&T::event_type>();
}
/// The status says the same as the type, so that only the value is new.
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
  return {"an event that is not listed", end, wire_name_of<&T::event>};
}

/// A field that is not listed, first in one of the objects. No text of a payload holds a brace.
inline Mutation add_field(Random& random, std::string& payload) {
  static constexpr std::string_view values[] = {"null", "true", "[1,2.5]", "{\"deep\":[{}]}", "\"\\u00e9\"", "-1e3"};
  const auto objects = static_cast<std::uint32_t>(std::count(payload.begin(), payload.end(), '{'));
  const std::uint32_t object = random.below(objects);
  std::size_t at = 0;
  for (std::uint32_t met = 0; met <= object; ++met) at = payload.find('{', at) + 1;
  std::string added = "\"";
  added.append(future_value).append("\":").append(random.pick(values)).append(",");
  payload.insert(at, added);
  return {"a field that is not listed", at, future_value};
}

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox::detail

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// Cuts the payload anywhere: at least the closing brace is gone.
inline Mutation truncate(Random& random, std::string& payload) {
  const std::size_t left = random.below(static_cast<std::uint32_t>(payload.size()));
  payload.resize(left);
  return {"cut", left};
}

/// Replaces one byte of a payload, which was made of `event`, by another.
template <std::same_as<AnyEvent> Any>
Mutation mutate(const Any& event, Random& random, std::string& payload) {
  const std::size_t offset = random.below(static_cast<std::uint32_t>(payload.size()));
  const std::string_view name = detail::field_at(payload, offset);
  const std::string_view field = std::visit([&]<class T>(const T&) { return detail::listed_name<T>(name); }, event);
  payload[offset] = detail::draw_byte(random, payload[offset]);
  return {"one byte replaced", offset, field};
}

/// Makes the payload one that a later version of the service may send.
template <std::same_as<AnyEvent> Any>
Mutation from_future(const Any& made_of, Random& random, std::string& payload) {
  return std::visit(
      [&]<class T>(T event) {
        if constexpr (std::is_same_v<T, UnknownEvent>) return Mutation{};
        else {
          const std::uint32_t draw = random.below(3);
          if (draw == 0) return detail::change_name(event, payload);
          if (draw == 1) return detail::add_field(random, payload);
          const Mutation mutation = detail::change_value(event, random.one_in(2));
          payload.clear();
          serialize_to(event, payload);
          return mutation;
        }
      },
      made_of);
}

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
