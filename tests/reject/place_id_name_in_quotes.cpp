// SPDX-License-Identifier: MIT
// The name of the place field is part of the library's names, so it is given without quotes.
// expect: write the name in BANKHOOK_PLACE_ID without quotes
#ifdef CONTROL
#define BANKHOOK_PLACE_ID mapPlaceId
#else
#define BANKHOOK_PLACE_ID "mapPlaceId"
#endif
#include <bankhook/domain/initial_transaction.hpp>

int main() { return bankhook::detail::reflect::wire_names<bankhook::InitialTransaction>[3] == "mapPlaceId" ? 0 : 1; }
