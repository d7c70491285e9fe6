// SPDX-License-Identifier: MIT
// A simulation of the service: its operations as calls, whole histories as a stream, faults on demand.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/events.hpp>
#include <bankhook/sandbox/delivery.hpp>
#include <bankhook/sandbox/options.hpp>
#include <bankhook/sandbox/sandbox.hpp>
// IWYU pragma: end_exports
