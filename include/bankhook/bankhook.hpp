// SPDX-License-Identifier: MIT
// What a consumer needs: events, reading, writing, rules, lifecycles, tracker. Sandbox, schema and columns stand beside it.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/check.hpp>
#include <bankhook/events.hpp>
#include <bankhook/machine.hpp>
#include <bankhook/parse.hpp>
#include <bankhook/serialize.hpp>
#include <bankhook/tracking.hpp>
// IWYU pragma: end_exports
