// SPDX-License-Identifier: MIT
// JSON Schema and AsyncAPI, derived from the structs.
#pragma once

#include <bankhook/events.hpp>
#include <bankhook/events/schema.hpp>
