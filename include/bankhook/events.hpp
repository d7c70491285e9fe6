// SPDX-License-Identifier: MIT
// The structs of the specification: events, resources, enumerations and the types of their values.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/base/version.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>
// IWYU pragma: end_exports
