// SPDX-License-Identifier: MIT
// Documents and owned events: values that live without the payload they came from; round trips, equality and hashing.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/explain.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/owned.hpp>
#include <bankhook/tracking/apply_lines.hpp>
#include <bankhook/tracking/member_state.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <events/samples.hpp>
#include <json/show.hpp>
#include <support/allocations.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace events_document_test {

using namespace bankhook;
using test::Sample;
using test::samples;

TEST_CASE("a byte order mark before a payload is read over, whatever reads it, and is no part of it") {
  const std::string mark = "\xEF\xBB\xBF";
  Arena arena, other;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    for (const std::string& text : {sample.text, " " + sample.text}) {
      const auto plain = parse(text, arena);
      const std::string marked_text = mark + text;
      const auto marked = parse(marked_text, other);
      REQUIRE(plain.has_value() == marked.has_value());
      const auto document = Document::parse(marked_text);
      REQUIRE(document.has_value() == plain.has_value());
      if (plain) {
        CHECK(serialize(*marked) == serialize(*plain));
        CHECK(document->raw() == text);
        CHECK(serialize(document->event()) == serialize(*plain));
      } else {
        CHECK(marked.error().code == plain.error().code);
        CHECK(marked.error().offset == plain.error().offset + mark.size());
        CHECK(document.error() == marked.error());
      }
    }
  }
  const std::string account = mark + R"({"id":"a","accountHash":null})";
  CHECK(parse_as<Account>(account, arena).has_value());
}

TEST_CASE("a document keeps the event and the payload when the bytes it was made of are gone") {
  for (const Sample& sample : samples()) {
    std::string bytes = sample.text;
    const auto document = Document::parse(bytes);
    bytes.assign(bytes.size(), '#');
    CAPTURE(sample.name);
    REQUIRE(document.has_value());
    CHECK(document->raw() == sample.text);
    Arena arena;
    CHECK(test::same_event(document->event(), *parse(sample.text, arena)));
  }
}

TEST_CASE("documents by one reader live without it and without each other, whatever it read before") {
  std::vector<Document> documents;
  {
    Arena arena(100);
    for (const Sample& sample : samples()) {
      REQUIRE(parse(sample.text, arena).has_value());
      for (const test::Fault& fault : test::faults()) {
        const auto bad = Document::parse(fault.text, arena);
        REQUIRE_FALSE(bad.has_value());
      }
      std::string bytes = sample.text;
      documents.push_back(*Document::parse(bytes, arena));
      bytes.assign(bytes.size(), '#');
      CHECK(arena.capacity() == 0);
    }
  }
  for (std::size_t i = samples().size(); i-- > 0; documents.pop_back()) {
    Arena arena;
    CAPTURE(samples()[i].name);
    CHECK(documents[i].raw() == samples()[i].text);
    CHECK(test::same_event(documents[i].event(), *parse(samples()[i].text, arena)));
  }
}

TEST_CASE("a document takes no memory over that something larger before it needed") {
  constexpr std::size_t size = std::size_t{64} << 20;
  Arena arena;
  const auto larger = reinterpret_cast<std::uintptr_t>(arena.allocate(size, 1));
  const auto document = Document::parse(samples().front().text, arena);
  REQUIRE(document.has_value());
  CHECK(reinterpret_cast<std::uintptr_t>(document->raw().data()) - larger >= size);
}

TEST_CASE("a document for which there is no memory is an error, whatever the arena has room for") {
  const std::string& payload = test::sample("member_with_many_connections");
  for (std::size_t room = 0; room < payload.size(); room += 50) {
    Arena arena(room);
    test::allocations_left = 0;
    const auto document = Document::parse(payload, arena);
    test::allocations_left = SIZE_MAX;
    CAPTURE(room);
    REQUIRE_FALSE(document.has_value());
    CHECK(document.error() == Error{.code = Errc::out_of_memory});
  }
}

TEST_CASE("a document may be made of a temporary") {
  const auto document = Document::parse(std::string(samples().front().text));
  REQUIRE(document.has_value());
  CHECK(document->raw() == samples().front().text);
}

TEST_CASE("a payload is bytes in any form in which they lie beside each other") {
  const std::string& text = samples().front().text;
  const std::vector<char> characters(text.begin(), text.end());
  const std::vector<unsigned char> bytes(text.begin(), text.end());
  const std::u8string utf8(text.begin(), text.end());
  Arena arena;
  const AnyEvent expected = parse(text, arena).value();
  CHECK(parse(characters, arena) == expected);
  CHECK(parse(bytes, arena) == expected);
  CHECK(parse(std::as_bytes(std::span(bytes)), arena) == expected);
  CHECK(parse(std::u8string_view(utf8), arena) == expected);
  CHECK(parse({text.data(), text.size()}, arena) == expected);
  CHECK(parse(text.c_str(), arena) == expected);
  const auto document = Document::parse(characters);
  CHECK(document->raw() == text);
  CHECK(Document::parse(std::as_bytes(std::span(bytes))).has_value());
  CHECK(parse_strictly(bytes, arena).has_value() == parse_strictly(text, arena).has_value());
  std::size_t lines = 0;
  for (const ArchiveLine& line : Lines(bytes, arena)) lines += line.event.has_value();
  CHECK(lines > 0);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<const std::vector<int>&, Bytes>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::wstring_view, Bytes>);
}

TEST_CASE("what is read and not viewed afterwards may be a temporary, in any of these forms") {
  const std::string& text = samples().front().text;
  const auto reads = [&](const auto& made) {
    Arena arena;
    LineCounts counts;
    Tracker tracker, other;
    CHECK(diagnose(made()) == diagnose(text));
    CHECK(diagnose_as<Account>(made()) == diagnose_as<Account>(text));
    CHECK(is_clean(made(), arena) == is_clean(text, arena));
    CHECK(explain(diagnose(text), made()) == explain(diagnose(text), text));
    diagnose_lines(made(), arena, counts, [](std::size_t, std::string_view) { return true; });
    CHECK(counts.lines > 0);
    CHECK(apply_lines(tracker, made()) == apply_lines(other, text));
    CHECK(Tracker::restore(made()).error() == Tracker::restore(text).error());
    CHECK(MemberState::restore(made()).error() == MemberState::restore(text).error());
  };
  reads([&] { return text; });
  reads([&] { return text.c_str(); });
  reads([&] { return PaddedString(text); });
  reads([&] { return std::vector<char>(text.begin(), text.end()); });
  reads([&] { return std::as_bytes(std::span(text)); });
  reads([&] { return std::u8string(text.begin(), text.end()); });
}

TEST_CASE("a document moves without its views moving, and is not copied") {
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Document>);
  STATIC_REQUIRE(std::is_nothrow_move_assignable_v<Document>);
  STATIC_REQUIRE(!std::is_copy_constructible_v<Document>);
  STATIC_REQUIRE(!std::is_copy_assignable_v<Document>);
  STATIC_REQUIRE(!std::is_default_constructible_v<Document>);
  std::vector<Document> documents;
  for (const Sample& sample : samples()) documents.push_back(*Document::parse(sample.text));
  std::vector<const AnyEvent*> events;
  for (const Document& document : documents) events.push_back(&document.event());
  std::vector<Document> moved = std::move(documents);
  moved.reserve(1000);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    CHECK(&moved[i].event() == events[i]);
    CHECK(moved[i].raw() == samples()[i].text);
  }
  moved[0] = std::move(moved[1]);
  CHECK(moved[0].raw() == samples()[1].text);
}

TEST_CASE("a document of a bad payload is the error that parse gives") {
  for (const test::Fault& fault : test::faults()) {
    const auto document = Document::parse(fault.text);
    Arena arena;
    CAPTURE(fault.name);
    REQUIRE_FALSE(document.has_value());
    CHECK(document.error() == parse(fault.text, arena).error());
  }
}

TEST_CASE("an error outlives its payload") {
  Error error;
  {
    const auto rejected =
        Document::parse(R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"a"}})");
    error = rejected.error();
  }
  CHECK(error == Error{.code = Errc::missing_field, .offset = 80, .field = "externalId"});
}

TEST_CASE("an owned event is equal to the one it was made of when payload and arena are gone") {
  for (const Sample& sample : samples()) {
    Arena kept;
    const AnyEvent expected = *parse(sample.text, kept);
    CAPTURE(sample.name);
    std::visit(
        [&]<class T>(const T& event) {
          std::string bytes = sample.text;
          Arena arena;
          const Owned<T> owned(std::get<T>(*parse(bytes, arena)));
          bytes.assign(bytes.size(), '#');
          arena = Arena();
          CHECK(detail::reflect::equal(*owned, event));
          CHECK(serialize(*owned) == serialize(event));
        },
        expected);
  }
}

TEST_CASE("what is written and read again is equal, and equal events have equal hashes") {
  for (const Sample& sample : samples()) {
    Arena arena, other;
    const AnyEvent event = *parse(sample.text, arena);
    const std::string written = serialize(event);
    const auto again = parse(written, other);
    CAPTURE(sample.name);
    REQUIRE(again.has_value());
    CHECK(test::same_event(*again, event));
    CHECK(serialize(*again) == written);
    const auto hash = [](const AnyEvent& any) {
      return std::visit([](const auto& held) { return detail::reflect::hash(held); }, any);
    };
    if (!std::holds_alternative<UnknownEvent>(event)) CHECK(hash(*again) == hash(event));
  }
}

TEST_CASE("different samples are different events") {
  for (const Sample& one : samples()) {
    for (const Sample& other : samples()) {
      if (!one.canonical || !other.canonical) continue;
      Arena arena;
      CAPTURE(one.name, other.name);
      CHECK(test::same_event(*parse(one.text, arena), *parse(other.text, arena)) == (one.name == other.name));
    }
  }
}

TEST_CASE("an arena that is reset is used for the next payload, large or small") {
  Arena arena;
  for (int round = 0; round < 3; ++round) {
    for (const Sample& sample : samples()) {
      arena.reset();
      const auto event = parse(sample.text, arena);
      REQUIRE(event.has_value());
      if (sample.canonical) REQUIRE(serialize(*event) == sample.text);
    }
  }
}

TEST_CASE("events that share an arena stay valid beside each other until it is reset") {
  Arena arena;
  std::vector<AnyEvent> events;
  for (const Sample& sample : samples()) events.push_back(*parse(sample.text, arena));
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (samples()[i].canonical) CHECK(serialize(events[i]) == samples()[i].text);
  }
}

TEST_CASE("serialize_to appends to what the buffer holds") {
  Arena arena;
  std::string out;
  std::string expected;
  for (const Sample& sample : samples()) {
    if (!sample.canonical) continue;
    serialize_to(*parse(sample.text, arena), out);
    out += '\n';
    expected += sample.text + '\n';
  }
  CHECK(out == expected);
}

}  // namespace events_document_test
