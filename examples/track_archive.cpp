// SPDX-License-Identifier: MIT
// Tracks an archive: what is worth a look, what is known then, and the state to keep.
#include <bankhook/bankhook.hpp>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: track_archive ARCHIVE.ndjson\n";
    return 2;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  if (!file) {
    std::cerr << arguments[1] << " cannot be read\n";
    return 2;
  }
  const std::string archive{std::istreambuf_iterator<char>(file),
                            std::istreambuf_iterator<char>()};

  bankhook::Tracker tracker;
  const auto report = [](const bankhook::ArchiveLine& line,
                         const bankhook::Outcome& outcome) {
    if (outcome.verdict >= bankhook::Verdict::unspecified)
      std::cout << "line " << line.number << ": " << outcome.verdict << ": "
                << outcome.reason << '\n';
  };
  const bankhook::LineCounts counts = apply_lines(tracker, archive, report);

  std::cout << counts.lines << " lines, " << counts.rejected << " of them rejected; "
            << tracker.transaction_count() << " transactions\n";
  for (const bankhook::TrackedConnection& one : tracker.connections())
    std::cout << "connection " << one.connection.id << ": " << one.state << ", "
              << one.connection.accounts.size() << " accounts, error "
              << one.connection.error_code << '\n';

  const auto again = bankhook::Tracker::restore(tracker.snapshot());
  if (!again) std::cerr << again.error() << '\n';
  return again && *again == tracker ? 0 : 1;
}
