// SPDX-License-Identifier: MIT
// The unit of bankhook::compiled: what the headers leave out where BANKHOOK_COMPILED is defined.
#define BANKHOOK_COMPILING
#include <bankhook/bankhook.hpp>
