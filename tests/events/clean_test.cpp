// SPDX-License-Identifier: MIT
// The quick answer whether a payload is clean, and the lines of an archive that are not.
#include <bankhook_catch.hpp>

#include <bankhook/events/rules/diagnose.hpp>

#include <events/diagnosed.hpp>
#include <events/samples.hpp>
#include <support/files.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace events_clean_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

using LineTexts = std::vector<std::pair<std::size_t, std::string>>;

/// The lines that are not clean, and the counts.
LineTexts unclean_lines(std::string_view archive, LineCounts& counts) {
  Arena arena;
  LineTexts texts;
  const std::size_t read = diagnose_lines(archive, arena, counts, [&](std::size_t number, std::string_view raw) {
    texts.emplace_back(number, raw);
    return true;
  });
  CHECK(read == archive.size());
  return texts;
}

std::string with(std::string text, std::string_view what, std::string_view by) {
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace

TEST_CASE("a valid payload of a listed event is clean") {
  Arena arena;
  CHECK(is_clean(sample("transaction_created"), arena));
  CHECK(is_clean("  " + sample("transaction_created") + "\n", arena));
}

TEST_CASE("a payload that parse takes is not clean where something is to be found in it") {
  const std::string& created = sample("transaction_created");
  Arena arena;
  CHECK_FALSE(is_clean(with(created, "{", R"({"more":1,)"), arena));                                // 9: unlisted
  CHECK_FALSE(is_clean(with(created, R"("externalId")", R"("tier":"gold","externalId")"), arena));  // 6.3
  CHECK_FALSE(is_clean(with(created, R"("status":)", R"("placeId":null,"status":)"), arena));       // 2.4: not null
  CHECK_FALSE(is_clean(with(created, R"("eventType":"created")", R"("eventType":"lost")"), arena));
  CHECK_FALSE(is_clean(R"({"event":"loyalty_points_update","points":120})", arena));  // 6: not listed
}

TEST_CASE(
    "2.2: a consent of other than four fraction digits is read, and not clean, wherever it stands and however it is read") {
  const std::string& created = sample("connection_created");
  constexpr std::string_view four = "09:30:00.0000";
  const std::size_t last = created.rfind(four);
  REQUIRE(created.find(four) < last);
  Arena arena;
  CHECK(is_clean(created, arena));
  for (const std::string_view other : {"09:30:00.0", "09:30:00.000", "09:30:00.00000", "09:30:00.000000000"}) {
    CAPTURE(other);
    std::string at_the_end = created;
    at_the_end.replace(last, four.size(), other);
    for (const std::string& payload : {with(created, four, other), at_the_end, " " + with(created, four, other)}) {
      CHECK(parse(payload, arena).has_value());
      CHECK_FALSE(is_clean(payload, arena));
      CHECK(is_clean(payload, arena) == diagnose(payload).empty());
      LineCounts counts;
      CHECK(unclean_lines(created + "\n" + payload + "\n" + created, counts) == LineTexts{{2, payload}});
      CHECK(counts.rejected == 0);
    }
  }
  CHECK(is_clean(with(created, four, R"(09:30:00.000\u0030)"), arena));  // four of them, written otherwise
}

TEST_CASE("a listed event whose name does not come first is as clean as any other") {
  constexpr std::string_view name = R"("event":"initial_transaction_update",)";
  std::string late = with(sample("transaction_created"), name, "");
  REQUIRE(late.ends_with("}"));
  late.insert(late.size() - 1, R"(,"event":"initial_transaction_update")");
  Arena arena;
  CHECK(is_clean(late, arena));
  CHECK(diagnose(late).empty());
  late.insert(1, R"("more":1,)");
  CHECK_FALSE(is_clean(late, arena));
}

TEST_CASE("a payload with spare bytes after it is as clean as one without") {
  Arena arena;
  for (const Sample& one : samples()) {
    const std::string padded = one.text + std::string(PaddedView::padding, '}');
    CAPTURE(one.name);
    CHECK(is_clean(PaddedView{std::string_view(padded).substr(0, one.text.size())}, arena) == is_clean(one.text, arena));
  }
}

TEST_CASE("the lines of the archive that are reported are those in which diagnose finds something") {
  const std::string archive = read_file(data() / "archive.ndjson");
  LineCounts counts;
  LineTexts expected;
  std::size_t rejected = 0, number = 0;
  for (std::size_t begin = 0; begin < archive.size();) {
    const std::size_t end = archive.find('\n', begin);
    const std::string line = archive.substr(begin, end - begin);
    const auto findings = diagnose(line);
    ++number;
    if (!findings.empty()) expected.emplace_back(number, line);
    rejected += std::ranges::any_of(findings, is_rejected);
    begin = end + 1;
  }
  CHECK(unclean_lines(archive, counts) == expected);
  CHECK(counts.lines == number);
  CHECK(counts.rejected == rejected);
  CHECK(counts.events[0] + counts.events[1] + counts.events[2] == number - rejected);
}

TEST_CASE("reading strictly rejects what parse rejects, and what breaks a stated rule") {
  std::vector<std::string> payloads;
  for (const Sample& one : samples()) payloads.push_back(one.text);
  for (const Fault& fault : faults()) payloads.push_back(fault.text);
  const std::string& created = sample("transaction_created");
  payloads.push_back(with(created, R"("status":"created")", R"("status":"rejected")"));               // 6.3, stated
  payloads.push_back(with(created, R"("externalId")", R"("tier":"gold","externalId")"));              // 6.3, stated
  payloads.push_back(with(created, R"("initialTransaction":{)", R"("initialTransaction":{"x":1,)"));  // 9, assumed
  std::size_t read = 0, stated = 0;
  for (const std::string& payload : payloads) {
    INFO(payload);
    std::vector<Finding> expected;
    for (const Finding& one : diagnose(payload)) {
      if (one.evidence == Evidence::stated || one.severity == Severity::error) expected.push_back(one);
    }
    Arena arena;
    const auto event = parse_strictly(payload, arena);
    REQUIRE(event.has_value() == expected.empty());
    if (event) CHECK(same_event(*event, *parse(payload, arena)));
    else CHECK(event.error() == expected);
    read += event.has_value();
    stated += !event && parse(payload, arena).has_value();
  }
  CHECK(read > 10);
  CHECK(stated >= 2);
}

TEST_CASE("lines are counted on from part to part, blank ones too") {
  LineCounts counts;
  CHECK(unclean_lines("\n \r\n", counts).empty());
  CHECK(unclean_lines("{}\r\n\n", counts) == LineTexts{{3, "{}"}});
  CHECK(unclean_lines(sample("transaction_created"), counts).empty());
  CHECK(counts == LineCounts{.lines = 5, .events = {0, 1, 0}, .rejected = 1, .first_rejected = 3});
}

TEST_CASE("a caller can stop after a line and go on there") {
  const std::string_view archive = "{}\n[]\n{}\n";
  Arena arena;
  LineCounts counts;
  const auto stop = [](std::size_t, std::string_view) { return false; };
  CHECK(diagnose_lines(archive, arena, counts, stop) == 3);
  CHECK(diagnose_lines(archive.substr(3), arena, counts, stop) == 3);
  CHECK(counts.lines == 2);
}

}  // namespace events_clean_test
