// SPDX-License-Identifier: MIT
// What the units of the module share: reader, writer and tracker, compiled once.
#define BANKHOOK_COMPILING
#include "library.hpp"
