// SPDX-License-Identifier: MIT
// Python and the whole library as the bindings use it: with one name that is known only at run time.
#pragma once

#include <pybind11/pybind11.h>  // Python's own header asks to be the first

#include "place_id.hpp"
