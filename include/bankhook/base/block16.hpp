// SPDX-License-Identifier: MIT
// Looking at 16 bytes at once: by the instructions that the build may use, or by the plain language.
#pragma once

#if defined(__SSE2__)
#include <bankhook/base/block16_sse2.hpp>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <bankhook/base/block16_neon.hpp>
#else
#include <bankhook/base/block16_plain.hpp>
#endif
