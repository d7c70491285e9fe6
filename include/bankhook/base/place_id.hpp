// SPDX-License-Identifier: MIT
// The wire name of the map-provider place field: the specification shows a stand-in, the user knows it (2.4, Note).
#pragma once

#include <bankhook/base/compiler.hpp>

#include <string_view>

namespace bankhook::detail {

// One name for the whole program, as functions of the same name would differ otherwise: give it to the target and not to
// a file, `target_compile_definitions(app PRIVATE BANKHOOK_PLACE_ID="mapPlaceId")`.
#if defined(BANKHOOK_PLACE_ID)
inline constexpr std::string_view given_place_id_name = BANKHOOK_PLACE_ID;
static_assert(!given_place_id_name.empty(), "the_name_in_BANKHOOK_PLACE_ID_is_empty");
#else
/// Not given: derived from `place_id`, which gives the stand-in.
inline constexpr std::string_view given_place_id_name{};
#endif

/// Whether the name is known. What follows from the absence of a field under a stand-in is assumed and not stated. A
/// template, so that a binding whose users give the name while the program runs can replace it.
template <class = void>
inline constexpr bool place_id_is_named = !given_place_id_name.empty();

}  // namespace bankhook::detail
