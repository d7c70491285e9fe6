// SPDX-License-Identifier: MIT
// The library as the bindings see it: all of it, with one name that is known only while the program runs.
#pragma once

#include <pybind11/pybind11.h>  // Python's own header asks to be the first

#include "place_id.hpp"

#include <bankhook/bankhook.hpp>
