// SPDX-License-Identifier: MIT
// Bytes become events: parse, Document, Owned, Lines.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/base/arena.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/json/parse.hpp>
#include <bankhook/reflect/owned.hpp>
// IWYU pragma: end_exports
