// SPDX-License-Identifier: MIT
// A fixed string is made by the compiler: text that is known only when the program runs is no argument for it.
// expect: not (usable in )?a constant expression
// lines: 20
#include <bankhook/base/fixed_string.hpp>

template <bankhook::FixedString Name>
constexpr auto size_of = Name.size();

#ifdef CONTROL
static constexpr char name[] = "name";
#else
static char name[] = "name";
#endif

int main() { return static_cast<int>(size_of<bankhook::FixedString(name)>); }
