// SPDX-License-Identifier: MIT
// The shared payloads, each with the full list of what `diagnose` finds in it; together they break every rule.
#include <bankhook_catch.hpp>

#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/explain.hpp>

#include <events/diagnosed.hpp>
#include <events/samples.hpp>
#include <support/files.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace events_diagnose_data_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

/// `["customer","connections",0]`; no name of these payloads has to be escaped.
std::string json_of(const std::vector<PathStep>& steps) {
  std::string json;
  for (const PathStep& step : steps) {
    const auto* const name = std::get_if<std::string>(&step);
    const std::string index = name == nullptr ? std::to_string(std::get<std::size_t>(step)) : '"' + *name + '"';
    json.append(json.empty() ? "" : ",").append(index);
  }
  return '[' + json + ']';
}

/// A finding as a row of tests/data/findings.tsv.
std::string row_of(const Finding& finding) {
  std::string row(to_string(finding.rule));
  for (const std::string& cell :
       {std::string(name_of(finding.evidence)), std::string(finding.section), std::string(name_of(finding.severity)),
        finding.path, std::to_string(finding.offset.value()), std::to_string(finding.line.value()),
        std::to_string(finding.column.value()), finding.expected, finding.found, json_of(finding.steps)}) {
    row.append(" | ").append(cell);
  }
  return row;
}

/// The rows by file; a file without findings has none.
std::map<std::string, std::vector<std::string>> listed_findings() {
  std::map<std::string, std::vector<std::string>> files;
  for (const auto& cells : read_rows(data() / "findings.tsv", '\t')) {
    std::string row = cells.at(1);
    for (std::size_t i = 2; i < cells.size(); ++i) row.append(" | ").append(cells[i]);
    files[cells[0]].push_back(row);
  }
  return files;
}

/// The names of the payloads, `invalid/empty.json`.
std::vector<std::string> payload_names() {
  std::vector<std::string> names;
  for (const std::string folder : {"invalid", "valid", "broken_rules"}) {
    for (const auto& file : std::filesystem::directory_iterator(data() / folder)) {
      if (file.path().extension() == ".json") names.push_back(folder + "/" + file.path().filename().string());
    }
  }
  return names;
}

}  // namespace

TEST_CASE("every shared payload has the findings that their list names, no more and no fewer") {
  auto listed = listed_findings();
  for (const std::string& name : payload_names()) {
    CAPTURE(name);
    std::vector<std::string> found;
    for (const Finding& finding : diagnose(read_file(data() / name))) found.push_back(row_of(finding));
    CHECK(found == listed[name]);
  }
}

TEST_CASE("the error of parse is explained in the words of the list, by which Python's ParseError is checked, too") {
  Arena arena;
  std::size_t rejected = 0;
  std::map<std::string, std::vector<std::string>> first_errors;  // rule, evidence, section, severity, path, offset, ...
  for (const auto& cells : read_rows(data() / "findings.tsv", '\t')) {
    if (cells.at(4) == "error") first_errors.try_emplace(cells.at(0), cells);
  }
  for (const auto& [name, row] : first_errors) {
    CAPTURE(name);
    const std::string text = read_file(data() / name);
    const auto event = parse(text, arena);
    REQUIRE_FALSE(event.has_value());
    const std::string words = row.at(5) + ": " + bankhook::detail::sentence(row.at(9), row.at(10));
    CHECK(to_string(finding_of(event.error(), text)) == words + " (line " + row.at(7) + ", column " + row.at(8) + ")");
    const std::string head = words + "\n  rule: " + row.at(1) + " (" + row.at(2) + ", section " + row.at(3) + ")\n";
    CHECK(explain(event.error(), text, 1'000).starts_with(head));
    ++rejected;
  }
  CHECK(rejected > 40);
}

TEST_CASE("every payload in the list of findings is there") {
  for (const auto& [name, rows] : listed_findings()) CHECK(std::filesystem::is_regular_file(data() / name));
}

TEST_CASE("every rule that a payload alone can break is broken by a shared payload") {
  std::set<std::string, std::less<>> broken;
  for (const auto& cells : read_rows(data() / "findings.tsv", '\t')) broken.insert(cells.at(1));
  for (const Rule& rule : rules) {
    CAPTURE(rule.id());
    const bool needs_other_payloads = rule.rule >= RuleId::event_is_not_repeated;  // about the order of events
    CHECK(broken.contains(rule.id()) != needs_other_payloads);
  }
}

TEST_CASE("parse takes every payload that only breaks rules") {
  Diagnosed diagnosed;
  Arena arena;
  for (const std::string& name : payload_names()) {
    if (!name.starts_with("broken_rules/")) continue;
    CAPTURE(name);
    const std::string text = read_file(data() / name);
    CHECK(parse(text, arena).has_value());
    CHECK(diagnosed.disagreement(text) == "");
  }
}

}  // namespace events_diagnose_data_test
