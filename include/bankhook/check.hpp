// SPDX-License-Identifier: MIT
// What is wrong with a payload or an event: rules, check, diagnose, explain.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/events.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/excerpt.hpp>
#include <bankhook/events/rules/explain.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/json/recover/path.hpp>
// IWYU pragma: end_exports
