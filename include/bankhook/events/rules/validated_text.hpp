// SPDX-License-Identifier: MIT
// What is found while a payload is compared with the tables: errors, absent and unlisted fields, broken rules.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/codec_event.hpp>
#include <bankhook/events/rules/expectations.hpp>
#include <bankhook/events/rules/field_places.hpp>
#include <bankhook/events/rules/finding_list.hpp>
#include <bankhook/events/rules/listed_values.hpp>
#include <bankhook/events/rules/rule_table.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/json/read/object_slow_path.hpp>
#include <bankhook/json/recover/describe.hpp>
#include <bankhook/json/recover/recovering_reader.hpp>
#include <bankhook/reflect/field_path.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// What is known of an object's fields while it is read.
template <class T>
struct SeenFields {
  json::FieldMask seen = 0, good = 0;
  std::array<std::size_t, reflect::field_count<T>> offsets{};

  [[nodiscard]] bool has(std::size_t index) const { return (seen >> index & 1) != 0; }
  void add(std::size_t index, std::size_t offset) {
    seen |= json::FieldMask{1} << index;
    offsets[index] = offset;
  }
  void set_good(std::size_t index) { good |= json::FieldMask{1} << index; }
  /// Whether the field, which is one of the object's own, was read well.
  [[nodiscard]] bool is_good(const reflect::FieldPath& field) const { return (good >> index_of(field) & 1) != 0; }
  [[nodiscard]] static std::size_t index_of(const reflect::FieldPath& field) {
    return json::detail::lookup<T>.find(field.names.front());
  }
};

/// The reader of a payload together with the findings about it. It says what is wrong; Validator decides what is read.
class ValidatedText {
 public:
  ValidatedText(const ValidatedText&) = delete;
  ValidatedText& operator=(const ValidatedText&) = delete;

  /// Holds `event`, which was read, to the rules between its fields, as far as those could be read.
  template <class Event>
  void evaluate(const Event& event) {
    places_.evaluate(event, findings_);
  }

  [[nodiscard]] std::vector<Finding> finish() { return findings_.finish(); }

 protected:
  ValidatedText(std::string_view text, Arena& arena, RuleFilter wanted)
      : text_(text), findings_(text, wanted), reader_(text, arena, SyntaxFault{this}) {}
  ~ValidatedText() = default;

  struct SyntaxFault {
    ValidatedText* validated;
    void operator()(Errc code, const char* at) const {
      validated->fault({.code = code}, at, rule_of(code), rule_of(rule_of(code)).section);
    }
  };

  [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - reader_.in.begin); }

  void fault(Error error, const char* at, RuleId rule, std::string_view section) {
    error.offset = offset(at);
    add(
        rule, error.offset, [&] { return Statement{section, json::expected_of(error), json::found_of(error, text_)}; },
        [this] { return json::path_of(reader_.steps); });
  }

  void byte_order_mark() {
    add(
        RuleId::payload_is_json_object, 0, [] { return Statement{"1", "object", "a byte order mark"}; },
        [] { return json::Path(); });
  }

  /// The time at `at` has another number of fraction digits than its form.
  void other_digits(const char* at, std::string_view section) {
    add(
        RuleId::consent_has_four_fraction_digits, offset(at),
        [&] { return Statement{section, "four fraction digits", "another number of them"}; },
        [this] { return json::path_of(reader_.steps); });
  }

  /// Fields of events that are not known cannot be listed.
  template <class T>
  void unlisted(const json::Name& name) {
    if constexpr (!std::is_same_v<T, Envelope>) {
      static constexpr std::string_view section = unlisted_rule<T> == RuleId::fields_are_listed ? section_of<T> : "";
      add(
          unlisted_rule<T>, offset(name.at),
          [] { return Statement{section, "only the fields of its table", "another field"}; },
          [this] { return json::path_of(reader_.steps); });
    }
  }

  /// The field with this index was read.
  template <class T>
  void was_read(SeenFields<T>& fields, std::size_t index, bool is_good) {
    if (is_good) fields.set_good(index);
    if (arrays_ == 0) places_.add(reader_.steps, {}, fields.offsets[index], is_good);
  }

  /// After the closing bracket of an object: what is not in it is missing, or absent as it may be.
  template <class T>
  void evaluate_absent(const SeenFields<T>& fields) {
    reflect::for_each_field<T>([&]<std::size_t I>() {
      using Field = reflect::FieldType<T, I>;
      if (fields.has(I)) return true;
      const std::size_t at = offset(reader_.p) - 1;
      const std::string_view name = reflect::wire_names<T>[I];
      if constexpr (base::is_maybe_absent<Field>) {
        if (arrays_ == 0) places_.add(reader_.steps, name, at, true);
      } else {
        add(
            absence_rule<T>, at, [] { return Statement{section_of<T>, expected_value<Field>(), "nothing"}; },
            [&] { return json::path_of(reader_.steps, name); });
      }
      return true;
    });
  }

  /// The rules of a resource between its own fields.
  template <class T>
  void evaluate_resource(const T& value, const SeenFields<T>& fields) {
    if constexpr (!is_one_of<AnyEvent, T> && !all_checks<T>.empty()) {
      static_assert(
          std::ranges::all_of(all_checks<T>, [](const Check<T>& check) { return check.row.path.names.size() == 1; }),
          "a_rule_of_a_resource_names_its_own_fields");
      for (const Check<T>& check : all_checks<T>) {
        const CheckRow& row = check.row;
        const bool can_be_evaluated = fields.is_good(row.path) && std::ranges::all_of(row.others, [&](const auto& other) {
                                        return other.names.empty() || fields.is_good(other);
                                      });
        if (!can_be_evaluated || !check.is_broken(value)) continue;
        const std::size_t index = fields.index_of(row.path);
        add(
            row.rule, fields.offsets[index], [&] { return statement_of(row); },
            [&] { return json::path_of(reader_.steps, reflect::wire_names<T>[index]); });
      }
    }
  }

  std::string_view text_;
  FindingList findings_;
  json::RecoveringReader<SyntaxFault> reader_;
  std::size_t arrays_ = 0;  ///< open around the position

 private:
  /// Adds a finding. A hostile payload may break a rule with every byte, so reading stops once no more can be listed.
  template <class MakeStatement, class MakePath>
  void add(RuleId rule, std::size_t at, MakeStatement&& make_statement, MakePath&& make_path) {
    findings_.add(rule, at, make_statement, make_path);
    if (findings_.is_complete()) [[unlikely]]
      reader_.stop();
  }

  FieldPlaces places_{};
};

}  // namespace bankhook::inline BANKHOOK_ABI::detail
