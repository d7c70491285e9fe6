// SPDX-License-Identifier: MIT
// Reads an archive of both events and says what it holds, what is new in it, what is wrong in it, and how fast that went.
#include <bankhook/bankhook.hpp>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace {

/// What the archive holds, line by line.
struct Summary {
  std::map<std::string, int, std::less<>> events;
  int unknown = 0;
  int refused = 0;
};

void refuse(std::size_t line, const bankhook::Error& error, std::string_view raw) {
  const bankhook::Place place = bankhook::locate(raw, error.offset);
  const std::string what = bankhook::sentence(error, raw);
  std::printf("  line %zu, column %zu: %s: %s\n", line, place.column, place.path.c_str(), what.c_str());
}

Summary summarise(std::string_view archive) {
  Summary summary;
  bankhook::Arena arena;
  for (const bankhook::Line& line : bankhook::Lines(archive, arena)) {
    if (!line.event) {
      ++summary.refused;
      refuse(line.number, line.event.error(), line.raw);
    } else if (const auto* update = std::get_if<bankhook::BankConnectionsUpdateV2>(&*line.event)) {
      ++summary.events[std::string(update->event.text()) + " " + std::string(update->event_type.text())];
    } else if (const auto* purchase = std::get_if<bankhook::InitialTransactionUpdate>(&*line.event)) {
      ++summary.events[std::string(purchase->event.text()) + " " + std::string(purchase->event_type.text())];
      if (!purchase->event_type.is_known())
        std::printf("  line %zu: an event type that is not listed: kept\n", line.number);
    } else {
      ++summary.unknown;
      std::printf("  line %zu: an event that is not listed: kept\n", line.number);
    }
  }
  return summary;
}

/// GB/s over the archive repeated to some 64 MB, so that the clock has something to measure.
double throughput(const std::string& archive) {
  std::string large;
  while (large.size() < (std::size_t{64} << 20)) large += archive;
  bankhook::Arena arena;
  std::size_t events = 0;
  const auto start = std::chrono::steady_clock::now();
  for (const bankhook::Line& line : bankhook::Lines(large, arena)) events += line.event.has_value();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("\n%zu events in %zu MB: %.0f ns an event, ", events, large.size() >> 20,
              1e9 * seconds.count() / static_cast<double>(events));
  return static_cast<double>(large.size()) / seconds.count() / 1e9;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: demo ARCHIVE.ndjson\n", stderr);
    return 2;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string archive{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file || archive.empty()) {
    std::fprintf(stderr, "demo: %s: cannot be read or is empty\n", arguments[1]);
    return 2;
  }
  std::printf("%s\n", arguments[1]);
  const Summary summary = summarise(archive);
  std::printf("\n");
  for (const auto& [name, events] : summary.events) std::printf("%6d  %s\n", events, name.c_str());
  std::printf("%6d  events that are not listed\n%6d  lines refused\n", summary.unknown, summary.refused);
  std::printf("%.2f GB/s\n", throughput(archive));
  return 0;
}
