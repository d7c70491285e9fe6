// SPDX-License-Identifier: MIT
// A name that is no word cannot be part of the library's names: a word stands for it, and the name is given beside it.
// expect: write a word in BANKHOOK_PLACE_ID and the name in BANKHOOK_PLACE_ID_TEXT
#ifdef CONTROL
#define BANKHOOK_PLACE_ID map_place
#define BANKHOOK_PLACE_ID_TEXT "map-place.id"
#else
#define BANKHOOK_PLACE_ID map - place.id
#endif
#include <bankhook/domain/initial_transaction.hpp>

static_assert(bankhook::detail::reflect::wire_names<bankhook::InitialTransaction>[3] == "map-place.id");

int main() {}
