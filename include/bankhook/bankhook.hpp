// SPDX-License-Identifier: MIT
// The whole library: all public headers.
#pragma once

#include <bankhook/check.hpp>
#include <bankhook/columns.hpp>
#include <bankhook/events.hpp>
#include <bankhook/machine.hpp>
#include <bankhook/parse.hpp>
#include <bankhook/sandbox.hpp>
#include <bankhook/schema.hpp>
#include <bankhook/serialize.hpp>
#include <bankhook/tracking.hpp>
