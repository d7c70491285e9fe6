// SPDX-License-Identifier: MIT
// Transition tables that the compiler proves, the two lifecycles of the specification, and their pictures.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/machine/draw.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/machine/table_errors.hpp>
#include <bankhook/machine/transition.hpp>
// IWYU pragma: end_exports
