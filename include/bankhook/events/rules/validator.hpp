// SPDX-License-Identifier: MIT
// A payload, right or broken, is held against the tables: every member of every struct, without stopping at a fault.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/events/codec_event.hpp>
#include <bankhook/events/rules/expectations.hpp>
#include <bankhook/events/rules/field_places.hpp>
#include <bankhook/events/rules/finding_list.hpp>
#include <bankhook/events/rules/rule_table.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/recover/describe.hpp>
#include <bankhook/json/recover/recovering_reader.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook::detail {

/// Reads a payload into structs as far as it can be read and collects what is wrong. Values are read by the codecs of the
/// quick reader, so that both judge them alike.
class Validator {
 public:
  Validator(std::string_view text, Arena& arena, RuleFilter wanted)
      : text_(text), findings_(text, wanted), reader_(text, arena, SyntaxFault{this}) {}
  Validator(const Validator&) = delete;
  Validator& operator=(const Validator&) = delete;

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

  /// Holds `event`, which was read, to the rules between its members, as far as those could be read.
  template <class Event>
  void judge(const Event& event) {
    places_.judge(event, findings_);
  }

  [[nodiscard]] std::vector<Finding> finish() { return findings_.finish(); }

 private:
  struct SyntaxFault {
    Validator* inspection;
    void operator()(Errc code, const char* at) const {
      inspection->fault({.code = code}, at, rule_of(code), rule_of(rule_of(code)).section);
    }
  };

  /// What is known of an object's members while it is read.
  template <class T>
  struct Seen {
    json::MemberMask seen = 0, good = 0;
    std::array<std::size_t, reflect::member_count<T>> offsets{};
  };

  [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - reader_.in.begin); }

  void fault(Error error, const char* at, RuleId rule, std::string_view section) {
    error.offset = offset(at);
    add(
        rule, error.offset, [&] { return Statement{section, json::expected_of(error), json::found_of(error, text_)}; },
        [this] { return json::path_of(reader_.steps); });
  }
  /// Adds a finding. A hostile payload may break a rule with every byte, so reading stops once no more can be listed.
  template <class MakeStatement, class MakePath>
  void add(RuleId rule, std::size_t at, MakeStatement&& make_statement, MakePath&& make_path) {
    findings_.add(rule, at, make_statement, make_path);
    if (findings_.is_complete()) [[unlikely]]
      reader_.stop();
  }
  /// The path of a member of the object that is read.
  [[nodiscard]] json::Path path_of_member(std::string_view name) const { return json::path_of(reader_.steps, name); }

  void skip_byte_order_mark() {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (!text_.starts_with(mark)) return;
    add(
        RuleId::payload_is_json_object, 0, [] { return Statement{"1", "object", "a byte order mark"}; },
        [] { return json::Path(); });
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
    Seen<T> members;
    json::Name name;
    while (reader_.next_member(object, name)) read_member(out, name, members);
    if (object.is_closed && object.is_whole) judge_absent(members);
    judge_resource(out, members);
    reader_.close(object);
  }

  template <class T>
  void read_member(T& out, const json::Name& name, Seen<T>& members) {
    const std::size_t index = name.is_good ? find_member<T>(name) : reflect::member_count<T>;
    if (index >= reflect::member_count<T>) {
      if (name.is_good) report_unlisted<T>(name);
      return reader_.skip_value();
    }
    if ((members.seen >> index & 1) != 0) {
      fault({.code = Errc::repeated_member}, name.at, RuleId::field_names_are_unique, {});
      return reader_.skip_value();
    }
    members.seen |= json::MemberMask{1} << index;
    members.offsets[index] = offset(reader_.p);
    const std::size_t refused = findings_.refused();
    reflect::for_each_member<T>([&]<std::size_t I>() {
      if (I == index) read_value(reflect::member<I>(out), section_of<T>);
      return I != index;
    });
    if constexpr (std::is_same_v<T, Envelope>) {
      if (out.event.is_known()) reader_.stop();  // it is read as that event
    }
    const bool is_good = findings_.refused() == refused;
    if (is_good) members.good |= json::MemberMask{1} << index;
    if (arrays_ == 0) places_.add(json::path_text(reader_.steps), members.offsets[index], is_good);
  }

  /// The index of the member with this name; not less than their number if there is none.
  template <class T>
  [[nodiscard]] std::size_t find_member(const json::Name& name) {
    const std::size_t index = json::detail::find_key<T>(reader_.in, name.at);
    return index < reflect::member_count<T> ? index : json::detail::lookup<T>.find(name.text);
  }

  /// Members of events that are not known cannot be listed.
  template <class T>
  void report_unlisted(const json::Name& name) {
    if constexpr (!std::is_same_v<T, Envelope>) {
      static constexpr std::string_view section = unlisted_rule<T> == RuleId::fields_are_listed ? section_of<T> : "";
      add(
          unlisted_rule<T>, offset(name.at),
          [] { return Statement{section, "only the fields of its table", "another field"}; },
          [this] { return json::path_of(reader_.steps); });
    }
  }

  /// Behind the closing bracket of an object: what is not in it is missing, or absent as it may be.
  template <class T>
  void judge_absent(const Seen<T>& members) {
    reflect::for_each_member<T>([&]<std::size_t I>() {
      using Member = reflect::MemberType<T, I>;
      if ((members.seen >> I & 1) != 0) return true;
      const std::size_t at = offset(reader_.p) - 1;
      const auto path = [&] { return path_of_member(reflect::wire_names<T>[I]); };
      if constexpr (is_maybe_absent<Member>) {
        if (arrays_ == 0) places_.add(path().text, at, true);
      } else {
        add(absence_rule<T>, at, [] { return Statement{section_of<T>, expected_value<Member>(), "nothing"}; }, path);
      }
      return true;
    });
  }

  /// The rules of a resource between its own members.
  template <class T>
  void judge_resource(const T& value, const Seen<T>& members) {
    if constexpr (!is_one_of<AnyEvent, T> && !checks<T>.empty()) {
      static_assert(std::ranges::all_of(checks<T>, [](const Check<T>& check) { return check.row.path.names.size() == 1; }),
                    "a_rule_of_a_resource_names_its_own_fields");
      const auto member_at = [](std::string_view path) { return json::detail::lookup<T>.find(path.substr(2)); };
      for (const Check<T>& check : checks<T>) {
        const auto is_good = [&](std::string_view path) {
          return path.empty() || (members.good >> member_at(path) & 1) != 0;
        };
        if (!is_good(check.row.path) || !std::ranges::all_of(check.row.others, is_good) || !check.is_broken(value))
          continue;
        const std::size_t index = member_at(check.row.path);
        add(
            check.row.rule, members.offsets[index], [&] { return statement_of(check.row); },
            [&] { return path_of_member(reflect::wire_names<T>[index]); });
      }
    }
  }

  template <class T>
  void read_value(T& out, std::string_view section, bool or_null = false) {
    const char* const p = reader_.p;
    if (json::ends_in_word(p, reader_.in.end) || p == reader_.in.end) return reader_.end_of_text(p);
    if constexpr (is_nullable<T> || is_maybe_absent<T>) {
      if (!json::null_at(reader_.in, p)) return read_value(out.emplace(), section, is_nullable<T>);
      constexpr bool takes_null = is_nullable<T> || is_nullable<typename T::value_type>;
      if (!takes_null) fault_of<typename T::value_type>(RuleId::null_is_not_absent, section);
      out.reset();
      reader_.p += 4;
    } else if (!begins<T>()) {
      report_type<T>(section, or_null);
    } else if (reader_.opens_too_deep()) {
      reader_.skip_too_deep();
    } else if constexpr (reflect::detail::is_span<T>) {
      read_array(out, section);
    } else if constexpr (reflect::Aggregate<T> && !is_type_tag<T>) {
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
    fault_of<T>(RuleId::fields_have_their_type, section, or_null);
    if (json::begins_value(reader_.p, reader_.in.end)) reader_.skip_value();
    else reader_.skip_junk();
  }

  /// Elements are kept as long as all are right: rules look at whole arrays only.
  template <class T>
  void read_array(std::span<const T>& out, std::string_view section) {
    ++arrays_;
    json::Container array = reader_.open();
    const std::size_t refused = findings_.refused();
    auto elements = reader_.in.store.template array<T>(1);
    while (reader_.next_element(array)) {
      T apart{};
      T* const kept = findings_.refused() == refused ? elements.add() : nullptr;
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
    RememberedLength length;
    const char* const next = json::read_value(in, reader_.p, out, length);
    if (next != nullptr && next <= in.end) {
      reader_.p = next;
      return;
    }
    const Error error = in.error;
    if (error.code >= Errc::expected_object) {
      const std::string_view of = rule_of(error.code) == RuleId::numbers_can_be_held ? "" : section;
      fault({.code = error.code, .or_null = or_null}, in.begin + error.offset, rule_of(error.code), of);
    }
    reader_.skip_value();
  }

  std::string_view text_;
  FindingList findings_;
  json::RecoveringReader<SyntaxFault> reader_;
  MemberPlaces places_{};
  std::size_t arrays_ = 0;  ///< open around the position
};

}  // namespace bankhook::detail
