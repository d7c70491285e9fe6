// SPDX-License-Identifier: MIT
// Bytes encoded with other fields than the current ones: each is found by its name, or reading fails with a reason.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/tracking/store/decode_by_name.hpp>
#include <bankhook/tracking/store/encode.hpp>
#include <bankhook/tracking/store/layout.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>

using namespace bankhook;
using tracking::LayoutError;

namespace then {

enum class Colour : std::uint8_t { red, green };
enum class Size : std::uint8_t { small, large };

struct Part {
  std::string_view id{};
  nullable<std::string_view> note{};
};
struct Record {
  std::string_view id{};
  Part part{};
  OpenEnum<Colour> colour{};
  Size size{};
  std::uint64_t count{};
  Decimal amount{};
  std::chrono::year_month_day day{};
  LocalTimestamp local{};
  Timestamp moment{};
  maybe_absent<nullable<std::string_view>> twice{};
  maybe_absent<Decimal> price{};
  std::span<const Part> parts{};
  std::span<const OpenEnum<Colour>> colours{};
};

}  // namespace then

namespace now {

/// `green` comes first, `red` is gone, `blue` is new.
enum class Colour : std::uint8_t { green, blue };
enum class Size : std::uint8_t { tiny, large, small };

struct Part {
  maybe_absent<std::uint64_t> added{};
  nullable<std::string_view> note{};
  std::string_view id{};
};
/// In another order, with other fields.
struct Record {
  std::span<const Part> parts{};
  nullable<std::string_view> added{};
  std::span<const std::uint64_t> added_numbers{};
  Size size{};
  nullable<OpenEnum<Colour>> colour{};
  std::string_view id{};
  std::string_view twice{};
  std::uint8_t count{};
};

struct OnlyId {
  std::string_view id{};
};
struct NewText {
  std::string_view id{};
  std::string_view added{};
};
struct NewNumber {
  static constexpr std::array<std::string_view, 1> fields_added_later{"added"};
  std::string_view id{};
  std::uint64_t added = 7;
};
struct NumberForText {
  std::uint64_t id{};
};
struct ColourForText {
  OpenEnum<Colour> id{};
};
struct TextForColour {
  std::string_view colour{};
};
struct PriceIsThere {
  Decimal price{};
};
struct ClosedColour {
  Colour colour{};
};

}  // namespace now

namespace {

constexpr std::array parts{then::Part{"p1", "note"}, then::Part{"p2", std::nullopt}};

then::Record record() {
  static const std::array colours{OpenEnum(then::Colour::green), OpenEnum<then::Colour>::of("blue")};
  return {.id = "id",
          .part = parts[0],
          .colour = then::Colour::green,
          .size = then::Size::large,
          .count = 200,
          .amount = Decimal(1990, 2),
          .day = std::chrono::year(2026) / 5 / 3,
          .twice = nullable<std::string_view>("there"),
          .price = Decimal(5, 0),
          .parts = parts,
          .colours = colours};
}

/// What is left of encoded values once their type is a `Now`.
template <class Now, class Then>
class Read {
 public:
  explicit Read(const Then& value, bool missing_is_default = false) : layout_text_(tracking::layout_of<Then>()) {
    std::string memory;
    bytes_ = tracking::encode_into(memory, value);
    REQUIRE(layout_.read(layout_text_));
    tracking::NamedUnpacker unpacker(layout_, arena_);
    unpacker.missing_is_default = missing_is_default;
    tracking::CheckedReader in(bytes_);
    fine = unpacker.read(in, 0, now) && in.rest() == 0;
    error = unpacker.error();
  }
  Now now{};
  bool fine = false;
  LayoutError error{};

 private:
  std::string layout_text_;
  std::string bytes_;
  tracking::Layout layout_;
  Arena arena_;
};

}  // namespace

TEST_CASE("a layout names all fields and their types") {
  CHECK(tracking::layout_of<then::Record>() ==
        "{id:text,part:{id:text,note:?text},colour:any_of(red,green),size:one_of(small,large),count:number,amount:decimal,"
        "day:date,local:local_timestamp,moment:timestamp,twice:??text,price:?decimal,parts:[{id:text,note:?text}],"
        "colours:[any_of(red,green)]}");
}

TEST_CASE("fields that were added, removed, moved or are optional now are read by their names") {
  const Read<now::Record, then::Record> read(record());
  REQUIRE(read.fine);
  const now::Record& now = read.now;
  CHECK(now.id == "id");
  CHECK(now.count == 200);
  CHECK(now.twice == "there");
  CHECK_FALSE(now.added.has_value());
  CHECK(now.added_numbers.empty());
  REQUIRE(now.parts.size() == 2);
  CHECK(now.parts[0].id == "p1");
  CHECK(now.parts[0].note == "note");
  CHECK_FALSE(now.parts[1].note.has_value());
  CHECK_FALSE(now.parts[1].added.has_value());
}

TEST_CASE("an enumerator is read by its name, whatever its number was") {
  const Read<now::Record, then::Record> read(record());
  CHECK(read.now.colour == OpenEnum(now::Colour::green));
  CHECK(read.now.size == now::Size::large);
  then::Record other = record();
  other.colour = OpenEnum<then::Colour>::of("blue");
  CHECK(Read<now::Record, then::Record>(other).now.colour == OpenEnum(now::Colour::blue));
  other.colour = then::Colour::red;
  const Read<now::Record, then::Record> gone(other);
  REQUIRE(gone.now.colour.has_value());
  CHECK_FALSE(gone.now.colour->is_known());
  CHECK(gone.now.colour->text() == "red");
  CHECK(Read<now::TextForColour, then::Record>(other).now.colour == "red");
  CHECK(Read<now::ClosedColour, then::Record>(record()).now.colour == now::Colour::green);
  const Read<now::ClosedColour, then::Record> closed(other);
  CHECK_FALSE(closed.fine);
  CHECK(closed.error == LayoutError::content);
}

TEST_CASE("a text becomes an enumeration that may have other values, and nothing else becomes one") {
  then::Record text = record();
  text.id = "blue";
  CHECK(Read<now::ColourForText, then::Record>(text).now.id == now::Colour::blue);
  const Read<now::NumberForText, then::Record> number(text);
  CHECK_FALSE(number.fine);
  CHECK(number.error == LayoutError::other_type);
}

TEST_CASE("a field that has to be there is missing if it was not stored, or is null") {
  const Read<now::NewText, then::Record> read(record());
  CHECK_FALSE(read.fine);
  CHECK(read.error == LayoutError::missing_field);
  CHECK(Read<now::NewText, then::Record>(record(), true).fine);
  const Read<now::NewNumber, then::Record> number(record());
  CHECK(number.fine);
  CHECK(number.now.added == 7);
  CHECK(Read<now::PriceIsThere, then::Record>(record()).now.price == 5);
  then::Record without = record();
  without.price.reset();
  CHECK(Read<now::PriceIsThere, then::Record>(without).error == LayoutError::missing_field);
}

TEST_CASE("a number that is too large for its type of today is refused") {
  then::Record large = record();
  large.count = 256;
  const Read<now::Record, then::Record> read(large);
  CHECK_FALSE(read.fine);
  CHECK(read.error == LayoutError::content);
}

TEST_CASE("everything that is not known is skipped") {
  const Read<now::OnlyId, then::Record> read(record());
  CHECK(read.fine);
  CHECK(read.now.id == "id");
}

TEST_CASE("what is not a layout is refused") {
  tracking::Layout layout;
  for (const std::string_view text :
       {"",        "{",        "{}",       "{a}",        "{a:}",       "{a:text",   "{a:text,}",
        "{:text}", "{a:word}", "text ",    "[text",      "[]",         "?",         "any_of",
        "any_of(", "any_of()", "any_of(a", "any_of(a,)", "one_of(a)b", "{a:text}}", "[?[?[?[?[?[?[?[?[?text]]]]]]]]"}) {
    CAPTURE(text);
    CHECK_FALSE(layout.read(text));
  }
  CHECK_FALSE(layout.read(std::string(1'000'000, '[')));
  CHECK(layout.read("[?[?text]]"));
}

TEST_CASE("whatever layout and bytes are read, it ends in a value or an error") {
  const std::string whole = tracking::layout_of<then::Record>();
  const then::Record value = record();
  std::string memory;
  const std::string encoded(tracking::encode_into(memory, value));
  std::mt19937_64 random(9);
  std::size_t fine = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = whole;
    std::string bytes = encoded;
    for (std::uint64_t count = random() % 3; count > 0; --count) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) text.erase(at, random() % 9);
      else text[at] = whole[random() % whole.size()];
    }
    if (random() % 2 == 0) bytes[random() % bytes.size()] = static_cast<char>(random());
    tracking::Layout layout;
    if (!layout.read(text)) continue;
    Arena arena;
    tracking::NamedUnpacker unpacker(layout, arena);
    tracking::CheckedReader in(bytes);
    now::Record out{};
    fine += unpacker.read(in, 0, out);
  }
  CHECK(fine > 500);
}
