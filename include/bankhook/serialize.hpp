// SPDX-License-Identifier: MIT
// Values become JSON: serialize, serialize_to and serialize_over.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/events.hpp>
#include <bankhook/events/serialize.hpp>
// IWYU pragma: end_exports
