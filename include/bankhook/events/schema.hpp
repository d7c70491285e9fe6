// SPDX-License-Identifier: MIT
// The events and resources as JSON Schema 2020-12, and the service's messages as AsyncAPI 3: text derived from the structs.
#pragma once

#include <bankhook/base/place_id.hpp>
#include <bankhook/base/version.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/json/schema/schema.hpp>
#include <bankhook/reflect/field_path.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// `"properties":{"<field>":<schema>,...}`: all these fields have one schema.
template <auto... Field>
constexpr void write_properties(json::SchemaText& out, std::string_view schema) {
  std::string_view before = "";
  out.text.append(R"("properties":{)");
  ((out.text.append(before), out.quote(reflect::name_of_field<Field>.view()), out.text.append(":").append(schema),
    before = ","),
   ...);
  out.text.append("}");
}

/// `"required":["<field>",...]`.
template <auto... Field>
constexpr void write_required(json::SchemaText& out) {
  std::string_view before = "";
  out.text.append(R"("required":[)");
  ((out.text.append(before), out.quote(reflect::name_of_field<Field>.view()), before = ","), ...);
  out.text.append("]");
}

/// `"then"` requires these fields, `"else"` allows none of them.
template <auto... Field>
constexpr void write_presence(json::SchemaText& out) {
  write_properties<Field...>(out, "true");
  out.text.append(",");
  write_required<Field...>(out);
  out.text.append(R"(},"else":{)");
  write_properties<Field...>(out, "false");
}

constexpr std::string constant(std::string_view text) { return std::string(R"({"const":")").append(text).append("\"}"); }

/// 6.3, 2.4: the place field (if its name is known) and storeName are present exactly when storeExternalId is null; a
/// rejected transaction has a reason.
template <class T>
constexpr void write_transaction_rules(json::SchemaText& out) {
  constexpr auto rejected = reflect::enumerator_wire_name<TransactionStatus, 2>;
  static_assert(static_cast<std::size_t>(TransactionStatus::rejected) == 2);
  out.text.append(R"(,"allOf":[{"if":{)");
  write_properties<&T::store_external_id>(out, R"({"type":"null"})");
  out.text.append(R"(},"then":{)");
  if (place_id_is_named<>) write_presence<&T::place_id, &T::store_name>(out);
  else write_presence<&T::store_name>(out);
  out.text.append(R"(}},{"if":{)");
  write_properties<&T::status>(out, constant(rejected.view()));
  out.text.append(R"(},"then":{)");
  write_properties<&T::rejection_reason>(out, R"({"type":"string"})");
  out.text.append("}}]");
}

/// 6.3: status equals eventType. One condition a value, so that a validator names the field that differs.
constexpr void write_status_rule(json::SchemaText& out) {
  using T = InitialTransactionUpdate;
  std::string_view before = "";
  out.text.append(R"(,"allOf":[)");
  for (const std::string_view status : reflect::enumerator_texts<TransactionStatus>) {
    json::SchemaText same;
    same.text = R"({"type":"object",)";
    write_properties<&InitialTransaction::status>(same, constant(status));
    same.text.append("}");
    out.text.append(before).append(R"({"if":{)");
    write_properties<&T::event_type>(out, constant(status));
    out.text.append(R"(},"then":{)");
    write_properties<&T::initial_transaction>(out, same.text);
    out.text.append("}}");
    before = ",";
  }
  out.text.append("]");
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI::json {

template <>
inline constexpr auto further_keywords<InitialTransaction> =
    [](SchemaText& out) { bankhook::detail::write_transaction_rules<InitialTransaction>(out); };
template <>
inline constexpr auto further_keywords<InitialTransactionUpdate> =
    [](SchemaText& out) { bankhook::detail::write_status_rule(out); };
/// 6.3: only id and externalId are present.
template <>
inline constexpr auto further_keywords<Customer> =
    [](SchemaText& out) { out.text.append(R"(,"additionalProperties":false)"); };

}  // namespace bankhook::inline BANKHOOK_ABI::json

namespace bankhook::inline BANKHOOK_ABI {

/// The JSON Schema (2020-12) of an event or a resource, minified. Unlisted fields are allowed, only listed values are,
/// and the `stated` rules of 6.3 are in it. In three respects it is as narrow as `parse`, although the specification
/// leaves more open: dates and times have the forms that are read, counts are whole numbers from 0, and the fields that
/// section 6 lists are required.
template <reflect::Aggregate T>
[[nodiscard]] std::string json_schema() {
  static_assert(!std::is_same_v<T, UnknownEvent>, "an_unknown_event_has_no_json_schema");
  json::SchemaText out;
  out.text = R"({"$schema":"https://json-schema.org/draft/2020-12/schema",)";
  json::Schema<T>::fields(out);
  if (!out.owed.empty()) {
    out.text.append(R"(,"$defs":{)");
    json::write_definitions(out);
    out.text.append("}");
  }
  return std::move(out.text) + "}";
}

/// The events as an AsyncAPI 3.0 document, minified: the service sends, the application that the document describes
/// receives. Address, servers, security and content type of the deliveries are not shown (4, 5, 6), so the document names
/// none.
template <class = void>
[[nodiscard]] std::string asyncapi() {
  json::SchemaText out;
  out.definitions = "#/components/schemas/";
  std::string channel, messages;
  std::string_view before = "";
  const auto add = [&]<class T>() {
    constexpr std::string_view name = reflect::type_wire_name<T>.view();
    channel.append(before)
        .append("\"")
        .append(name)
        .append(R"(":{"$ref":"#/components/messages/)")
        .append(name)
        .append("\"}");
    out.text.append(before).append("\"").append(name).append(R"(":{"name":")").append(name).append(R"(","payload":)");
    json::Schema<T>::write(out);
    out.text.append("}");
    before = ",";
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (add.template operator()<std::variant_alternative_t<I, AnyEvent>>(), ...);
  }(std::make_index_sequence<std::variant_size_v<AnyEvent> - 1>());
  messages = std::exchange(out.text, {});
  json::write_definitions(out);
  return std::string(R"({"asyncapi":"3.0.0","info":{"title":"Webhook events","version":")")
      .append(library_version)
      .append(R"("},"channels":{"webhook":{"address":null,"messages":{)")
      .append(channel)
      .append(R"(}}},"operations":{"receive":{"action":"receive","channel":{"$ref":"#/channels/webhook"}}},)")
      .append(R"("components":{"messages":{)")
      .append(messages)
      .append(R"(},"schemas":{)")
      .append(out.text)
      .append("}}}");
}

}  // namespace bankhook::inline BANKHOOK_ABI
