// SPDX-License-Identifier: MIT
// Where the members of a payload stand and which of them were read well: what rules between members are judged by.
#pragma once

#include <bankhook/events/rules/finding_list.hpp>
#include <bankhook/events/rules/rule_table.hpp>
#include <bankhook/json/recover/path.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::detail {

[[nodiscard]] inline Statement statement_of(const CheckRow& row) {
  return {row.section, std::string(row.expected), row.found};
}

/// The members outside of arrays: some thirty at most, so they are searched one by one.
class MemberPlaces {
 public:
  /// @param is_good whether the member holds what the payload says, or is absent for certain
  void add(std::string path, std::size_t offset, bool is_good) { places_.push_back({std::move(path), offset, is_good}); }

  /// Adds a finding for each rule that `event` breaks and whose members were all read well. What a resource is held to
  /// wherever it stands was judged there.
  template <class Event>
  void judge(const Event& event, FindingList& findings) const {
    if constexpr (is_one_of<AnyEvent, Event> && !checks<Event>.empty()) {
      for (const Check<Event>& check : checks<Event>) {
        const Place* const place = good_place(json::path_of(check.row.path.names).text);
        const bool can_be_judged = place != nullptr && std::ranges::all_of(check.row.others, [&](std::string_view other) {
                                     return other.empty() || good_place(other) != nullptr;
                                   });
        if (can_be_judged && check.is_broken(event))
          findings.add(
              check.row.rule, place->offset, [&] { return statement_of(check.row); },
              [&] { return json::path_of(check.row.path.names); });
      }
    }
  }

 private:
  struct Place {
    std::string path;
    std::size_t offset;
    bool is_good;
  };

  [[nodiscard]] const Place* good_place(std::string_view path) const {
    const auto found = std::ranges::find(places_, path, &Place::path);
    return found != places_.end() && found->is_good ? &*found : nullptr;
  }

  std::vector<Place> places_{};
};

}  // namespace bankhook::detail
