// SPDX-License-Identifier: MIT
// The texts of an enumeration are an array by its values, so they count from 0 without gaps; the sentence says so.
// expect: number the enumerators from 0 without gaps
// lines: 20
#include <bankhook/reflect/value_kinds.hpp>

#ifdef CONTROL
enum class Size { small, large };
#else
enum class Size { small, large = 5 };
#endif

int main() { return bankhook::OpenEnum<Size>(Size::large).is_known() ? 0 : 1; }
