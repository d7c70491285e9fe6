// SPDX-License-Identifier: MIT
// Where the fields of a payload stand and which of them were read well: what rules between fields are evaluated by.
#pragma once

#include <bankhook/events/rules/finding_list.hpp>
#include <bankhook/events/rules/listed_values.hpp>
#include <bankhook/events/rules/rule_table.hpp>
#include <bankhook/json/recover/path.hpp>
#include <bankhook/reflect/field_path.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::detail {

[[nodiscard]] inline Statement statement_of(const CheckRow& row) {
  return {row.section, std::string(row.expected), row.found};
}

/// The fields outside of arrays: some thirty at most, so they are searched one by one.
class FieldPlaces {
 public:
  /// @param steps the way to the field, or to its object if `name` is given
  /// @param is_good whether the field holds what the payload says, or is absent for certain
  void add(std::span<const json::Step> steps, std::string_view name, std::size_t offset, bool is_good) {
    Place& place = places_.emplace_back(std::vector<std::string_view>(), offset, is_good);
    for (const json::Step& step : steps) {
      if (step.kind == json::Step::Kind::name) place.names.push_back(step.name);
    }
    if (!name.empty()) place.names.push_back(name);
  }

  /// Adds a finding for each rule that `event` breaks and whose fields were all read well. The rules of a
  /// resource were checked where the resource was read.
  template <class Event>
  void evaluate(const Event& event, FindingList& findings) const {
    if constexpr (is_one_of<AnyEvent, Event> && !all_checks<Event>.empty()) {
      for (const Check<Event>& check : all_checks<Event>) {
        const Place* const place = good_place(check.row.path);
        const bool can_be_evaluated =
            place != nullptr && std::all_of(check.row.others.begin(), check.row.others.end(), [&](const auto& other) {
              return other.names.empty() || good_place(other) != nullptr;
            });
        if (can_be_evaluated && check.is_broken(event))
          findings.add(
              check.row.rule, place->offset, [&] { return statement_of(check.row); },
              [&] { return json::path_of(check.row.path.names); });
      }
    }
  }

 private:
  struct Place {
    std::vector<std::string_view> names;  ///< from the root on
    std::size_t offset;
    bool is_good;
  };

  [[nodiscard]] const Place* good_place(const reflect::FieldPath& path) const {
    for (const Place& place : places_) {
      if (!std::equal(place.names.begin(), place.names.end(), path.names.begin(), path.names.end())) continue;
      return place.is_good ? &place : nullptr;
    }
    return nullptr;
  }

  std::vector<Place> places_{};
};

}  // namespace bankhook::inline BANKHOOK_ABI::detail
