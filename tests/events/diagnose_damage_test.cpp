// SPDX-License-Identifier: MIT
// Damaged payloads: cut at every byte and with every byte changed, `diagnose` finds what `parse` rejects, and only then.
#include <bankhook_catch.hpp>

#include <events/damage.hpp>
#include <events/diagnosed.hpp>
#include <events/samples.hpp>
#include <support/files.hpp>

#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>

namespace events_diagnose_damage_test {

using namespace bankhook::test;
using namespace std::string_view_literals;

namespace {

constexpr std::string_view replacements = "\0\x01\n \"\\/{}[],:-.0enu\x7F\x80\xC3\xED\xF0\xFF"sv;

/// Calls `with(name, payload)` for each sample that is small, valid and invalid ones.
template <class With>
void for_each_small_sample(With&& with) {
  for (const Sample& sample : samples()) {
    if (sample.text.size() <= large) with(sample.name, sample.text);
  }
  for (const Fault& fault : faults()) {
    if (fault.text.size() <= large) with(fault.name, fault.text);
  }
}

}  // namespace

TEST_CASE("parse and diagnose say the same of every shared payload") {
  Diagnosed diagnosed;
  for (const Sample& sample : samples()) check(diagnosed, sample.name, sample.text);
  for (const Fault& fault : faults()) check(diagnosed, fault.name, fault.text);
}

TEST_CASE("parse and diagnose say the same of every line of the archive") {
  Diagnosed diagnosed;
  std::istringstream lines(read_file(data() / "archive.ndjson"));
  for (std::string line; std::getline(lines, line);) check(diagnosed, "archive.ndjson", line);
}

TEST_CASE("parse and diagnose say the same of a payload that is cut at any byte") {
  Diagnosed diagnosed;
  for_each_small_sample([&](const std::string& name, const std::string& payload) {
    for (std::size_t size = 0; size < payload.size(); ++size)
      check(diagnosed, name, std::string_view(payload).substr(0, size));
  });
}

TEST_CASE("parse and diagnose say the same of a payload that begins at a later byte") {
  Diagnosed diagnosed;
  for (const Sample& sample : samples()) {
    if (sample.text.size() > large) continue;
    for (std::size_t start = 1; start < sample.text.size(); ++start)
      check(diagnosed, sample.name, std::string_view(sample.text).substr(start));
  }
}

TEST_CASE("parse and diagnose say the same of a payload with any byte changed") {
  Diagnosed diagnosed;
  for (const Sample& sample : samples()) {
    if (sample.text.size() <= large) check_with_bytes_changed(diagnosed, sample.name, sample.text, replacements);
  }
}

TEST_CASE("parse and diagnose say the same of an invalid payload with any byte changed") {
  Diagnosed diagnosed;
  for (const Fault& fault : faults()) {
    if (fault.text.size() <= large) check_with_bytes_changed(diagnosed, fault.name, fault.text, "\"{],");
  }
}

TEST_CASE("parse and diagnose say the same of a payload with any byte left out or doubled") {
  Diagnosed diagnosed;
  for_each_small_sample([&](const std::string& name, const std::string& original) {
    check_with_bytes_left_out_or_doubled(diagnosed, name, original);
  });
}

TEST_CASE("parse and diagnose say the same of the JSONTestSuite, alone and inside of a payload") {
  const auto folder = conformance() / "json" / "test_parsing";
  if (!std::filesystem::is_directory(folder)) {
    WARN("skipped: no JSON conformance cases in " << folder.string());
    return;
  }
  Diagnosed diagnosed;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string text = read_file(file.path());
    const std::string name = file.path().filename().string();
    check(diagnosed, name, text);
    check(diagnosed, name, "{\"more\":" + text + "," + sample("transaction_created").substr(1));
    check(diagnosed, name, "{\"event\":" + text + "," + sample("transaction_created").substr(1));
    check(diagnosed, name, sample("transaction_created").substr(0, 100) + text);
  }
}

}  // namespace events_diagnose_damage_test
