// SPDX-License-Identifier: MIT
// The events and resources as JSON Schema 2020-12, and the messages as AsyncAPI 3: text written from the tables of fields.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/version.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/json/field_table.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

using json::FieldRow;
using json::FieldTable;
using json::ValueType;

/// The form of a quoted value as a regular expression that matches exactly what is read: days that exist, and clock times;
/// empty if it has none. Validators check `format` only on request, and `pattern` always. The patterns keep to what
/// ECMA-262, RE2, Rust and Python read alike: classes, groups, alternatives, counts and anchors. Backslashes are doubled:
/// this is JSON.
[[nodiscard]] inline std::string pattern_of(const ValueType& type) {
  constexpr std::string_view clock = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]", fraction = "\\\\.[0-9]{1,9}";
  const std::string a_year = "([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)";  // 0001 to 9999
  const std::string four_to_ninety_six = "(0[48]|[2468][048]|[13579][26])";           // 04, 08 ... 96
  std::string pattern = "(" + a_year +
                        "-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
                        "|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
                        "|02-(0[1-9]|1[0-9]|2[0-8]))"
                        "|([0-9]{2}" +
                        four_to_ninety_six + "|" + four_to_ninety_six + "00)-02-29)";
  using enum ValueType::Kind;
  if (type.kind == form) return std::string(type.text);
  if (type.kind == local_timestamp) pattern.append(" ").append(clock).append(fraction);
  if (type.kind == timestamp)
    pattern.append("T").append(clock).append("(").append(fraction).append(")?(Z|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)?");
  return type.kind == date || type.kind == local_timestamp || type.kind == timestamp ? pattern : std::string();
}

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

[[nodiscard]] inline std::string constant(std::string_view text) { return R"({"const":")" + std::string(text) + "\"}"; }

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

/// Schemas that are being written: the text, where definitions are found, and those that are still owed. A template, so
/// that what only includes this has no tables made.
template <class = void>
class SchemaText {
 public:
  using Kind = ValueType::Kind;

  explicit SchemaText(std::string_view definitions) : definitions_(definitions) {}

  std::string text{};

  /// Appends a JSON string; only for texts of the library, which need no escapes.
  void quote(std::string_view plain) { text.append("\"").append(plain).append("\""); }

  /// Appends the schema of a value. A struct is defined once and referred to.
  void write(const ValueType& type, bool or_null = false) {
    if (type.is_optional()) return write(*type.inner, or_null || type.kind == Kind::nullable);
    if (type.kind == Kind::object) {
      const std::string name = owe(*type.table);
      text.append(or_null ? R"({"anyOf":[{"$ref":")" : R"({"$ref":")").append(definitions_).append(name);
      text.append(or_null ? R"("},{"type":"null"}]})" : "\"}");
    } else if (type.kind == Kind::tag) {
      text.append(or_null ? R"({"enum":[)" : R"({"type":"string","const":)");
      quote(type.text);
      text.append(or_null ? ",null]}" : "}");
    } else {
      text.append(or_null ? R"({"type":[)" : R"({"type":)");
      quote(type.kind == Kind::integer ? "integer" : type.json_type());
      if (or_null) text.append(R"(,"null"])");
      write_keywords(type, or_null);
      text.append("}");
    }
  }

  /// Appends the keywords of a struct's schema, the stated rules that a schema can express among them. Unlisted fields are
  /// allowed: no specification of the events forbids them.
  void write_fields(const FieldTable& table) {
    text.append(R"("title":)");
    quote(table.name);
    if (!table.section.empty()) text.append(R"(,"$comment":"section )").append(table.section).append("\"");
    describe(table.meaning);
    text.append(R"(,"type":"object","properties":{)");
    for (const FieldRow& field : table.fields) {
      quote(field.wire_name());
      text.append(":");
      write(*field.type);
      text.pop_back();  // the brace that ends the field's schema, whatever its type
      describe(meaning_of(field));
      text.append("},");
    }
    end_list(R"(},"required":[)");
    for (const FieldRow& field : table.fields) {
      if (field.may_be_absent()) continue;
      quote(field.wire_name());
      text.append(",");
    }
    end_list("]");
    if (&table == &json::field_table<InitialTransaction>) text += transaction_rules();
    if (&table == &json::field_table<InitialTransactionUpdate>) text += status_rule();
    // 6.3: only id and externalId are present.
    if (&table == &json::field_table<Customer>) text += R"(,"additionalProperties":false)";
  }

  /// Appends the definitions that are owed, and those that they need in turn, each once:
  /// `"Account":{...},"Connection":{...}`.
  void write_definitions() {
    for (std::size_t i = 0; i < owed_.size(); ++i) {
      text.append(i > 0 ? "," : "");
      quote(owed_[i].second);
      text.append(":{");
      write_fields(*owed_[i].first);
      text.append("}");
    }
  }

  [[nodiscard]] bool owes() const { return !owed_.empty(); }

 private:
  void write_keywords(const ValueType& type, bool or_null) {
    if (type.kind == Kind::array) {
      text.append(R"(,"items":)");
      write(*type.inner);
    } else if (type.kind == Kind::integer) {
      write_bounds(type);
    } else if (type.kind == Kind::decimal) {  // 38 digits before the point; no keyword counts those after it
      text.append(R"(,"exclusiveMinimum":-1e38,"exclusiveMaximum":1e38)");
    } else if (type.kind == Kind::enumeration) {
      text.append(R"(,"enum":[)");
      for (const std::string_view value : type.values) {
        quote(value);
        text.append(",");
      }
      end_list(or_null ? ",null]" : "]");
    } else if (const std::string pattern = pattern_of(type); !pattern.empty()) {
      // `format` is for dates alone: none is a local date and time, and `date-time` has no offsets without a colon, as ISO
      // 8601 has them.
      text.append(type.kind == Kind::date ? R"(,"format":"date","pattern":"^)" : R"(,"pattern":"^)")
          .append(pattern)
          .append("$\"");
    }
  }

  /// Both ends if it has less than 64 bits, else only that a count is not negative, because many readers of schemas cannot
  /// represent such numbers exactly, and the specification gives counts no other bound.
  void write_bounds(const ValueType& type) {
    const bool is_narrow = type.size < sizeof(std::int64_t);
    const std::int64_t most = is_narrow ? (std::int64_t{1} << (8 * type.size - (type.is_signed ? 1 : 0))) - 1 : 0;
    if (is_narrow || !type.is_signed) text.append(R"(,"minimum":)").append(std::to_string(type.is_signed ? -most - 1 : 0));
    if (is_narrow) text.append(R"(,"maximum":)").append(std::to_string(most));
  }

  /// The name of this definition: that of its struct, followed by a number if another struct took the name before.
  std::string owe(const FieldTable& table) {
    const auto known = std::ranges::find(owed_, &table, [](const auto& definition) { return definition.first; });
    if (known != owed_.end()) return known->second;
    std::string name(table.name);
    const auto is_taken = [&] { return std::ranges::any_of(owed_, [&](const auto& one) { return one.second == name; }); };
    for (int i = 2; is_taken(); ++i) name = std::string(table.name) + std::to_string(i);
    owed_.emplace_back(&table, name);
    return name;
  }

  void describe(std::string_view meaning) {
    if (!meaning.empty()) text.append(R"(,"description":")").append(meaning).append("\"");
  }

  /// Ends a list each of whose items is followed by a comma.
  void end_list(std::string_view end) {
    if (text.back() == ',') text.pop_back();
    text.append(end);
  }

  std::string_view definitions_;
  std::vector<std::pair<const FieldTable*, std::string>> owed_{};  ///< grows while definitions are written; has none twice
};

}}}  // namespace bankhook::BANKHOOK_ABI::detail

namespace bankhook { inline namespace BANKHOOK_ABI {

/// The JSON Schema (2020-12) of an event or a resource, minified. Unlisted fields are allowed, only listed values are,
/// and the `stated` rules of 6.3 are in it. In four respects it is as narrow as `parse`, although the specification
/// leaves more open: dates and times have the forms that are read, counts are whole numbers from 0, amounts have at most
/// 38 digits before the point, and the fields that section 6 lists are required.
template <detail::reflect::Aggregate T>
[[nodiscard]] std::string json_schema() {
  static_assert(!std::is_same_v<T, UnknownEvent>, "ask for the JSON Schema of an event that is listed");
  detail::SchemaText<> out("#/$defs/");
  out.text = R"({"$schema":"https://json-schema.org/draft/2020-12/schema",)";
  out.write_fields(detail::json::field_table<T>);
  if (out.owes()) {
    out.text.append(R"(,"$defs":{)");
    out.write_definitions();
    out.text.append("}");
  }
  return std::move(out.text) + "}";
}

/// The events as an AsyncAPI 3.0 document, minified: the service sends, the application that the document describes
/// receives. Address, servers, security and content type of the deliveries are not shown (4, 5, 6), so the document names
/// none.
template <class = void>
[[nodiscard]] std::string asyncapi() {
  detail::SchemaText<> out("#/components/schemas/");
  std::string channel;
  detail::find_event([&]<class Event>() {  // none of them is what is looked for
    const std::string_view name = detail::reflect::type_wire_name<Event>.view(), before = channel.empty() ? "\"" : ",\"";
    channel.append(before).append(name).append(R"(":{"$ref":"#/components/messages/)").append(name).append("\"}");
    out.text.append(before).append(name).append(R"(":{"name":")").append(name).append(R"(","payload":)");
    out.write(detail::json::value_type<Event>);
    out.text.append("}");
    return false;
  });
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

}}  // namespace bankhook::BANKHOOK_ABI
