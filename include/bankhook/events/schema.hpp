// SPDX-License-Identifier: MIT
// The events and resources as JSON Schema 2020-12, and the service's messages as AsyncAPI 3: text derived from the structs.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/version.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/json/field_table.hpp>
#include <bankhook/json/schema.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI::detail {

using FieldNames = std::initializer_list<std::string_view>;

/// `"properties":{"<field>":<schema>,...}`: all these fields have one schema.
[[nodiscard]] inline std::string properties(FieldNames names, std::string_view schema) {
  std::string text = R"("properties":)";
  for (const std::string_view name : names)
    text.append(name == *names.begin() ? "{\"" : ",\"").append(name).append("\":").append(schema);
  return text + "}";
}

/// `"then"` requires these fields, `"else"` allows none of them.
[[nodiscard]] inline std::string presence(FieldNames names) {
  std::string text = properties(names, "true") + R"(,"required":)";
  for (const std::string_view name : names) text.append(name == *names.begin() ? "[\"" : ",\"").append(name).append("\"");
  return text + R"(]},"else":{)" + properties(names, "false");
}

[[nodiscard]] inline std::string constant(std::string_view text) {
  return std::string(R"({"const":")").append(text).append("\"}");
}

/// 6.3, 2.4: the place field (if its name is known) and storeName are present exactly when storeExternalId is null; a
/// rejected transaction has a reason.
[[nodiscard]] inline std::string transaction_rules() {
  using T = InitialTransaction;
  const std::string_view place = reflect::name_of_field<&T::place_id>.view();
  const std::string_view store = reflect::name_of_field<&T::store_name>.view();
  const std::string rejected = constant(OpenEnum(TransactionStatus::rejected).text());
  return R"(,"allOf":[{"if":{)" + properties({reflect::name_of_field<&T::store_external_id>.view()}, R"({"type":"null"})") +
         R"(},"then":{)" + (place_id_is_named<> ? presence({place, store}) : presence({store})) + R"(}},{"if":{)" +
         properties({reflect::name_of_field<&T::status>.view()}, rejected) + R"(},"then":{)" +
         properties({reflect::name_of_field<&T::rejection_reason>.view()}, R"({"type":"string"})") + "}}]";
}

/// 6.3: status equals eventType. One condition a value, so that a validator names the field that differs.
[[nodiscard]] inline std::string status_rule() {
  using T = InitialTransactionUpdate;
  std::string text = R"(,"allOf":[)";
  for (const std::string_view status : reflect::enumerator_texts<TransactionStatus>) {
    const std::string same = R"({"type":"object",)" +
                             properties({reflect::name_of_field<&InitialTransaction::status>.view()}, constant(status)) +
                             "}";
    text += R"({"if":{)" + properties({reflect::name_of_field<&T::event_type>.view()}, constant(status)) + R"(},"then":{)" +
            properties({reflect::name_of_field<&T::initial_transaction>.view()}, same) + "}},";
  }
  text.back() = ']';
  return text;
}

/// The stated rules that a schema can express. A template, so that what only includes this has no tables made.
template <class = void>
void append_rules(std::string& text, const json::FieldTable& table) {
  if (&table == &json::field_table<InitialTransaction>) text += transaction_rules();
  if (&table == &json::field_table<InitialTransactionUpdate>) text += status_rule();
  // 6.3: only id and externalId are present.
  if (&table == &json::field_table<Customer>) text += R"(,"additionalProperties":false)";
}

[[nodiscard]] inline std::string json_schema_of(const json::FieldTable& table, json::SchemaText out) {
  out.text = R"({"$schema":"https://json-schema.org/draft/2020-12/schema",)";
  out.write_fields(table);
  if (out.owes()) {
    out.text.append(R"(,"$defs":{)");
    out.write_definitions();
    out.text.append("}");
  }
  return std::move(out.text) + "}";
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// The JSON Schema (2020-12) of an event or a resource, minified. Unlisted fields are allowed, only listed values are,
/// and the `stated` rules of 6.3 are in it. In three respects it is as narrow as `parse`, although the specification
/// leaves more open: dates and times have the forms that are read, counts are whole numbers from 0, and the fields that
/// section 6 lists are required.
template <reflect::Aggregate T>
[[nodiscard]] std::string json_schema() {
  static_assert(!std::is_same_v<T, UnknownEvent>, "an_unknown_event_has_no_json_schema");
  return detail::json_schema_of(json::field_table<T>, {"#/$defs/", detail::append_rules<>});
}

/// The events as an AsyncAPI 3.0 document, minified: the service sends, the application that the document describes
/// receives. Address, servers, security and content type of the deliveries are not shown (4, 5, 6), so the document names
/// none.
template <class = void>
[[nodiscard]] std::string asyncapi() {
  json::SchemaText out("#/components/schemas/", detail::append_rules<>);
  std::string channel;
  const auto add = [&](std::string_view name, const json::ValueType& event) {
    const std::string_view before = channel.empty() ? "\"" : ",\"";
    channel.append(before).append(name).append(R"(":{"$ref":"#/components/messages/)").append(name).append("\"}");
    out.text.append(before).append(name).append(R"(":{"name":")").append(name).append(R"(","payload":)");
    out.write(event);
    out.text.append("}");
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (add(reflect::type_wire_name<std::variant_alternative_t<I, AnyEvent>>.view(),
         json::value_type<std::variant_alternative_t<I, AnyEvent>>),
     ...);
  }(std::make_index_sequence<std::variant_size_v<AnyEvent> - 1>());
  const std::string messages = std::exchange(out.text, {});
  out.write_definitions();
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
