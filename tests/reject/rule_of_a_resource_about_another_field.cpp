// SPDX-License-Identifier: MIT
// A rule of a resource is evaluated where the resource is read, so it can speak of the resource's own fields only.
// expect: name fields of the resource itself in its rule
#include <bankhook/events/rules/rule_table.hpp>

#ifdef CONTROL
constexpr auto where = bankhook::detail::path<&bankhook::Customer::id>;
#else
constexpr auto where = bankhook::detail::path<&bankhook::InitialTransactionUpdate::customer, &bankhook::Customer::id>;
#endif

template <>
inline constexpr std::array bankhook::detail::checks<bankhook::Customer>{bankhook::detail::Check<bankhook::Customer>{
    {bankhook::RuleId::values_are_listed, "2", where, {}, "not empty", "an empty text"},
    [](const bankhook::Customer& customer) { return customer.id.empty(); }}};

#include <bankhook/events/rules/diagnose.hpp>

int main() { return static_cast<int>(bankhook::diagnose("").size()) - 1; }
