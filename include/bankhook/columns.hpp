// SPDX-License-Identifier: MIT
// An archive as tables: Arrow columns, handed over through Arrow's C data and stream interfaces.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/columns/rows.hpp>
#include <bankhook/columns/stream.hpp>
// IWYU pragma: end_exports
