// SPDX-License-Identifier: MIT
// A payload, right or broken, is checked against the tables: every field of every struct, without stopping at a fault.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events/codec_event.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/events/rules/validated_text.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/read/parse_context.hpp>
#include <bankhook/json/recover/describe.hpp>
#include <bankhook/json/recover/recovering_reader.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/timestamp.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// Reads a payload into structs as far as it can be read and collects what is wrong. Values are read by the codecs of the
/// quick reader, so that both evaluate them alike.
class Validator : public ValidatedText {
 public:
  Validator(std::string_view text, Arena& arena, RuleFilter wanted) : ValidatedText(text, arena, wanted) {}

  /// Reads the whole text as an object of the table `T`.
  template <class T>
  void read_all(T& out) {
    skip_byte_order_mark();
    reader_.skip_space();
    if (reader_.p == reader_.in.end) return reader_.end_of_text(reader_.p);
    if (*reader_.p == '{') {
      read_object(out);
    } else {
      fault({.code = Errc::expected_object}, reader_.p, RuleId::payload_is_json_object, "1");
      if (json::begins_value(reader_.p, reader_.in.end)) reader_.skip_value();
      else read_first_object(out);
    }
    reader_.skip_space();
    if (!reader_.ended && reader_.p < reader_.in.end) reader_.fault(Errc::trailing_text, reader_.p);
  }

 private:
  void skip_byte_order_mark() {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (!text_.starts_with(mark)) return;
    byte_order_mark();
    reader_.p += mark.size();
  }

  /// The payload after something that is no JSON.
  template <class T>
  void read_first_object(T& out) {
    reader_.p = std::find(reader_.p, reader_.in.end, '{');
    if (reader_.p < reader_.in.end) read_object(out);
  }

  template <class T>
  void read_object(T& out) {
    json::Container object = reader_.open();
    SeenFields<T> fields;
    json::Name name;
    while (reader_.next_field(object, name)) read_field(out, name, fields);
    if (object.is_closed && object.is_whole) evaluate_absent(fields);
    evaluate_resource(out, fields);
    reader_.close(object);
  }

  template <class T>
  void read_field(T& out, const json::Name& name, SeenFields<T>& fields) {
    const std::size_t index = name.is_good ? find_field<T>(name) : reflect::field_count<T>;
    if (index >= reflect::field_count<T>) {
      if (name.is_good) unlisted<T>(name);
      return reader_.skip_value();
    }
    if (fields.has(index)) {
      fault({.code = Errc::repeated_field}, name.at, RuleId::field_names_are_unique, {});
      return reader_.skip_value();
    }
    fields.add(index, offset(reader_.p));
    const std::size_t rejected = findings_.rejected();
    reflect::for_each_field<T>([&]<std::size_t I>() {
      if (I == index) read_value(reflect::field<I>(out), section_of<T>);
      return I != index;
    });
    if constexpr (std::is_same_v<T, Envelope>) {
      if (event_index(out.event) < known_events) reader_.stop();  // it is read as that event
    }
    was_read(fields, index, findings_.rejected() == rejected);
  }

  /// The index of the member with this name; at least their number if no member has it.
  template <class T>
  [[nodiscard]] std::size_t find_field(const json::Name& name) {
    const std::size_t index = json::detail::find_key(reader_.in, name.at, json::detail::names<T>);
    return index < reflect::field_count<T> ? index : json::detail::lookup<T>.find(name.text);
  }

  template <class T>
  void read_value(T& out, std::string_view section, bool or_null = false) {
    const char* const p = reader_.p;
    if (json::ends_in_word(p, reader_.in.end) || p == reader_.in.end) return reader_.end_of_text(p);
    if constexpr (reflect::OptionalValue<T>) {
      if (!json::null_at(reader_.in, p)) return read_value(out.emplace(), section, base::is_nullable<T>);
      constexpr bool takes_null = base::is_nullable<T> || base::is_nullable<typename T::value_type>;
      if (!takes_null) fault_of<typename T::value_type>(RuleId::null_is_not_absent, section);
      out.reset();
      reader_.p += 4;
    } else if (!begins<T>()) {
      report_type<T>(section, or_null);
    } else if (reader_.opens_too_deep()) {
      reader_.skip_too_deep();
    } else if constexpr (reflect::Array<T>) {
      read_array(out, section);
    } else if constexpr (reflect::Structure<T>) {
      read_object(out);
    } else {
      read_plain(out, section, or_null);
    }
  }

  /// Whether a value of the kind of `T` begins at the position.
  template <class T>
  [[nodiscard]] bool begins() const {
    constexpr char opener = json::Codec<T>::opener;
    return opener != '\0' ? *reader_.p == opener : json::kind_of(*reader_.p) == "number";
  }

  template <class T>
  void fault_of(RuleId rule, std::string_view section, bool or_null = false) {
    fault({.code = json::Codec<T>::expected, .or_null = or_null}, reader_.p, rule, section);
  }

  /// Another kind of value stands there, or none; it is skipped.
  template <class T>
  void report_type(std::string_view section, bool or_null) {
    if (json::begins_value(reader_.p, reader_.in.end)) {
      fault_of<T>(RuleId::fields_have_their_type, section, or_null);
      reader_.skip_value();
    } else {
      fault_of<T>(RuleId::payload_is_json_object, "1", or_null);
      reader_.skip_junk();
    }
  }

  /// Elements are kept as long as all are right: rules look at whole arrays only.
  template <class T>
  void read_array(std::span<const T>& out, std::string_view section) {
    ++arrays_;
    json::Container array = reader_.open();
    const std::size_t rejected = findings_.rejected();
    json::ArrayBuilder<T> elements(reader_.in.arena, 1);
    while (reader_.next_element(array)) {
      T apart{};
      T* const kept = findings_.rejected() == rejected ? elements.add() : nullptr;
      read_value(kept != nullptr ? *kept : apart, section);
    }
    out = elements.finish();
    reader_.close(array);
    --arrays_;
  }

  /// A text or number, by the quick reader's own codec. Where the syntax is at fault, skipping it says so.
  template <class T>
  void read_plain(T& out, std::string_view section, bool or_null) {
    auto& in = reader_.in;
    in.error = {};
    json::RememberedLength length;
    const char* const next = json::read_value(in, reader_.p, out, length);
    if (next != nullptr && next <= in.end) {
      if constexpr (std::is_same_v<T, LocalTimestamp>) {
        if (out.fraction_digits() != LocalTimestamp::spelled_digits) other_digits(reader_.p, section);
      }
      reader_.p = next;
      return;
    }
    const Error error = in.error;
    const RuleId rule = rule_of(error.code);
    if (rule != RuleId::payload_is_json_object && rule != RuleId::text_is_utf8) {
      const std::string_view of = rule == RuleId::numbers_can_be_held ? "" : section;
      fault({.code = error.code, .or_null = or_null}, in.begin + error.offset, rule, of);
    }
    reader_.skip_value();
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::detail
