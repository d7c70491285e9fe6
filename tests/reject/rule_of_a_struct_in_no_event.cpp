// SPDX-License-Identifier: MIT
// A rule about a struct that stands in no event would never be asked, so it has no place in the table.
// expect: write rules for an event or for a struct that stands in one
// lines: 20
#include <bankhook/events/rules/rule_table.hpp>

struct Order {
  std::string_view id;
};

#ifdef CONTROL
using Subject = bankhook::Account;
#else
using Subject = Order;
#endif

template <>
inline constexpr std::array bankhook::detail::checks<Subject>{bankhook::detail::Check<Subject>{
    {bankhook::RuleId::values_are_listed, "2", bankhook::detail::path<&Subject::id>, {}, "not empty", "an empty text"},
    [](const Subject& subject) { return subject.id.empty(); }}};

int main() { return static_cast<int>(bankhook::detail::checks<Subject>.size()) - 1; }
