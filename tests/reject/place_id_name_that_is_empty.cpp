// SPDX-License-Identifier: MIT
// The name of the place field is given, and then it is a name.
// expect: write a name in BANKHOOK_PLACE_ID: it is empty
// lines: 20
#ifdef CONTROL
#define BANKHOOK_PLACE_ID mapPlaceId
#else
#define BANKHOOK_PLACE_ID
#endif
#include <bankhook/domain/initial_transaction.hpp>

int main() { return bankhook::detail::reflect::wire_names<bankhook::InitialTransaction>[3] == "mapPlaceId" ? 0 : 1; }
