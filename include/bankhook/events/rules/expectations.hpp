// SPDX-License-Identifier: MIT
// What `diagnose` expects of an object and of a field: the rule on unlisted fields, and a value's kind in words.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/recover/describe.hpp>

#include <string>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// The rule that a field breaks if the table of `T` does not list it.
template <class T>
inline constexpr RuleId unlisted_rule =
    std::is_same_v<T, Customer> ? RuleId::customer_has_only_ids : RuleId::fields_are_listed;

/// What a field of type `T` should be: `string or null`.
template <class T>
std::string expected_value(bool or_null = false) {
  if constexpr (base::is_nullable<T>) return expected_value<typename T::value_type>(true);
  else return json::expected_of({.code = json::Codec<T>::expected, .or_null = or_null});
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail
