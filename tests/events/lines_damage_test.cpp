// SPDX-License-Identifier: MIT
// An archive that is damaged anywhere is read as its lines are, one by one: no event takes bytes of the next line along.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/sandbox/sandbox.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace events_lines_damage_test {

namespace {

using bankhook::Arena;

/// Some payloads, one a line, and something wrong at one place.
std::string damaged_archive(bankhook::Sandbox& sandbox, std::mt19937& random) {
  constexpr std::array<std::string_view, 10> wrong{"\n", "\r\n", "\r", " ", "\n\n", "\t\n ", "\"", "}", "\xC3", ""};
  std::string archive;
  for (int i = 0; i < 3; ++i) archive.append(sandbox.next().payload).append(random() % 2 == 0 ? "\n" : "\r\n");
  if (random() % 2 == 0) archive.pop_back();
  const std::size_t at = random() % archive.size();
  return archive.replace(at, random() % 2, wrong[random() % wrong.size()]);
}

/// The lines that are not blank, with their numbers.
std::vector<std::pair<std::size_t, std::string_view>> cut(std::string_view archive) {
  std::vector<std::pair<std::size_t, std::string_view>> lines;
  for (std::size_t number = 1; !archive.empty(); ++number) {
    const std::size_t size = std::min(archive.find('\n'), archive.size());
    std::string_view line = archive.substr(0, size);
    archive.remove_prefix(std::min(size + 1, archive.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t\r") != line.npos) lines.emplace_back(number, line);
  }
  return lines;
}

}  // namespace

TEST_CASE("an archive that is damaged anywhere is read as its lines are") {
  bankhook::Sandbox sandbox(11, {.members = 10});
  std::mt19937 random(5);
  Arena arena;
  Arena alone;
  for (int round = 0; round < 3000; ++round) {
    const std::string archive = damaged_archive(sandbox, random);
    CAPTURE(archive);
    const auto expected = cut(archive);
    std::size_t taken = 0;
    for (const bankhook::ArchiveLine& line : bankhook::Lines(archive, arena)) {
      REQUIRE(taken < expected.size());
      const auto& [number, raw] = expected[taken++];
      CHECK(line.number == number);
      REQUIRE(line.raw == raw);
      alone.reset();
      const auto event = bankhook::parse(std::string_view(raw), alone);
      REQUIRE(line.event.has_value() == event.has_value());
      if (event) CHECK(*line.event == *event);
      else CHECK(line.event.error() == event.error());
    }
    CHECK(taken == expected.size());
  }
}

}  // namespace events_lines_damage_test
