// SPDX-License-Identifier: MIT
// The results as a picture: how long each library takes to read each kind of event.
#pragma once

#include "machine.hpp"
#include "results.hpp"

#include <iosfwd>

namespace bankhook::bench {

/// An SVG of horizontal bars, each library's quickest way, on light and on dark pages.
void write_chart(std::ostream& out, const Machine& machine, const Results& results);

}  // namespace bankhook::bench
