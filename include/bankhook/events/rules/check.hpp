// SPDX-License-Identifier: MIT
// `check`: which rules between its fields an event breaks.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/events/rules/rule_table.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// What `check` says about one rule that an event breaks: trivially copyable, and nothing is allocated for it. All views
/// have static storage.
struct BrokenRule {
  RuleId rule{};
  Evidence evidence{};
  std::string_view section{};  ///< of the specification
  Severity severity{};
  std::span<const std::string_view> names{};  ///< the path: names of fields, from the event on
  std::string_view expected{};
  std::string_view found{};

  /// The same as `diagnose` gives it, without an offset in a payload. Owns its texts.
  template <class = void>
  [[nodiscard]] Finding finding() const {
    detail::json::Path copied = detail::json::path_of({}, names);
    return {.rule = rule,
            .evidence = evidence,
            .section = section,
            .severity = severity,
            .steps = std::move(copied.steps),
            .path = std::move(copied.text),
            .expected = std::string(expected),
            .found = std::string(found)};
  }
  template <std::same_as<Finding> Full>
  operator Full() const {  // NOLINT(google-explicit-constructor): nothing is lost
    return finding();
  }
};

namespace detail {

/// A row of the table where it applies in an event: the path from there, and what is expected. The path ends at an array,
/// because a row says that an element breaks the rule, but not which one; the text says the rest of the way.
struct PlacedRow {
  CheckRow row{};
  std::array<std::string_view, 4> names{};  ///< unless the row is the event's own
  std::size_t name_count = 0;
  std::array<char, 128> text{};  ///< what is expected, if it lies in an array
  std::size_t size = 0;

  constexpr void append(std::string_view more) {
    for (const char c : more) text[size++] = c;
  }
  /// Goes on to a field of the struct that the path led to.
  constexpr void enter(std::string_view name, bool is_array, std::string_view after_name) {
    if (size == 0) names[name_count++] = name;
    else append(name), append(is_array ? " " : after_name);
    if (is_array) append("in each of them ");
  }

  [[nodiscard]] constexpr BrokenRule broken() const {
    const Rule& rule = rule_of(row.rule);
    const auto path = name_count == 0 ? row.path.names : std::span(names).first(name_count);
    const std::string_view expected = size == 0 ? row.expected : std::string_view(text.data(), size);
    return {row.rule, rule.evidence, row.section, rule.severity, path, expected, row.found};
  }
};

/// How many rows apply to a `T`: its own, and those of every resource in its fields, wherever it occurs.
template <class T>
inline constexpr std::size_t check_count = [] {
  std::size_t count = all_checks<T>.size();
  reflect::for_each_struct_in<T>([&]<class Inner, std::size_t>() { count += check_count<Inner>; });
  return count;
}();

/// Places the rows of a `T`, its own first, then those of its fields, in their order.
/// @param around the way to the `T`
template <class T>
constexpr void place_rows(PlacedRow*& to, const PlacedRow& around) {
  for (const auto& [row, _] : all_checks<T>) {
    PlacedRow& placed = *to++ = around;
    placed.row = row;
    if (around.name_count > 0) placed.enter(row.path.names.front(), false, " ");
    if (placed.size > 0) placed.append(row.expected);
  }
  reflect::for_each_struct_in<T>([&]<class Inner, std::size_t At>() {
    if constexpr (check_count<Inner> > 0) {
      PlacedRow inner = around;
      inner.enter(reflect::wire_name<T, At>.view(), reflect::Array<reflect::FieldType<T, At>>, ".");
      place_rows<Inner>(to, inner);
    }
  });
}

/// All rows that apply to an event.
template <class Event>
inline constexpr auto placed_rows = [] {
  std::array<PlacedRow, check_count<Event>> rows{};
  PlacedRow* to = rows.data();
  place_rows<Event>(to, {});
  return rows;
}();

/// A bit for each row that `value` breaks, in the order of `placed_rows`; of an array, those that one of its elements
/// breaks. The predicate is a separate constant, because gcc then inlines it into its caller.
template <class T>
BANKHOOK_INLINE constexpr std::uint32_t broken_rows(const T& value) {
  std::uint32_t broken = 0;
  if constexpr (!reflect::Structure<T>) {
    reflect::for_each_part(value, [&](const auto& part) { return broken |= broken_rows(part), true; });
  } else {
    std::size_t bit = all_checks<T>.size();
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      [[maybe_unused]] const auto is_broken = [&]<std::size_t Row>() {
        constexpr auto predicate = all_checks<T>[Row].is_broken;
        return predicate(value);
      };
      broken = (std::uint32_t{0} | ... | (std::uint32_t{is_broken.template operator()<At>()} << At));
    }(std::make_index_sequence<all_checks<T>.size()>());
    reflect::for_each_struct_in<T>([&]<class Inner, std::size_t At>() {
      if constexpr (check_count<Inner> > 0) broken |= broken_rows(reflect::field<At>(value)) << bit;
      bit += check_count<Inner>;
    });
  }
  return broken;
}

}  // namespace detail

/// The rules that one event breaks: a few bits, trivially copyable; views nothing of the event. A range of BrokenRule, in
/// the order of its own `checks`, then of those of its resources. Allocates nothing.
class Findings {
 public:
  /// Makes each BrokenRule when it is looked at.
  class iterator {
   public:
    using value_type = BrokenRule;
    using difference_type = std::ptrdiff_t;

    constexpr iterator() = default;
    constexpr iterator(const detail::PlacedRow* rows, std::uint32_t broken) : rows_(rows), broken_(broken) {}

    [[nodiscard]] constexpr BrokenRule operator*() const { return rows_[std::countr_zero(broken_)].broken(); }
    constexpr iterator& operator++() {
      broken_ &= broken_ - 1;
      return *this;
    }
    constexpr iterator operator++(int) {
      const iterator before = *this;
      ++*this;
      return before;
    }
    constexpr bool operator==(const iterator&) const = default;

   private:
    const detail::PlacedRow* rows_ = nullptr;
    std::uint32_t broken_ = 0;
  };

  constexpr Findings() = default;

  [[nodiscard]] constexpr bool empty() const { return broken_ == 0; }
  [[nodiscard]] constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(broken_)); }

  /// Whether this rule is broken.
  [[nodiscard]] constexpr bool contains(RuleId rule) const {
    return std::any_of(begin(), end(), [rule](const BrokenRule& broken) { return broken.rule == rule; });
  }
  /// Whether a rule of this evidence is broken.
  [[nodiscard]] constexpr bool contains(Evidence evidence) const {
    return std::any_of(begin(), end(), [evidence](const BrokenRule& broken) { return broken.evidence == evidence; });
  }

  /// Broken rule `index` (less than `size`).
  [[nodiscard]] constexpr BrokenRule operator[](std::size_t index) const {
    return *std::next(begin(), static_cast<std::ptrdiff_t>(index));
  }
  [[nodiscard]] constexpr iterator begin() const { return {rows_, broken_}; }
  [[nodiscard]] constexpr iterator end() const { return {rows_, 0}; }

  constexpr bool operator==(const Findings&) const = default;

 private:
  template <class Event>
  friend constexpr Findings check(const Event& event);

  /// `broken`: a bit a row.
  constexpr Findings(const detail::PlacedRow* rows, std::uint32_t broken) : rows_(rows), broken_(broken) {}

  const detail::PlacedRow* rows_ = nullptr;
  std::uint32_t broken_ = 0;
};

/// Evaluates what an event says by the rules between its fields (spec 6.3, 6.2, 3.1, 2.4, 7) and by the listed values.
/// What only the payload shows (unlisted fields, null for absent, places) is found by `diagnose`.
/// Allocates nothing, needs no payload, cannot fail.
template <class Event>
[[nodiscard]] constexpr Findings check(const Event& event) {
  static_assert(detail::check_count<Event> <= 32, "write at most 32 checks for an event");
  return {detail::placed_rows<Event>.data(), detail::broken_rows(event)};
}

/// The same for any event.
[[nodiscard]] constexpr Findings check(const std::same_as<AnyEvent> auto& event) {
  return std::visit([](const auto& known) { return check(known); }, event);
}

namespace detail {

/// What the compiler says of a constant event that breaks a rule, which is named here.
template <RuleId>
struct event_breaks_the_rule {
  static constexpr bool is_kept = false;
};

template <const auto& event>
consteval const auto& keeping_all_rules() {
  constexpr Findings broken = check(event);
  if constexpr (!broken.empty())
    static_assert(event_breaks_the_rule<broken[0].rule>::is_kept, "write an event that keeps the rule with this name");
  return event;
}

}  // namespace detail

/// `event`, a constant of static storage, which the compiler has checked: one that breaks a rule does not compile. The
/// compiler's sentence names the rule. For what a program sends that is known in advance, and for the payloads of tests.
///
///     constexpr InitialTransactionUpdate created{.event_type = TransactionStatus::created, ...};
///     serialize_to(checked<created>, out);
template <const auto& event>
inline constexpr const auto& checked = detail::keeping_all_rules<event>();

/// Whether `check` evaluates this rule for any event; the other rules need the payload, or earlier events.
[[nodiscard]] constexpr bool is_checked(std::same_as<RuleId> auto rule) {
  return []<std::size_t... At>(RuleId sought, std::index_sequence<At...>) {
    return (std::ranges::any_of(detail::placed_rows<std::variant_alternative_t<At, AnyEvent>>,
                                [sought](const detail::PlacedRow& placed) { return placed.row.rule == sought; }) ||
            ...);
  }(rule, std::make_index_sequence<std::variant_size_v<AnyEvent>>());
}

}}  // namespace bankhook::BANKHOOK_ABI
