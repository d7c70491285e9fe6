// SPDX-License-Identifier: MIT
// The name of the place field is that of no other field of the struct: one of the two would never be read.
// expect: give another name to one of two fields that have one name on the wire
// lines: 20
#ifdef CONTROL
#define BANKHOOK_PLACE_ID mapPlaceId
#else
#define BANKHOOK_PLACE_ID storeName
#endif
#include <bankhook/domain/initial_transaction.hpp>

int main() { return bankhook::detail::reflect::wire_names<bankhook::InitialTransaction>[3] == "mapPlaceId" ? 0 : 1; }
