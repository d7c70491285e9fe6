// SPDX-License-Identifier: MIT
// Values become JSON: serialize and serialize_to.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/events.hpp>
#include <bankhook/events/serialize.hpp>
// IWYU pragma: end_exports
