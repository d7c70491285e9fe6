// SPDX-License-Identifier: MIT
// The wire name of the map-provider place field: the specification shows a stand-in, the user gives the name (2.4, Note).
#pragma once

#include <bankhook/base/compiler.hpp>

#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::detail {

// A name without quotes, for a target or for a file: `target_compile_definitions(app PRIVATE
// BANKHOOK_PLACE_ID=mapPlaceId)`. Units with different names share no function (BANKHOOK_ABI).
#if defined(BANKHOOK_PLACE_ID)
inline constexpr std::string_view given_place_id_name = BANKHOOK_TEXT(BANKHOOK_PLACE_ID);
static_assert(!given_place_id_name.empty(), "the_name_in_BANKHOOK_PLACE_ID_is_empty");
#else
/// No name is given: it is derived from `place_id`, which yields the stand-in.
inline constexpr std::string_view given_place_id_name{};
#endif

/// Whether the name is known. Under a stand-in, what follows from the field's absence is assumed, not stated. A template,
/// so that a binding whose users give the name at run time can replace it.
template <class = void>
inline constexpr bool place_id_is_named = !given_place_id_name.empty();

}  // namespace bankhook::inline BANKHOOK_ABI::detail
