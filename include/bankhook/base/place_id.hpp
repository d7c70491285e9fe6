// SPDX-License-Identifier: MIT
// The wire name of the map-provider place field: the specification shows a stand-in, the user gives the name (2.4, Note).
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>

#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::detail {

// There is one name for the whole program, because functions of the same name would differ otherwise: define it for the
// target, never for a file: `target_compile_definitions(app PRIVATE BANKHOOK_PLACE_ID="mapPlaceId")`.
#if defined(BANKHOOK_PLACE_ID)
inline constexpr std::string_view given_place_id_name = BANKHOOK_PLACE_ID;
static_assert(!given_place_id_name.empty(), "the_name_in_BANKHOOK_PLACE_ID_is_empty");
#else
/// No name is given: it is derived from `place_id`, which yields the stand-in.
inline constexpr std::string_view given_place_id_name{};
#endif

/// The name as a template argument: functions that are compiled for another name are other functions, so that a program
/// whose units disagree with `bankhook::compiled` does not link.
inline constexpr FixedString<given_place_id_name.size()> place_id_tag{given_place_id_name};

/// Whether the name is known. Under a stand-in, what follows from the field's absence is assumed, not stated. A template,
/// so that a binding whose users give the name at run time can replace it.
template <class = void>
inline constexpr bool place_id_is_named = !given_place_id_name.empty();

}  // namespace bankhook::inline BANKHOOK_ABI::detail
