// SPDX-License-Identifier: MIT
// JSON Schema and AsyncAPI, derived from the structs.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/events.hpp>
#include <bankhook/events/schema.hpp>
// IWYU pragma: end_exports
