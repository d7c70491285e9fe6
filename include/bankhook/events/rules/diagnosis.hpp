// SPDX-License-Identifier: MIT
// A payload, right or broken, is compared with the tables of fields: every field, without stopping at a fault.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/events/rules/rule_table.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/json/field_table.hpp>
#include <bankhook/json/object_slow_path.hpp>
#include <bankhook/json/recover/path.hpp>
#include <bankhook/json/recover/recovering_reader.hpp>
#include <bankhook/json/tokens.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/number.hpp>
#include <bankhook/text/timestamp.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

using json::FieldRow;
using json::FieldTable;
using json::ValueType;

/// Reads a payload into structs by their tables of fields, as far as it can be read, and collects what is wrong. A
/// template, so that what only includes this has nothing of it made.
template <class = void>
class Diagnosis {
 public:
  Diagnosis(std::string_view text, Arena& arena, RuleFilter wanted)
      : text_(text), findings_(text, wanted), reader_(text, arena, SyntaxFault{this}) {}
  Diagnosis(const Diagnosis&) = delete;
  Diagnosis& operator=(const Diagnosis&) = delete;

  /// Reads the whole text as an object of this table.
  /// @param out an object of its struct, with the values that it has by default
  /// @param name if it is given, the event is not known yet: the table is that of the envelope, and reading stops after the
  ///        name of a known event, to be found here
  void read_all(const FieldTable& table, void* out, const std::string_view* name = nullptr) {
    name_ = name;
    reader_.p = json::skip_to_value(reader_.in);
    if (reader_.p == reader_.in.end) return reader_.end_of_text(reader_.p);
    if (*reader_.p == '{') {
      read_object(table, out);
    } else {
      report({.code = Errc::expected_object}, reader_.p, RuleId::payload_is_json_object, "1");
      if (json::begins_value(reader_.p, reader_.in.end)) reader_.skip_value();
      else {  // the payload after something that is not JSON
        while (reader_.p < reader_.in.end && *reader_.p != '{') ++reader_.p;
        if (reader_.p < reader_.in.end) read_object(table, out);
      }
    }
    reader_.skip_space();
    if (!reader_.ended && reader_.p < reader_.in.end) reader_.fault(Errc::trailing_text, reader_.p);
  }

  /// Holds `value`, which was read, to the rules between its fields, as far as those could be read.
  template <class T>
  void evaluate(const T& value) {
    const auto hold = [&]<std::size_t At>() {
      constexpr const auto& row = all_checks<T>[At].row;
      if constexpr (row.rule != RuleId::days_and_times_exist) {  // a day that was read exists, or is reported
        const Place* const place = find_good(json::field_table<T>, &value, row);
        if (place != nullptr && all_checks<T>[At].is_broken(value))
          report(row.rule, place->offset, row.section, row.expected, row.found, row.path.names);
      }
    };
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      (hold.template operator()<At>(), ...);
    }(std::make_index_sequence<all_checks<T>.size()>());
  }

  [[nodiscard]] std::vector<Finding> finish() { return findings_.finish(); }

 private:
  struct SyntaxFault {
    Diagnosis* diagnosis;
    void operator()(Errc code, const char* at) const {
      diagnosis->report({.code = code}, at, rule_of(code), rule_of(rule_of(code)).section);
    }
  };

  /// Where a field is, and whether it holds what the payload says, or is absent for certain.
  struct Place {
    const void* object;
    const FieldRow* field;
    std::size_t offset;
    bool is_good;
  };

  [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - reader_.in.begin); }

  /// Adds a finding at the reader's path, followed by `names`. A hostile payload may break a rule with every byte, so
  /// reading stops once no more can be listed.
  /// @param section that of the rule if it is empty
  void report(RuleId rule, std::size_t at, std::string_view section, std::string_view expected, std::string_view found,
              std::span<const std::string_view> names = {}) {
    if (Finding* const finding = findings_.add(rule, at)) {
      json::Path path = json::path_of(reader_.steps, names);
      finding->steps = std::move(path.steps);
      finding->path = std::move(path.text);
      if (!section.empty()) finding->section = section;
      finding->expected = expected;
      finding->found = found;
    }
    if (findings_.is_complete()) reader_.stop();
  }
  void report(Error error, const char* at, RuleId rule, std::string_view section) {
    error.offset = offset(at);
    report(rule, error.offset, section, expected_of(error), found_of(error, text_));
  }

  void read_object(const FieldTable& table, void* out) {
    json::Container object = reader_.open();
    const std::size_t before = places_.size();
    json::Name name;
    json::FieldMask seen = 0;
    while (reader_.next_field(object, name)) read_field(table, out, name, seen);
    if (object.is_closed && object.is_whole) evaluate_absent(table, out, seen);
    find_event([&]<class Event>() { return evaluate_part<Event>(table, out); });
    if (arrays_ > 0) places_.resize(before);
    reader_.close(object);
  }

  /// Evaluates an object of this table, if it is that of a struct in a `T`; whether it is.
  template <class T>
  bool evaluate_part(const FieldTable& table, const void* object) {
    bool is_found = false;
    reflect::for_each_struct_in<T>([&]<class Inner, std::size_t>() {
      static_assert(std::ranges::all_of(all_checks<Inner>, [](const auto& one) { return one.row.path.names.size() == 1; }),
                    "name fields of the resource itself in its rule");
      if (is_found) return;
      is_found = &table == &json::field_table<Inner>;
      if (is_found) evaluate(*static_cast<const Inner*>(object));
      else is_found = evaluate_part<Inner>(table, object);
    });
    return is_found;
  }

  void read_field(const FieldTable& table, void* out, const json::Name& name, json::FieldMask& seen) {
    const auto likely = static_cast<std::size_t>(std::countr_one(seen));
    const FieldRow* const field = name.is_good ? table.find(name.text, likely) : nullptr;
    if (field == nullptr) {
      if (name.is_good && name_ == nullptr) report_unlisted(table, offset(name.at));
      return reader_.skip_value();
    }
    const json::FieldMask bit = json::FieldMask{1} << (field - table.fields.data());
    if ((seen & bit) != 0) {
      report({.code = Errc::repeated_field}, name.at, RuleId::field_names_are_unique, {});
      return reader_.skip_value();
    }
    seen |= bit;
    const std::size_t index = places_.size(), rejected = findings_.rejected();
    places_.push_back({out, field, offset(reader_.p), false});
    read_value(*field->type, field->of(out), table.section);
    if (name_ != nullptr && event_index(*name_) < known_events) reader_.stop();  // it is read as that event
    places_[index].is_good = findings_.rejected() == rejected;
  }

  void report_unlisted(const FieldTable& table, std::size_t at) {
    constexpr std::string_view expected = "only the fields of its table", found = "another field";
    if (&table == &json::field_table<Customer>) report(RuleId::customer_has_only_ids, at, {}, expected, found);
    else report(RuleId::fields_are_listed, at, table.section, expected, found);
  }

  /// After the closing bracket of an object: what is not in it is missing, or absent as it may be.
  void evaluate_absent(const FieldTable& table, const void* object, json::FieldMask seen) {
    const std::size_t at = offset(reader_.p) - 1;
    for (auto i = static_cast<std::size_t>(std::countr_one(seen)); i < table.fields.size(); ++i) {
      if ((seen >> i & 1) != 0) continue;
      const FieldRow& field = table.fields[i];
      const Error error{.code = field.type->expected, .or_null = field.may_be_null()};
      if (field.may_be_absent()) places_.push_back({object, &field, at, true});
      else report(absence_rule(table.section), at, table.section, expected_of(error), "nothing", {{field.wire_name()}});
    }
  }

  /// The place of the field that a row is about, if it and the others that the row looks at are good. It is searched for
  /// among some thirty at most, the last ones first.
  [[nodiscard]] const Place* find_good(const FieldTable& table, const void* object, const CheckRow& row) const {
    for (const auto& other : row.others) {
      if (!other.names.empty() && find_good(table, object, other.names) == nullptr) return nullptr;
    }
    return find_good(table, object, row.path.names);
  }
  [[nodiscard]] const Place* find_good(const FieldTable& table, const void* object,
                                       std::span<const std::string_view> names) const {
    const FieldRow* field = table.find(names.front());
    for (const std::string_view name : names.subspan(1)) {
      object = field->of(const_cast<void*>(object));
      field = field->type->table->find(name);
    }
    std::size_t i = places_.size();
    while (i > 0 && (places_[i - 1].field != field || places_[i - 1].object != object)) --i;
    return i > 0 && places_[i - 1].is_good ? &places_[i - 1] : nullptr;
  }

  void read_value(const ValueType& type, void* out, std::string_view section, bool or_null = false) {
    const char* const p = reader_.p;
    if (json::ends_in_word(p, reader_.in.end) || p == reader_.in.end) return reader_.end_of_text(p);
    if (type.is_quoted() && *p == '"') {
      read_plain(type, out, section, or_null);
    } else if (type.is_optional()) {
      const bool is_nullable = type.kind == ValueType::Kind::nullable;
      if (!json::null_at(reader_.in, p)) return read_value(*type.inner, type.emplace(out), section, is_nullable);
      if (!is_nullable && type.inner->kind != ValueType::Kind::nullable)
        report({.code = type.expected}, p, RuleId::null_is_not_absent, section);
      reader_.p += 4;
    } else if (const bool is_json = json::begins_value(p, reader_.in.end); !is_json || kind_of(*p) != type.json_type()) {
      const RuleId rule = is_json ? RuleId::fields_have_their_type : RuleId::payload_is_json_object;
      report({.code = type.expected, .or_null = or_null}, p, rule, is_json ? section : "1");
      if (is_json) reader_.skip_value();
      else reader_.skip_junk();
    } else if (reader_.opens_too_deep()) {
      reader_.skip_too_deep();
    } else if (type.kind == ValueType::Kind::array) {
      read_array(type, out, section);
    } else if (type.kind == ValueType::Kind::object) {
      read_object(*type.table, out);
    } else {
      read_plain(type, out, section, or_null);
    }
  }

  /// Elements are kept as long as all are right: rules look at whole arrays only.
  void read_array(const ValueType& type, void* out, std::string_view section) {
    ++arrays_;
    json::Container array = reader_.open();
    const std::size_t rejected = findings_.rejected(), size = type.inner->size;
    std::vector<std::byte> elements, apart;
    elements.reserve(4 * size);
    std::size_t count = 0;
    while (reader_.next_element(array)) {
      const bool is_kept = findings_.rejected() == rejected;
      if (is_kept) elements.resize(++count * size);
      else apart.resize(size);
      void* const element = is_kept ? elements.data() + (count - 1) * size : apart.data();
      type.inner->make(element);
      read_value(*type.inner, element, section);
    }
    type.view(out, elements.data(), count);
    kept_.push_back(std::move(elements));
    reader_.close(array);
    --arrays_;
  }

  /// A string, number, boolean. Where the syntax is at fault, skipping it says so.
  void read_plain(const ValueType& type, void* out, std::string_view section, bool or_null) {
    const char* const p = reader_.p;
    const char* const content = type.is_quoted() ? p + 1 : p;
    const char* next = nullptr;
    std::string_view text;
    reader_.in.error.code = Errc::none;
    if (content != p) {
      next = json::read_any_text(reader_.in, content, text);
    } else {
      const text::Scan number = text::skip_number(p, reader_.in.end);
      if (type.kind == ValueType::Kind::boolean) next = p + (*p == 't' ? 4 : 5);
      else if (number.error == Errc::none) next = number.next;
      text = {p, next == nullptr ? p : next};
    }
    const Errc error = next != nullptr ? type.assign(text, out) : reader_.in.error.code;
    if (next != nullptr && error == Errc::none) {
      if (type.kind == ValueType::Kind::local_timestamp &&
          static_cast<const LocalTimestamp*>(out)->fraction_digits() != LocalTimestamp::spelled_digits) {
        report(RuleId::consent_has_four_fraction_digits, offset(p), section, "four fraction digits",
               "another number of them");
      }
      reader_.p = next;
      return;
    }
    const RuleId rule = rule_of(error);
    if (rule != RuleId::payload_is_json_object && rule != RuleId::text_is_utf8)
      report({.code = error, .or_null = or_null}, content, rule, rule == RuleId::numbers_can_be_held ? "" : section);
    reader_.skip_value();
  }

  std::string_view text_;
  FindingList<> findings_;
  json::RecoveringReader<SyntaxFault> reader_;
  std::size_t arrays_ = 0;  ///< open around the position
  const std::string_view* name_ = nullptr;
  std::vector<Place> places_{};                 ///< outside of arrays, and in the elements that are open
  std::vector<std::vector<std::byte>> kept_{};  ///< what arrays view
};

}}}  // namespace bankhook::BANKHOOK_ABI::detail
