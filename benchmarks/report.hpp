// SPDX-License-Identifier: MIT
// The results as a page of Markdown: summary, tables, what the peers leave out, and every bar.
#pragma once

#include "machine.hpp"
#include "results.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace bankhook::bench {

/// What the page says beside the results.
struct Setting {
  Machine machine;
  std::string made;                  ///< when, and by which state of the sources
  std::vector<std::string> corpora;  ///< what was measured on, one line each
};

/// Why there is to be no page of these results in place of the one at `path`; nothing if they may take it.
[[nodiscard]] std::vector<std::string> problems_of(const std::string& path, const Setting& setting, const Results& results);

void write_report(std::ostream& out, const Setting& setting, const Results& results);

}  // namespace bankhook::bench
