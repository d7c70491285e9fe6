// SPDX-License-Identifier: MIT
// The whole library as the bindings use it: with one name that is known only at run time, and with its reader of archives.
#pragma once

#include <pybind11/pybind11.h>  // Python's own header asks to be the first

#include "place_id.hpp"

#include <bankhook/bankhook.hpp>
#include <bankhook/columns.hpp>
#include <bankhook/events/archive/element_reader.hpp>
#include <bankhook/events/archive/layout.hpp>
#include <bankhook/sandbox.hpp>
#include <bankhook/schema.hpp>
