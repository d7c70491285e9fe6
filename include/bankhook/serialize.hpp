// SPDX-License-Identifier: MIT
// Values become JSON: serialize and serialize_to.
#pragma once

#include <bankhook/events.hpp>
#include <bankhook/events/serialize.hpp>
