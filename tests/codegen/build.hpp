// SPDX-License-Identifier: MIT
// How this program was built, as far as its machine code depends on it.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <version>

#if defined(__clang__)
#define BANKHOOK_COMPILER "Clang " BANKHOOK_TEXT(__clang_major__)
#else
#define BANKHOOK_COMPILER "GNU " BANKHOOK_TEXT(__GNUC__)
#endif

#if defined(_LIBCPP_VERSION)
#define BANKHOOK_LIBRARY "libc++ " BANKHOOK_TEXT(_LIBCPP_VERSION)
#else
#define BANKHOOK_LIBRARY "libstdc++ " BANKHOOK_TEXT(_GLIBCXX_RELEASE)
#endif

namespace bankhook::test {

inline constexpr const char* build = BANKHOOK_COMPILER ", " BANKHOOK_LIBRARY ", " BANKHOOK_FLAGS;

}  // namespace bankhook::test
