// SPDX-License-Identifier: MIT
// Objects: any order, white space anywhere, unlisted fields skipped, missing and repeated ones rejected with their place.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/json/parse.hpp>
#include <bankhook/reflect/equality.hpp>

#include <json/show.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace json_object_test {

using bankhook::Errc;
using bankhook::Error;
using bankhook::maybe_absent;
using bankhook::nullable;

namespace {

struct Inner {
  std::string_view id;
};

struct Outer {
  std::string_view first_text;
  maybe_absent<std::string_view> note;
  Inner inner;
  int count = 0;
};

/// It holds itself in an array.
struct Tree {
  std::string_view id;
  std::span<const Tree> children;
};

struct NoteFirst {
  maybe_absent<std::string_view> note;
  maybe_absent<std::string_view> remark;
  std::string_view id;
};

struct AllAbsent {
  maybe_absent<std::string_view> note;
  maybe_absent<int> count;
};

struct Nothing {};

/// Names of one size, with the same beginnings and ends, one that fills a block with its key, and longer ones.
struct Alike {
  int line1 = 0;
  int line2 = 0;
  int lane2 = 0;
  int x = 0;
  int a_name_of_just_so_many_characters = 0;
  int a_name_of_just_so_many_characters1 = 0;
  int a_name_that_is_longer_than_a_block_is1 = 0;
  int a_name_that_is_longer_than_a_block_is2 = 0;
};

struct Item {
  std::string_view name;
  maybe_absent<unsigned> pieces = 5U;
};

struct Order {
  Item first;
  nullable<Item> second;
  std::span<const Item> others;
  maybe_absent<Item> last = Item{"card", 1U};
};

struct BeyondAscii {
  int größe = 0;
  std::string_view für_alle;
};

template <class T>
std::expected<T, Error> read(std::string_view json) {
  static bankhook::Arena arena;
  arena.reset();
  return bankhook::detail::json::parse<T>(json, arena);
}

template <class T>
Error error_of(std::string_view json) {
  const auto value = read<T>(json);
  return value ? Error{} : value.error();
}

bool is_whole(const std::expected<Outer, Error>& outer) {
  return outer && bankhook::detail::reflect::equal(*outer, Outer{"a", "b", {"c"}, 4});
}

constexpr std::array<std::string_view, 4> fields{R"("firstText":"a")", R"("note":"b")", R"("inner":{"id":"c"})",
                                                 R"("count":4)"};

}  // namespace

TEST_CASE("fields are read in every order") {
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  do {
    std::string json;
    for (const std::size_t i : order) json += (json.empty() ? "{" : ",") + std::string(fields[i]);
    CAPTURE(json);
    CHECK(is_whole(read<Outer>(json + "}")));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("names beyond ASCII are read whole, in either order and escaped") {
  for (const std::string_view json :
       {R"({"größe":7,"fürAlle":"x"})", R"({"fürAlle":"x","größe":7})", R"({"gr\u00f6\u00dfe":7,"f\u00FCrAlle":"x"})",
        R"({"e":1,"größe":7,"fürAlle":"x","gre":2})"}) {
    CAPTURE(json);
    const auto value = read<BeyondAscii>(json);
    REQUIRE(value);
    CHECK(value->größe == 7);
    CHECK(value->für_alle == "x");
  }
}

TEST_CASE("names that are alike are not mistaken for each other, whichever came after which before") {
  constexpr std::array<std::string_view, 8> names{"line1",
                                                  "line2",
                                                  "lane2",
                                                  "x",
                                                  "aNameOfJustSoManyCharacters",
                                                  "aNameOfJustSoManyCharacters1",
                                                  "aNameThatIsLongerThanABlockIs1",
                                                  "aNameThatIsLongerThanABlockIs2"};
  for (std::size_t step : {1U, 3U, 5U, 7U}) {
    for (std::size_t start = 0; start < names.size(); ++start) {
      std::string json;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t at = (start + i * step) % names.size();
        json.append(i == 0 ? "{\"" : ",\"").append(names[at]).append("\":").append(std::to_string(at + 1));
      }
      CAPTURE(json);
      CHECK(bankhook::detail::reflect::equal(read<Alike>(json + "}").value(), Alike{1, 2, 3, 4, 5, 6, 7, 8}));
      for (const std::string_view name : names) {
        std::string other = json;
        other.insert(other.find(std::string(name) + "\":") + name.size(), "s");
        CHECK(error_of<Alike>(other + "}").field == name);
      }
    }
  }
}

TEST_CASE("unlisted fields are skipped at every place, whatever they hold") {
  constexpr std::array<std::string_view, 9> values{
      "null", "true", "-0.5e+3", R"("te\"xt")", "[]", "[[1],{}]", "{}", "false", R"({"id":{"id":"}]"},"count":[4]})"};
  for (const std::string_view value : values) {
    for (std::size_t at = 0; at <= fields.size(); ++at) {
      std::string json;
      for (std::size_t i = 0; i <= fields.size(); ++i) {
        if (i == at) json += (json.empty() ? "{" : ",") + ("\"more\":" + std::string(value));
        if (i < fields.size()) json += (json.empty() ? "{" : ",") + std::string(fields[i]);
      }
      CAPTURE(json);
      CHECK(is_whole(read<Outer>(json + "}")));
    }
  }
}

TEST_CASE("a field that may be absent may be absent, the others may not") {
  CHECK_FALSE(read<Outer>(R"({"firstText":"a","inner":{"id":"c"},"count":4})")->note.has_value());
  CHECK(error_of<Outer>(R"({"note":"b","inner":{"id":"c"},"count":4})") ==
        Error{.code = Errc::missing_field, .offset = 40, .field = "firstText"});
  CHECK(error_of<Outer>(R"({"firstText":"a","note":"b","inner":{},"count":4})") ==
        Error{.code = Errc::missing_field, .offset = 37, .field = "id"});
  CHECK(error_of<Outer>("{}") == Error{.code = Errc::missing_field, .offset = 1, .field = "firstText"});
}

TEST_CASE("a field that is absent has what its struct declares, however deep the struct lies") {
  CHECK(read<Item>(R"({"name":"a"})")->pieces == 5U);
  const auto order = read<Order>(
      R"({"first":{"name":"a"},"second":{"name":"b"},"others":[{"name":"c"},{"name":"d","pieces":2},{"name":"e"}]})");
  REQUIRE(order.has_value());
  CHECK(order->first.pieces == 5U);
  CHECK(order->second->pieces == 5U);
  REQUIRE(order->others.size() == 3);
  CHECK((order->others[0].pieces == 5U && order->others[1].pieces == 2U && order->others[2].pieces == 5U));
  CHECK((order->last && order->last->name == "card" && order->last->pieces == 1U));
}

TEST_CASE("a struct may begin with fields that are absent") {
  CHECK(read<NoteFirst>(R"({"id":"a"})")->id == "a");
  CHECK(read<NoteFirst>(R"({"remark":"b","id":"a"})")->remark == "b");
  CHECK(read<NoteFirst>(R"({"note":"b","id":"a"})")->note == "b");
  CHECK(read<AllAbsent>("{}").has_value());
  CHECK(read<AllAbsent>(R"({"count":1})")->count == 1);
  for (const char* text :
       {R"({"note":"a","count":null})", R"({"note":"a", "count": null})", R"({"note":"a","count": null})",
        R"({"note":"a" ,"count":null})", R"({"count":null,"note":"a"})"}) {
    CAPTURE(text);
    const auto value = read<AllAbsent>(text);
    REQUIRE(value);
    CHECK_FALSE(value->count.has_value());
  }
}

TEST_CASE("a comma before the first field is rejected, also where the first fields are absent") {
  CHECK(error_of<NoteFirst>(R"({,"id":"a"})") == Error{.code = Errc::expected_field_name, .offset = 1});
  CHECK(error_of<NoteFirst>(R"({,"remark":"b","id":"a"})") == Error{.code = Errc::expected_field_name, .offset = 1});
  CHECK(error_of<AllAbsent>(R"({,"count":1})") == Error{.code = Errc::expected_field_name, .offset = 1});
  CHECK(error_of<Outer>(R"({,"firstText":"a"})") == Error{.code = Errc::expected_field_name, .offset = 1});
  CHECK(error_of<AllAbsent>("{,}") == Error{.code = Errc::expected_field_name, .offset = 1});
}

TEST_CASE("a comma after the last field is rejected") {
  CHECK(error_of<AllAbsent>(R"({"count":1,})") == Error{.code = Errc::expected_field_name, .offset = 11});
  CHECK(error_of<Inner>(R"({"id":"a",})") == Error{.code = Errc::expected_field_name, .offset = 10});
  CHECK(error_of<Inner>(R"({"id":"a",,"x":1})") == Error{.code = Errc::expected_field_name, .offset = 10});
}

TEST_CASE("a struct without fields reads any object and nothing else") {
  CHECK(read<Nothing>("{}").has_value());
  CHECK(read<Nothing>(R"({"id":"a","x":[1]})").has_value());
  CHECK(error_of<Nothing>("[]").code == Errc::expected_object);
  CHECK(error_of<Nothing>(R"({"id"})").code == Errc::expected_colon);
}

TEST_CASE("a listed field that is repeated is rejected at its second name, however either is written") {
  for (const std::string_view again :
       {R"("id":"a")", R"("id":"b")", R"("\u0069d":"a")", R"("i\u0064" : null)", R"("id":[1])"}) {
    for (const std::string_view between : {",", " , ", R"(,"x":1,)"}) {
      const std::string before = R"({"id":"a")" + std::string(between);
      CAPTURE(again, between);
      CHECK(error_of<Inner>(before + std::string(again) + "}") ==
            Error{.code = Errc::repeated_field, .offset = before.size(), .field = "id"});
    }
  }
  CHECK(error_of<Outer>(R"({"firstText":"a","inner":{"id":"c","id":"c"},"count":4})").code == Errc::repeated_field);
  CHECK(error_of<NoteFirst>(R"({"note":null,"note":"a","id":"a"})").code == Errc::repeated_field);
}

TEST_CASE("an unlisted field that is repeated is skipped each time, however its name is written") {
  for (const std::string_view json :
       {R"({"x":1,"id":"a","x":2})", R"({"x":1,"id":"a","\u0078":2})", R"({"":1,"id":"a","":2})",
        R"({"x":1,"x":2,"id":"a"})", R"({ "x" : 1 , "x" : {} , "id" : "a" })",
        R"({"id":"a","x":1,"x":2,"x":[{"x":0,"x":0}]})"}) {
    CAPTURE(json);
    REQUIRE(read<Inner>(json).has_value());
    CHECK(read<Inner>(json)->id == "a");
  }
  CHECK(error_of<Inner>(R"({"id":"a","x":1,"x":})") == Error{.code = Errc::expected_value, .offset = 20});
}

TEST_CASE("a name that is only begun or continued is another name") {
  CHECK(error_of<Inner>(R"({"i":"a"})").field == "id");
  CHECK(error_of<Inner>(R"({"idd":"a"})").field == "id");
  CHECK(error_of<Inner>(R"({"Id":"a"})").field == "id");
  CHECK(error_of<Inner>(R"({"id\u0000":"a"})").field == "id");
  CHECK(read<Inner>(R"({"idd":1,"i":2,"":3,"id":"a"})")->id == "a");
}

TEST_CASE("what must stand around a field is asked for where it is missing") {
  CHECK(error_of<Inner>(R"({"id" "a"})") == Error{.code = Errc::expected_colon, .offset = 6});
  CHECK(error_of<Inner>(R"({"id":"a" "x":1})") == Error{.code = Errc::expected_comma_or_brace, .offset = 10});
  CHECK(error_of<Inner>(R"({"id":"a"])") == Error{.code = Errc::expected_comma_or_brace, .offset = 9});
  CHECK(error_of<Inner>(R"({id:"a"})") == Error{.code = Errc::expected_field_name, .offset = 1});
  CHECK(error_of<Inner>(R"({1:"a"})") == Error{.code = Errc::expected_field_name, .offset = 1});
  CHECK(error_of<Inner>(R"({"id":"a"}})") == Error{.code = Errc::trailing_text, .offset = 10});
  CHECK(error_of<Inner>(R"({"id":"a"} x)") == Error{.code = Errc::trailing_text, .offset = 11});
  CHECK(error_of<Inner>(R"({"id":"a")") == Error{.code = Errc::truncated, .offset = 9});
  CHECK(error_of<Inner>(R"({"id":"\u0041)") == Error{.code = Errc::truncated, .offset = 13});
  CHECK(error_of<Inner>(R"({"x":,"id":"a"})") == Error{.code = Errc::expected_value, .offset = 5});
  CHECK(error_of<Inner>("") == Error{.code = Errc::truncated, .offset = 0});
}

TEST_CASE("a struct that holds itself is read and written") {
  bankhook::Arena arena;
  const std::string_view text =
      R"({"id":"a","children":[{"id":"b","children":[{"id":"c","children":[]}]},{"id":"d","children":[]}]})";
  const auto root = bankhook::detail::json::parse<Tree>(text, arena);
  REQUIRE(root.has_value());
  REQUIRE(root->children.size() == 2);
  CHECK(root->children[0].children[0].id == "c");
  CHECK(root->children[1].id == "d");
  std::string written;
  bankhook::detail::json::write(*root, written);
  CHECK(written == text);
}

}  // namespace json_object_test
