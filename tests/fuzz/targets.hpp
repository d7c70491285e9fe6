// SPDX-License-Identifier: MIT
// What is asked of any bytes, a target each: the same bodies for libFuzzer and for the tests that replay what it found.
#pragma once

#include <bankhook/bankhook.hpp>
#include <bankhook/columns.hpp>
#include <bankhook/tracking/digest.hpp>

#include <events/diagnosed.hpp>
#include <events/differential.hpp>
#include <fuzz/arrow.hpp>
#include <fuzz/by_hand.hpp>
#include <json/guarded.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::test {

/// What a target answers: empty if all is well, else what is wrong.
using Wrong = std::string;

/// How many objects and arrays are open at once, in a text whose strings end.
inline std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string && text[i] == '\\') ++i;
    else if (text[i] == '"') in_string = !in_string;
    else if (!in_string && (text[i] == '[' || text[i] == '{')) deepest = std::max(deepest, ++depth);
    else if (!in_string && depth > 0 && (text[i] == ']' || text[i] == '}')) --depth;
  }
  return deepest;
}

/// The reader as the tests' own reader, at the end of readable memory, and there and back; and with other bytes after it.
inline Wrong parses_as_the_oracle(std::string_view bytes) {
  static Differential differential;
  static std::string continued;
  static Arena known;
  if (bytes.size() > GuardedPages::size / 2) return "";
  if (depth_of(bytes) > 1024) return parse(bytes, known) ? "more than 1024 levels were accepted" : "";
  if (Wrong wrong = differential.disagreement(bytes); !wrong.empty()) return wrong;
  continued.assign(bytes).append(bytes).resize(bytes.size() + std::max(bytes.size(), PaddedView::padding), '"');
  known.reset();
  Arena unknown;
  const ExactCopy exact(bytes);
  const auto one = parse(exact.view(), unknown);
  const auto other = parse(PaddedView{std::string_view(continued).substr(0, bytes.size())}, known);
  if (one.has_value() != other.has_value()) return "read otherwise with bytes after its end";
  if (one) return same_event(*one, *other) ? "" : "another event with bytes after its end";
  const Error &a = one.error(), &b = other.error();
  return a.code == b.code && a.offset == b.offset && a.field == b.field ? "" : "another error with bytes after its end";
}

/// `diagnose`, the quick answer and `check` agree with `parse`, and what is explained can be printed.
inline Wrong diagnoses_as_it_parses(std::string_view bytes) {
  static Diagnosed diagnosed;
  if (Wrong wrong = diagnosed.disagreement(bytes); !wrong.empty()) return wrong;
  const ExactCopy exact(bytes);
  const auto findings = diagnose(exact.view());
  for (const std::size_t width : {std::size_t{1}, std::size_t{80}}) {
    const std::string text = explain(findings, exact.view(), width);
    if (text.empty() != findings.empty() || (!text.empty() && text.back() != '\n')) return "an explanation without an end";
    for (const char c : text) {
      if ((c >= 0 && c < ' ' && c != '\n') || c == '\x7F') return "an explanation with a control character";
    }
  }
  return "";
}

/// An archive is its lines, each read alone; the tracker that gets them peeks as it applies, and is what it stores.
inline Wrong reads_lines_and_tracks(std::string_view bytes) {
  const ExactCopy exact(bytes);
  Arena arena, alone;
  Tracker tracker;
  LineCounts counts;
  std::size_t number = 0;
  std::string_view rest = exact.view();
  Lines lines(exact.view(), arena);
  auto line = lines.begin();
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view raw = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    ++number;
    if (raw.ends_with('\r')) raw.remove_suffix(1);
    if (raw.find_first_not_of(" \t\r\n") == raw.npos) continue;
    if (line == lines.end() || line->number != number || line->raw.data() != raw.data() || line->raw.size() != raw.size())
      return "another line than line " + std::to_string(number);
    alone.reset();
    const auto event = parse(raw, alone);
    counts.add(*line);
    if (event.has_value() != line->event.has_value()) return "read otherwise among lines";
    if (!event && (event.error().code != line->event.error().code || event.error().offset != line->event.error().offset))
      return "another error among lines";
    if (event) {
      if (!same_event(*event, *line->event)) return "another event among lines";
      const Outcome expected = tracker.peek(*event);
      if (!(tracker.apply(*line->event) == expected)) return "peek answered otherwise than apply";
    }
    ++line;
  }
  if (line != lines.end()) return "a line too many";
  counts.lines = number;
  LineCounts counted;
  arena.reset();
  diagnose_lines(exact.view(), arena, counted, [](std::size_t, std::string_view) { return true; });
  if (!(counted == counts)) return "diagnose_lines counts otherwise";
  const std::string stored = tracker.snapshot();
  const auto restored = Tracker::restore(stored);
  if (!restored || restored->snapshot() != stored) return "restored otherwise than stored";
  return tracker.diff(*restored).empty() ? "" : "a difference to what was restored";
}

/// Any lines with a checksum that is right: refused, or a tracker that can be stored, restored and used.
inline Wrong restores_what_it_can_use(std::string_view bytes) {
  const ExactCopy exact(bytes);
  static_cast<void>(Tracker::restore(exact.view()));
  std::string sealed(bytes);
  if (!sealed.ends_with('\n')) sealed += '\n';
  sealed += R"({"checksum":)" + std::to_string(detail::tracking::checksum_of(sealed)) + "}\n";
  auto tracker = Tracker::restore(sealed);
  static_cast<void>(MemberState::restore(sealed));
  if (!tracker) return "";
  const std::string stored = tracker->snapshot();
  const auto again = Tracker::restore(stored);
  if (!again || again->snapshot() != stored) return "restored otherwise than stored";
  if (!tracker->diff(*again).empty()) return "a difference to what was restored";
  if (Wrong wrong = reads_columns_of(*tracker); !wrong.empty()) return wrong;
  Arena arena;
  for (const TrackedConnection& one : again->connections()) {
    BankConnectionsUpdateV2 event{.customer = {.id = one.member_id}, .connection = one.connection};
    const Outcome expected = tracker->peek(event);
    if (!(tracker->apply(event) == expected)) return "peek answered otherwise than apply";
  }
  for (const TrackedTransaction& one : again->transactions()) {
    InitialTransactionUpdate event{.customer = one.customer, .initial_transaction = one.initial_transaction};
    const Outcome expected = tracker->peek(event);
    if (!(tracker->apply(event) == expected)) return "peek answered otherwise than apply";
  }
  const std::string after = tracker->snapshot();
  const auto last = Tracker::restore(after);
  return last && last->snapshot() == after ? "" : "what it became cannot be restored";
}

/// Each line is a row of one table of events, or of that of rejected lines; all that a consumer may read is there.
inline Wrong has_each_line_in_a_table(std::string_view bytes) {
  const ExactCopy exact(bytes);
  Arena arena;
  std::vector<ArchiveLine> lines;
  parse_lines(exact.view(), arena, lines);
  for (const ColumnOptions& options :
       {ColumnOptions{.batch_rows = 2}, ColumnOptions{.scale = 37, .unit = TimeUnit::nanoseconds}}) {
    Wrong wrong;
    const auto rows = [&]<class T>(std::in_place_type_t<T>) {
      auto stream = to_columns<T>(exact.view(), options);
      return stream ? rows_of(*stream, wrong) : 0;
    };
    const std::int64_t events = rows(std::in_place_type<BankConnectionsUpdateV2>) +
                                rows(std::in_place_type<InitialTransactionUpdate>) + rows(std::in_place_type<UnknownEvent>);
    const std::int64_t rejected = rows(std::in_place_type<RejectedLine>);
    for (const auto& read : {rows(std::in_place_type<Connection>), rows(std::in_place_type<Account>),
                             rows(std::in_place_type<FindingRow>), rows(std::in_place_type<OutcomeRow>)})
      if (read < 0) wrong = "no rows";
    if (!wrong.empty()) return wrong;
    if (events + rejected != static_cast<std::int64_t>(lines.size())) return "lines that are in no table, or in two";
  }
  return "";
}

/// Two numbers, one a line: each read by hand, their order, and the nearest double as the C library has it.
inline Wrong reads_numbers(std::string_view bytes) {
  std::vector<std::pair<by_hand::Number, Decimal>> read;
  for (std::string_view rest = bytes; read.size() < 2; rest.remove_prefix(rest.find('\n') + 1)) {
    const std::string text(rest.substr(0, rest.find('\n')));
    const ExactCopy exact(text);
    const auto expected = by_hand::number(text);
    const auto value = Decimal::parse(exact.view());
    if (value.has_value() != (expected && expected->fits()))
      return value ? "a number was accepted" : "a number was rejected";
    if (!value && (value.error() == Errc::decimal_out_of_range) != (expected && !expected->has_few_digits()))
      return "rejected for another reason";
    if (!value && (value.error() == Errc::exponent_out_of_range) != (expected && expected->has_few_digits()))
      return "rejected for another reason than its exponent";
    if (value) {
      const std::string digits = std::to_string(value->unscaled()).substr(value->unscaled() < 0 ? 1 : 0);
      if ((digits == "0" ? "" : digits) != expected->digits || value->scale() != expected->scale) return "another number";
      if (value->unscaled() != 0 && (value->unscaled() < 0) != expected->is_negative) return "another sign";
      const auto again = Decimal::parse(to_string(*value));
      if (!again || again->unscaled() != value->unscaled() || again->scale() != value->scale()) return "printed otherwise";
      if (static_cast<double>(*value) != std::strtod(text.c_str(), nullptr)) return "another double";
      if (!(value->reduced() == *value)) return "reduced to another value";
      read.emplace_back(*expected, *value);
    }
    if (rest.find('\n') == rest.npos) break;
  }
  if (read.size() < 2) return "";
  const int order = read[0].first.compared(read[1].first);
  const auto &left = read[0].second, &right = read[1].second;
  if ((left < right) != (order < 0) || (left == right) != (order == 0)) return "ordered otherwise";
  return order == 0 && left.hash() != right.hash() ? "equal, with another hash" : "";
}

/// A date-time of either form, or a date: read by hand, too, and written as it was read.
inline Wrong reads_date_times(std::string_view bytes) {
  const ExactCopy exact(bytes);
  const auto date = detail::text::parse_date(exact.view());
  std::string_view rest = bytes;
  const auto day = by_hand::take_date(rest);
  if (date.has_value() != (day && rest.empty())) return date ? "a date was accepted" : "a date was rejected";
  if (date && std::chrono::sys_seconds(std::chrono::sys_days(*date)).time_since_epoch().count() != *day)
    return "another date";
  const auto compare = [&]<class Time>(std::in_place_type_t<Time>, char separator) -> Wrong {
    const auto value = Time::parse(exact.view());
    const auto expected = by_hand::date_time(bytes, separator);
    if (value.has_value() != expected.has_value()) return value ? "a time was accepted" : "a time was rejected";
    if (!value) return "";
    if (to_string(*value) != bytes) return "a time is written otherwise";
    std::int64_t seconds = value->local().time_since_epoch().count();
    if constexpr (requires { value->offset(); }) {
      if (value->has_offset() != expected->has_offset) return "an offset that is not there";
      seconds -= std::chrono::seconds(value->offset()).count();
    }
    return seconds == expected->seconds && value->subsecond().count() == expected->nanoseconds ? "" : "another time";
  };
  if (Wrong wrong = compare(std::in_place_type<Timestamp>, 'T'); !wrong.empty()) return wrong;
  return compare(std::in_place_type<LocalTimestamp>, ' ');
}

/// A target, by the name of its folder in corpus/.
struct Target {
  std::string_view name;
  Wrong (*wrong)(std::string_view bytes);
};
inline constexpr std::array targets{
    Target{"parse", parses_as_the_oracle},       Target{"diagnose", diagnoses_as_it_parses},
    Target{"lines", reads_lines_and_tracks},     Target{"snapshot", restores_what_it_can_use},
    Target{"columns", has_each_line_in_a_table}, Target{"numbers", reads_numbers},
    Target{"date_times", reads_date_times},
};

}  // namespace bankhook::test
