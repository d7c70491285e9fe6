// SPDX-License-Identifier: MIT
// Archives of one event a line: numbers, ends of lines, blank lines, and bad lines that never stop the rest.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/serialize.hpp>

#include <events/samples.hpp>
#include <json/guarded.hpp>
#include <json/show.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace events_lines_test {

using namespace bankhook;
using test::sample;

namespace {

struct Found {
  std::size_t number;
  std::string raw;
  std::string result;  ///< the event written again, or the name of the error

  bool operator==(const Found&) const = default;
};

std::vector<Found> read_lines(std::string_view archive) {
  std::vector<Found> found;
  Arena arena;
  for (const ArchiveLine& line : Lines(archive, arena)) {
    const std::string result = line.event ? serialize(*line.event) : std::string(name_of(line.event.error().code));
    found.push_back({line.number, std::string(line.raw), result});
  }
  return found;
}

const std::string& created() { return sample("transaction_created"); }
const std::string& connection() { return sample("connection_updated_with_accounts"); }

}  // namespace

TEST_CASE("an archive is walked line by line, numbers counted from 1") {
  const std::vector<Found> expected{{1, created(), created()}, {2, connection(), connection()}, {3, created(), created()}};
  const std::string archive = created() + "\n" + connection() + "\n" + created();
  CHECK(read_lines(archive + "\n") == expected);
  CHECK(read_lines(archive) == expected);
}

TEST_CASE("a byte order mark before a line is read over, and no part of it: files were joined") {
  const std::string mark = "\xEF\xBB\xBF", damaged = "{\"event\":}";
  const std::vector<Found> expected{{1, created(), created()},
                                    {2, connection(), connection()},
                                    {4, damaged, "expected_string"},
                                    {5, created(), created()}};
  const std::string archive = created() + "\r\n" + mark + connection() + "\n" + mark + "\n" + mark + damaged + "\n";
  CHECK(read_lines(mark + archive + mark + created()) == expected);
  CHECK(read_lines(archive + created() + "\n" + mark) == expected);
  CHECK(read_lines(mark).empty());
  CHECK(read_lines(mark + mark + created()).front().result == "expected_object");
  CHECK(read_lines(" " + mark + created()).front().result == "expected_object");
  CHECK(read_lines(created() + mark).front().result == "trailing_text");
}

TEST_CASE("lines are counted as they are read, up to the last one that is not blank") {
  const std::string archive = created() + "\n\n{}\n" + connection() + "\n\n";
  LineCounts counts;
  Arena arena;
  for (const ArchiveLine& line : Lines(archive, arena)) counts.add(line);
  CHECK(counts == LineCounts{.lines = 4, .events = {1, 1, 0}, .rejected = 1, .first_rejected = 3});
}

TEST_CASE("lines may end in LF or CR LF, which is not part of the line") {
  const std::vector<Found> expected{{1, created(), created()}, {2, connection(), connection()}};
  CHECK(read_lines(created() + "\r\n" + connection() + "\r\n") == expected);
  CHECK(read_lines(created() + "\r\n" + connection()) == expected);
  CHECK(read_lines(created() + "\n" + connection() + "\r") == expected);
}

TEST_CASE("blank lines are left out and counted") {
  const std::vector<Found> expected{{3, created(), created()}, {6, connection(), connection()}};
  CHECK(read_lines("\n \t\r\n" + created() + "\n\r\n\n" + connection() + "\n\n") == expected);
}

TEST_CASE("an archive without events has no lines") {
  CHECK(read_lines("").empty());
  CHECK(read_lines("\n").empty());
  CHECK(read_lines(" \r\n\t\n\n ").empty());
}

TEST_CASE("white space around an event stays in its raw line") {
  CHECK(read_lines("  " + created() + " \n") == std::vector<Found>{{1, "  " + created() + " ", created()}});
}

TEST_CASE("a bad line is an error in its place and the lines around it are read") {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"{", "truncated"},
      {"]", "expected_object"},
      {"{}", "missing_field"},
      {"{\"event\":\"x\"} {}", "trailing_text"},
      {created().substr(0, 100), "truncated"},
      {created().substr(50), "expected_object"},
      {connection().substr(0, connection().find("acc-0001") + 3), "truncated"},
      {"{\"event\":\"x", "truncated"},
      {"{\"event\":\"x\\", "truncated"},
      {"{\"event\":\"\xFF\"}", "invalid_utf8"}};
  for (const auto& [text, code] : bad) {
    for (const std::string_view end : {"\n", "\r\n"}) {
      const std::string archive = created() + std::string(end) + text + std::string(end) + connection() + std::string(end);
      CAPTURE(text);
      CHECK(read_lines(archive) ==
            std::vector<Found>{{1, created(), created()}, {2, text, code}, {3, connection(), connection()}});
    }
    CHECK(read_lines(text) == std::vector<Found>{{1, text, code}});
  }
}

TEST_CASE("a line that is cut anywhere takes nothing of the next line along") {
  for (std::size_t size = 1; size < connection().size(); ++size) {
    const std::string cut = connection().substr(0, size);
    const std::string archive = cut + "\n" + connection().substr(size) + "\n" + created() + "\n";
    const auto lines = read_lines(archive);
    CAPTURE(size);
    REQUIRE(lines.size() == 3);
    Arena arena;
    const Error alone = parse(cut, arena).error();
    REQUIRE(lines[0] == Found{1, cut, std::string(name_of(alone.code))});
    REQUIRE(lines[2] == Found{3, created(), created()});
  }
}

TEST_CASE("an error's offset counts from the start of its line") {
  Arena arena;
  const std::string archive = created() + "\n" + R"({"event":"x",})" + "\n";
  Lines lines(archive, arena);
  auto line = lines.begin();
  ++line;
  REQUIRE_FALSE(line->event.has_value());
  CHECK(line->event.error() == Error{.code = Errc::expected_field_name, .offset = 13});
  CHECK(line->raw.data() == archive.data() + created().size() + 1);
  ++line;
  CHECK(line == Lines::end());
}

TEST_CASE("who asks twice for the first line loses none") {
  Arena arena;
  const std::string archive = created() + "\n{\n" + created() + "\n";
  Lines lines(archive, arena);
  REQUIRE_FALSE(lines.begin() == Lines::end());
  CHECK(lines.begin()->number == 1);
  std::string numbers;
  for (const ArchiveLine& line : lines) numbers += std::to_string(line.number);
  CHECK(numbers == "123");
  CHECK(lines.begin() == Lines::end());
}

TEST_CASE("lines are an input range") {
  STATIC_REQUIRE(std::ranges::input_range<Lines>);
  STATIC_REQUIRE(std::input_iterator<Lines::Iterator>);
  Arena arena;
  const std::string archive = created() + "\n{\n" + created() + "\n";
  Lines lines(archive, arena);
  CHECK(std::ranges::count_if(lines, [](const ArchiveLine& line) { return line.event.has_value(); }) == 2);
}

TEST_CASE("nothing after an archive is read, however its last line ends") {
  test::GuardedPages pages;
  for (const test::Sample& one : test::samples()) {
    if (one.text.find('\n') != std::string::npos) continue;
    const std::string archive = created() + "\n" + one.text;
    for (const std::string_view end : {"", "\n", "\r", "\r\n", "\n\n", "\n{"}) {
      Arena arena;
      const std::string whole = archive + std::string(end);
      std::size_t events = 0;
      for (const ArchiveLine& line : Lines(pages.before_the_guard(whole), arena)) events += line.event.has_value();
      CHECK(events == 2);
    }
    for (std::size_t size = 0; size < archive.size(); ++size) {
      Arena arena;
      std::size_t lines = 0;
      for (const ArchiveLine& line : Lines(pages.before_the_guard(std::string_view(archive).substr(0, size)), arena))
        lines += line.number;
      REQUIRE(lines <= 3);
    }
  }
}

TEST_CASE("the sample archive holds both events, unknown ones and bad lines, each with its error") {
  const std::string archive = test::read_file(test::data() / "archive.ndjson");
  Arena arena;
  std::size_t counts[3]{};
  std::vector<std::pair<std::size_t, std::string_view>> errors;
  for (const ArchiveLine& line : Lines(archive, arena)) {
    if (line.event) ++counts[line.event->index()];
    else errors.emplace_back(line.number, name_of(line.event.error().code));
  }
  CHECK(counts[0] == 6);
  CHECK(counts[1] == 7);
  CHECK(counts[2] == 1);
  CHECK(errors == std::vector<std::pair<std::size_t, std::string_view>>{{15, "truncated"},
                                                                        {16, "expected_number"},
                                                                        {17, "nonexistent_date_time"},
                                                                        {18, "expected_count"},
                                                                        {19, "missing_field"}});
}

TEST_CASE("lines that are read at once stay valid beside each other") {
  const std::string archive = test::read_file(test::data() / "archive.ndjson");
  Arena arena, other;
  std::vector<ArchiveLine> lines;
  CHECK(parse_lines(archive, arena, lines) == static_cast<std::size_t>(std::ranges::count(archive, '\n')));
  std::size_t index = 0;
  for (const ArchiveLine& line : Lines(archive, other)) {
    REQUIRE(index < lines.size());
    CHECK(lines[index].number == line.number);
    CHECK(lines[index].raw == line.raw);
    REQUIRE(lines[index].event.has_value() == line.event.has_value());
    if (line.event) CHECK(serialize(*lines[index].event) == serialize(*line.event));
    else CHECK(lines[index].event.error() == line.event.error());
    ++index;
  }
  CHECK(index == lines.size());
}

TEST_CASE("lines that are read in pieces count on") {
  Arena arena;
  std::vector<ArchiveLine> lines;
  const std::string_view first = "{\"event\":\"a\"}\n\n", second = "\n{\"event\":\"b\"}";
  CHECK(parse_lines(second, arena, lines, parse_lines(first, arena, lines)) == 4);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].number == 1);
  CHECK(lines[1].number == 4);
}

}  // namespace events_lines_test
