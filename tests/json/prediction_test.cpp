// SPDX-License-Identifier: MIT
// The reader guesses lengths from the payloads before: whatever it remembers, the result is the one of a new arena.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/json/parse.hpp>
#include <bankhook/json/parse_context.hpp>
#include <bankhook/reflect/equality.hpp>

#include <json/guarded.hpp>
#include <json/show.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace json_prediction_test {

namespace {

using bankhook::Arena;
using bankhook::detail::json::remembered_in;
using bankhook::test::GuardedPages;

struct Note {
  std::string_view text;
  bankhook::nullable<std::string_view> more;
};

/// Fields of all kinds, to be read in any order.
struct Mixed {
  std::string_view text;
  int count = 0;
  bankhook::maybe_absent<std::string_view> more;
  Note note;
};

struct Notes {
  std::span<const Note> notes;
};

namespace other {

/// Remembers in the places of the Note above, whose name it has.
struct Note {
  std::span<const int> text;
};

}  // namespace other

std::string payload(std::string_view text, std::string_view more = "null") {
  return "{\"text\":\"" + std::string(text) + "\",\"more\":" + std::string(more) + "}";
}

/// Lets the arena see strings of this length until it expects the next one to be of the same.
void teach(Arena& arena, std::size_t length) {
  const std::string text(length, 'a');
  const std::string json = payload(text, "\"" + text + "\"");
  for (int i = 0; i < 8; ++i) REQUIRE(bankhook::detail::json::parse<Note>(json, arena)->text.size() == length);
}

/// Whether a taught arena gives what a new one gives, where every byte read outside of the text faults.
bool is_read_as_ever(GuardedPages& pages, Arena& taught, std::string_view json) {
  Arena fresh;
  const auto expected = bankhook::detail::json::parse<Note>(json, fresh);
  for (const std::string_view copy : {pages.before_the_guard(json), pages.after_the_guard(json)}) {
    const bankhook::detail::json::Remembered kept = remembered_in(taught);
    const auto note = bankhook::detail::json::parse<Note>(copy, taught);
    remembered_in(taught) = kept;
    if (note.has_value() != expected.has_value()) return false;
    if (note && !bankhook::detail::reflect::equal(*note, *expected)) return false;
    if (!note && note.error() != expected.error()) return false;
  }
  return true;
}

constexpr std::array<std::string_view, 9> specials{"", "\\\"", "\"", "é", "😀", "\xC3", "\n", "\\ud800", "\xFF"};

}  // namespace

TEST_CASE("a string of another length than all before is read right") {
  GuardedPages pages;
  for (const std::size_t taught : {0U, 1U, 7U, 15U, 16U, 31U, 32U, 33U, 63U, 64U, 65U, 100U, 200U}) {
    Arena arena;
    teach(arena, taught);
    for (std::size_t size = 0; size <= 220; ++size) {
      const std::string json = payload(std::string(size, 'b'), "\"" + std::string(size, 'c') + "\"");
      if (is_read_as_ever(pages, arena, json)) continue;
      CAPTURE(taught, size);
      FAIL("the guess changed the result");
    }
  }
}

TEST_CASE("something special at any place of a string of the expected length is noticed") {
  GuardedPages pages;
  for (const std::size_t taught : {1U, 16U, 31U, 32U, 33U, 47U, 64U, 65U, 97U}) {
    Arena arena;
    teach(arena, taught);
    for (const std::string_view special : specials) {
      for (std::size_t size = taught < 4 ? 0 : taught - 4; size <= taught; ++size) {
        for (std::size_t at = 0; at <= size; ++at) {
          std::string text(size, 'b');
          text.insert(at, special);
          for (const std::string& json : {payload(text), payload("", "\"" + text + "\"")}) {
            if (is_read_as_ever(pages, arena, json)) continue;
            CAPTURE(taught, json);
            FAIL("the guess changed the result");
          }
        }
      }
    }
  }
}

TEST_CASE("a string that is cut off at any byte is rejected, whatever length is expected") {
  GuardedPages pages;
  for (const std::size_t taught : {0U, 5U, 31U, 32U, 40U, 64U, 90U}) {
    Arena arena;
    teach(arena, taught);
    const std::string json = payload(std::string(taught, 'b'), "\"" + std::string(taught, 'c') + "\"");
    for (std::size_t size = 0; size < json.size(); ++size) {
      CAPTURE(taught, size);
      REQUIRE(is_read_as_ever(pages, arena, std::string_view(json).substr(0, size)));
    }
  }
}

TEST_CASE("remembered lengths of any value change no result") {
  GuardedPages pages;
  std::mt19937 random(17);
  Arena arena;
  for (int round = 0; round < 3000; ++round) {
    for (std::uint8_t& index : remembered_in(arena).next_indices) index = static_cast<std::uint8_t>(random() % 4);
    for (bankhook::detail::json::RememberedLength& length : remembered_in(arena).lengths) {
      const std::size_t size = random() >> random() % 32;
      length.remember_count(size);
      for (std::uint32_t seen = random() % 16; seen > 0; --seen) length.mispredicted(size % 65);
    }
    std::string text(random() % 100, 'b');
    text.insert(random() % (text.size() + 1), specials[random() % specials.size()]);
    CAPTURE(text);
    REQUIRE(is_read_as_ever(pages, arena, payload(text, random() % 2 == 0 ? "null" : "\"" + text + "\"")));
  }
}

TEST_CASE("fields in another order than all before are read right, with any white space, and rejected alike") {
  using Part = std::string_view;
  std::array<Part, 4> parts{R"("text":"a")", R"("count":4)", R"("more":"b")", R"("note":{"more":null,"text":"c"})"};
  std::vector<std::string> payloads;
  do {
    for (const Part comma : {",", ", ", "\n ,\t", R"(,"unlisted":[1],)"}) {
      std::string json = "{";
      for (std::size_t i = 0; i < parts.size(); ++i) json.append(i == 0 ? Part() : comma).append(parts[i]);
      payloads.push_back(json + "}");
      payloads.push_back(json.append(comma).append(parts[0]) + "}");
    }
  } while (std::next_permutation(parts.begin(), parts.end()));
  Arena taught;
  std::mt19937 random(5);
  for (int round = 0; round < 4000; ++round) {
    std::string json = payloads[random() % payloads.size()];
    if (random() % 4 == 0) json.resize(random() % json.size());
    for (std::uint8_t& index : remembered_in(taught).next_indices) {
      if (random() % 16 == 0) index = static_cast<std::uint8_t>(random());
    }
    CAPTURE(json);
    Arena fresh;
    const auto expected = bankhook::detail::json::parse<Mixed>(json, fresh);
    const auto mixed = bankhook::detail::json::parse<Mixed>(json, taught);
    REQUIRE(mixed.has_value() == expected.has_value());
    if (mixed) REQUIRE(bankhook::detail::reflect::equal(*mixed, *expected));
    else REQUIRE(mixed.error() == expected.error());
  }
}

TEST_CASE("texts of varied lengths in long arrays are read as in a new arena") {
  GuardedPages pages;
  std::mt19937 random(9);
  Arena taught;
  for (int round = 0; round < 6000; ++round) {
    const auto text = [&] {
      std::string characters(random() % 8 == 0 ? random() % 200 : random() % 66, 'b');
      if (random() % 32 == 0) characters.insert(random() % (characters.size() + 1), specials[random() % specials.size()]);
      return characters;
    };
    std::string json = R"({"notes":[)";
    for (std::size_t i = 0, count = 1 + random() % 30; i < count; ++i)
      json.append(i == 0 ? "" : ",").append(payload(text(), random() % 4 == 0 ? "null" : "\"" + text() + "\""));
    json += "]}";
    if (random() % 4 == 0) json.resize(random() % json.size());
    CAPTURE(json);
    Arena fresh;
    const auto expected = bankhook::detail::json::parse<Notes>(json, fresh);
    const auto notes = bankhook::detail::json::parse<Notes>(pages.before_the_guard(json), taught);
    REQUIRE(notes.has_value() == expected.has_value());
    if (notes) REQUIRE(bankhook::detail::reflect::equal(*notes, *expected));
    else REQUIRE(notes.error() == expected.error());
    taught.reset();
  }
  REQUIRE(remembered_in(taught).lengths[bankhook::detail::json::place_of_length<Notes, 0>].likely_count() >= 8);
}

TEST_CASE("an array of another size than all before is read right") {
  Arena arena;
  for (const int size : {3, 3, 3, 0, 3, 100, 1, 1, 70, 64, 65, 0, 200}) {
    std::string json;
    for (int i = 0; i < size; ++i) json += (i == 0 ? "" : ",") + payload(std::string(static_cast<std::size_t>(i), 'a'));
    json = "{\"notes\":[" + json + "]}";
    const auto notes = bankhook::detail::json::parse<Notes>(json, arena);
    REQUIRE(notes.has_value());
    REQUIRE(notes->notes.size() == static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < notes->notes.size(); ++i) REQUIRE(notes->notes[i].text.size() == i);
  }
}

TEST_CASE("structs of one name may share what is remembered, be it of a text or of an array") {
  GuardedPages pages;
  for (std::size_t count = 0; count <= 70; ++count) {
    std::string numbers = "{\"text\":[";
    for (std::size_t i = 0; i < count; ++i) numbers += i == 0 ? "1" : ",1";
    numbers += "]}";
    for (const std::size_t taught : {1U, 10U, 31U, 32U, 40U}) {
      Arena arena;
      teach(arena, taught);
      const auto array = bankhook::detail::json::parse<other::Note>(numbers, arena);
      REQUIRE(array->text.size() == count);
      CAPTURE(count, taught);
      REQUIRE(is_read_as_ever(pages, arena, payload(std::string(taught, 'a'), "\"more than was taught, as a text\"")));
      REQUIRE(is_read_as_ever(pages, arena, payload(std::string(taught, 'a'))));
    }
  }
}

}  // namespace json_prediction_test
