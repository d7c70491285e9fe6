// SPDX-License-Identifier: MIT
// `check`: which rules between its fields an event breaks.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/events/rules/placed_checks.hpp>
#include <bankhook/events/rules/rule_table.hpp>
#include <bankhook/events/rules/rules.hpp>

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

namespace bankhook::inline BANKHOOK_ABI {

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
  [[nodiscard]] Finding finding() const {
    json::Path copied = json::path_of(names);
    return {.rule = rule,
            .evidence = evidence,
            .section = section,
            .severity = severity,
            .steps = std::move(copied.steps),
            .path = std::move(copied.text),
            .expected = std::string(expected),
            .found = std::string(found)};
  }
  operator Finding() const { return finding(); }  // NOLINT(google-explicit-constructor): nothing is lost
};

/// The rules that one event breaks: a few bits, trivially copyable; views nothing of the event. A range of BrokenRule, in
/// the order of its own `checks`, then of those of its resources. Allocates nothing.
class Findings {
  // Before its uses: clang evaluates no template that it has not read yet.
  template <class Predicate>
  [[nodiscard]] constexpr bool any(Predicate predicate) const {
    for (std::uint32_t broken = broken_; broken != 0; broken &= broken - 1) {
      if (predicate(rule_of(rows_[std::countr_zero(broken)].rule))) return true;
    }
    return false;
  }

 public:
  class iterator;

  constexpr Findings() = default;

  [[nodiscard]] constexpr bool empty() const { return broken_ == 0; }
  [[nodiscard]] constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(broken_)); }

  /// Whether this rule is broken.
  [[nodiscard]] constexpr bool contains(RuleId rule) const {
    return any([rule](const Rule& broken) { return broken.rule == rule; });
  }
  /// Whether a rule of this evidence is broken.
  [[nodiscard]] constexpr bool contains(Evidence evidence) const {
    return any([evidence](const Rule& broken) { return broken.evidence == evidence; });
  }

  /// Broken rule `index` (less than `size`).
  [[nodiscard]] constexpr BrokenRule operator[](std::size_t index) const {
    std::uint32_t broken = broken_;
    while (index-- > 0) broken &= broken - 1;
    const detail::CheckRow& row = rows_[std::countr_zero(broken)];
    const Rule& rule = rule_of(row.rule);
    return {row.rule, rule.evidence, row.section, rule.severity, row.path.names, row.expected, row.found};
  }
  [[nodiscard]] constexpr iterator begin() const;
  [[nodiscard]] constexpr iterator end() const;

  constexpr bool operator==(const Findings&) const = default;

 private:
  template <class Event>
  friend constexpr Findings check(const Event& event);

  /// `broken`: a bit a row.
  constexpr Findings(const detail::CheckRow* rows, std::uint32_t broken) : rows_(rows), broken_(broken) {}

  const detail::CheckRow* rows_ = nullptr;
  std::uint32_t broken_ = 0;
};

/// Makes each BrokenRule when it is looked at.
class Findings::iterator {
 public:
  using value_type = BrokenRule;
  using difference_type = std::ptrdiff_t;

  constexpr iterator() = default;
  constexpr iterator(const Findings* of, std::size_t index) : of_(of), index_(index) {}

  [[nodiscard]] constexpr BrokenRule operator*() const { return (*of_)[index_]; }
  constexpr iterator& operator++() {
    ++index_;
    return *this;
  }
  constexpr iterator operator++(int) { return {of_, index_++}; }
  constexpr bool operator==(const iterator&) const = default;

 private:
  const Findings* of_ = nullptr;
  std::size_t index_ = 0;
};

constexpr Findings::iterator Findings::begin() const { return {this, 0}; }
constexpr Findings::iterator Findings::end() const { return {this, size()}; }

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

/// The rows that apply to an event, including those of the resources in it, without their predicates.
template <class Event>
inline constexpr auto check_rows = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<CheckRow, sizeof...(I)>{row_of<Event, I>...};
}(std::make_index_sequence<check_count<Event>>());

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// Evaluates what an event says by the rules between its fields (spec 6.3, 6.2, 3.1, 2.4, 7) and by the listed values.
/// What only the payload shows (unlisted fields, null for absent, places) is found by `diagnose`.
/// Allocates nothing, needs no payload, cannot fail.
template <class Event>
[[nodiscard]] constexpr Findings check(const Event& event) {
  constexpr std::size_t count = detail::check_count<Event>;
  static_assert(count <= 32, "an_event_has_at_most_32_checks");
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const std::uint32_t broken = (std::uint32_t{0} | ... | (std::uint32_t{detail::is_broken<I>(event)} << I));
    return Findings(detail::check_rows<Event>.data(), broken);
  }(std::make_index_sequence<count>());
}

/// The same for any event.
template <std::same_as<AnyEvent> Any>
[[nodiscard]] constexpr Findings check(const Any& event) {
  return std::visit([](const auto& known) { return check(known); }, event);
}

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

template <std::size_t... I>
constexpr bool any_event_is_checked_for(RuleId rule, std::index_sequence<I...>) {
  const auto has_row = [rule](const auto& rows) {
    return std::any_of(rows.begin(), rows.end(), [rule](const CheckRow& row) { return row.rule == rule; });
  };
  return (has_row(check_rows<std::variant_alternative_t<I, AnyEvent>>) || ...);
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// Whether `check` evaluates this rule for any event; the other rules need the payload, or earlier events.
template <std::same_as<RuleId> Id>
[[nodiscard]] constexpr bool is_checked(Id rule) {
  return detail::any_event_is_checked_for(rule, std::make_index_sequence<std::variant_size_v<AnyEvent>>());
}

}  // namespace bankhook::inline BANKHOOK_ABI
