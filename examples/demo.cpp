// SPDX-License-Identifier: MIT
// Reads an archive of both events: what is wrong in it, what it changes, and how fast.
#include <bankhook/bankhook.hpp>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

void print(const std::string& text) { std::printf("%s", text.c_str()); }

/// Everything that is wrong with a line, as a compiler would show it.
void show_findings(const bankhook::ArchiveLine& line) {
  const std::vector<bankhook::Finding> findings = bankhook::diagnose(line.raw);
  if (findings.empty()) return;
  std::printf("line %zu: %s\n", line.number, line.event ? "taken, but" : "rejected");
  print(bankhook::explain(findings, line.raw) + "\n");
}

/// What an event changes, and what the specification says about its coming now.
void show_changes(const bankhook::ArchiveLine& line, const bankhook::Outcome& outcome) {
  std::string text = "line " + std::to_string(line.number) + ": ";
  text.append(to_string(outcome.verdict)).append(outcome.repeat ? ", a repeat" : "");
  for (const bankhook::Change& change : outcome.changes)
    text.append(", ").append(label_of(change));
  const std::string why = to_string(outcome.reason);
  if (outcome.verdict != bankhook::Verdict::specified && !why.empty())
    text.append("\n    ").append(why);
  print(text + "\n");
}

/// The name and the type of the event; for one that is not listed, only that.
std::string kind_of(const bankhook::AnyEvent& event) {
  return bankhook::match(
      event,
      [](const bankhook::UnknownEvent&) {
        return std::string("events that are not listed");
      },
      [](const auto& known) {
        return std::string(known.event.text()) + " " +
               std::string(known.event_type.text());
      });
}

void summarise(std::string_view archive) {
  bankhook::Arena arena;
  bankhook::Tracker tracker;
  std::map<std::string, int> events;
  std::printf("What is wrong:\n\n");
  for (const bankhook::ArchiveLine& line : bankhook::Lines(archive, arena))
    show_findings(line);
  std::printf("What changes:\n\n");
  for (const bankhook::ArchiveLine& line : bankhook::Lines(archive, arena)) {
    if (line.event) show_changes(line, tracker.apply(*line.event));
    ++events[line.event ? kind_of(*line.event) : "lines rejected"];
  }
  std::printf("\nWhat there is:\n\n");
  for (const auto& [name, count] : events)
    std::printf("%6d  %s\n", count, name.c_str());
  std::printf(
      "%6zu  members, %zu connections and %zu initial transactions are known now\n",
      tracker.member_count(), tracker.connection_count(), tracker.transaction_count());
}

/// The archive repeated to some 64 MB, so that the clock has something to measure.
void measure(const std::string& archive) {
  std::string large;
  while (large.size() < (std::size_t{64} << 20)) large += archive;
  bankhook::Arena arena;
  std::size_t events = 0, broken = 0;
  const auto start = std::chrono::steady_clock::now();
  for (const bankhook::ArchiveLine& line : bankhook::Lines(large, arena)) {
    if (!line.event) continue;
    ++events;
    broken += !check(*line.event).empty();
  }
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  std::printf(
      "\n%zu events in %zu MB read and checked, %zu against a rule: %.0f ns an event, "
      "%.2f GB/s\n",
      events, large.size() >> 20, broken,
      1e9 * seconds.count() / static_cast<double>(events),
      static_cast<double>(large.size()) / seconds.count() / 1e9);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: demo ARCHIVE.ndjson\n", stderr);
    return 2;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string archive{std::istreambuf_iterator<char>(file),
                            std::istreambuf_iterator<char>()};
  if (!file || archive.empty()) {
    std::fprintf(stderr, "demo: %s: cannot be read or is empty\n", arguments[1]);
    return 2;
  }
  std::printf("%s\n\n", arguments[1]);
  summarise(archive);
  measure(archive);
  return 0;
}
