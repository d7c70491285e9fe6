// SPDX-License-Identifier: MIT
// The name of the place field is written as it stands: one that JSON would escape would break every payload.
// expect: a_wire_name_has_nothing_that_json_would_escape
#ifdef CONTROL
#define BANKHOOK_PLACE_ID "mapPlaceId"
#else
#define BANKHOOK_PLACE_ID "map\nPlaceId"
#endif
#include <bankhook/domain/initial_transaction.hpp>

int main() { return bankhook::reflect::wire_names<bankhook::InitialTransaction>[3] == "mapPlaceId" ? 0 : 1; }
