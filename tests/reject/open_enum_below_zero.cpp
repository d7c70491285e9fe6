// SPDX-License-Identifier: MIT
// As open_enum_with_a_gap.cpp, for an enumerator below 0.
// expect: number the enumerators from 0 without gaps
// lines: 20
#include <bankhook/reflect/value_kinds.hpp>

#ifdef CONTROL
enum class Size { small, large };
#else
enum class Size { small = -1, large = 0 };
#endif

int main() { return bankhook::OpenEnum<Size>(Size::large).is_known() ? 0 : 1; }
