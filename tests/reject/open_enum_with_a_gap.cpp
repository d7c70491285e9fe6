// SPDX-License-Identifier: MIT
// The texts of an enumeration are an array by its values, so they count from 0 without gaps; the sentence says so.
// expect: the_enumerators_count_from_0_without_gaps
#include <bankhook/reflect/value_kinds.hpp>

#ifdef CONTROL
enum class Size { small, large };
#else
enum class Size { small, large = 5 };
#endif

int main() { return bankhook::OpenEnum<Size>(Size::large).is_known() ? 0 : 1; }
