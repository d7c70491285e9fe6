// SPDX-License-Identifier: MIT
// As open_enum_with_a_gap.cpp, for an enumerator below 0.
// expect: the_enumerators_count_from_0_without_gaps
#include <bankhook/reflect/value_kinds.hpp>

#ifdef CONTROL
enum class Size { small, large };
#else
enum class Size { small = -1, large = 0 };
#endif

int main() { return bankhook::OpenEnum<Size>(Size::large).is_known() ? 0 : 1; }
