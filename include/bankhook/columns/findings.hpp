// SPDX-License-Identifier: MIT
// The table of findings: what is wrong with each line of an archive, a row for each finding of `diagnose`.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/columns/rows.hpp>
#include <bankhook/events/archive/clean.hpp>
#include <bankhook/events/archive/line_reader.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/reflect/meaning.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI {

/// A finding of `diagnose` in a line of an archive, as a row of `to_columns<FindingRow>`. Views live as long as the
/// Finding.
struct FindingRow {
  static constexpr std::string_view meaning = "What is wrong with a line of an archive";
  static constexpr Meaning meanings[] = {
      {"rule", "Id of the rule that is broken"},
      {"evidence", "What the rule rests on: stated, example or assumed"},
      {"section", "Section of the specification"},
      {"severity", "error if parse rejects the line because of it, else warning"},
      {"path", "Where, as in RFC 9535"},
      {"offset", "Where, in bytes from the start of the line"},
      {"expected", "What is expected there"},
      {"found", "What is found there, without any value of the payload"},
  };

  std::string_view rule{};
  std::string_view evidence{};
  std::string_view section{};
  std::string_view severity{};
  std::string_view path{};
  nullable<std::int64_t> offset{};
  std::string_view expected{};
  std::string_view found{};
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::columns {

template <>
struct RowsOf<FindingRow> {
  static constexpr bool needs_order = false;

  std::size_t begin(const ArchiveLine& line) {
    findings.clear();
    if (!bankhook::detail::is_clean(line.event, line.has_notes)) findings = diagnose(line.raw);
    return findings.size();
  }
  [[nodiscard]] FindingRow row(std::size_t index) const {
    const Finding& finding = findings[index];
    FindingRow row{.rule = name_of(finding.rule),
                   .evidence = name_of(finding.evidence),
                   .section = finding.section,
                   .severity = name_of(finding.severity),
                   .path = finding.path,
                   .expected = finding.expected,
                   .found = finding.found};
    if (finding.offset) row.offset = static_cast<std::int64_t>(*finding.offset);
    return row;
  }

  std::vector<Finding> findings{};  ///< of the line
};

}  // namespace bankhook::inline BANKHOOK_ABI::columns
