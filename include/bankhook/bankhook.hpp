// SPDX-License-Identifier: MIT
// The whole kit: includes only.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/base/version.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/connection_event_type.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/check.hpp>
#include <bankhook/events/diagnose.hpp>
#include <bankhook/events/document.hpp>
#include <bankhook/events/explain.hpp>
#include <bankhook/events/finding.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/literal.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/json/describe.hpp>
#include <bankhook/json/place.hpp>
#include <bankhook/machine/draw.hpp>
#include <bankhook/machine/edge.hpp>
#include <bankhook/machine/faults.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/machine/transitions.hpp>
#include <bankhook/machine/why_not.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/owned.hpp>
