// SPDX-License-Identifier: MIT
// What differs between compilers: inlining, lifetimes, what they may merge. The only attributes by macro are here.
#pragma once

#if !defined(__cpp_lib_expected)
#include <version>
#endif

#if !defined(__GNUC__) || __cplusplus < 202100L || !defined(__cpp_lib_expected)
#error "bankhook needs C++23 with std::expected: GCC 12 or Clang 19 or newer, with -std=c++23"
#include <bankhook_needs_cpp23>  // there is no such file: the compiler stops here, before thousands of errors more
#endif

/// The hot path: part of its caller at every optimisation level above -O0.
#define BANKHOOK_INLINE [[gnu::always_inline]] inline
/// Shared between callers and kept out of them, so that the callers stay small.
#define BANKHOOK_NOINLINE [[gnu::noinline]]
/// Errors and rarities: out of line and away from the hot code.
#define BANKHOOK_COLD [[gnu::cold, gnu::noinline]]

#if defined(__clang__)
/// The result refers to this argument; clang warns where it would dangle.
#define BANKHOOK_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define BANKHOOK_LIFETIMEBOUND
#endif

namespace bankhook {

/// An empty statement that stays where it is: what is written before and behind it is not written at once.
BANKHOOK_INLINE void keep_apart() { asm volatile(""); }

}  // namespace bankhook
