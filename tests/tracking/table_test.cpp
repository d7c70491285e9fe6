// SPDX-License-Identifier: MIT
// Table: records are found whatever their hashes, and nobody who chooses the ids makes a search long.
#include <bankhook_catch.hpp>

#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/store/table.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tracking_table_test {

using namespace bankhook::tracking;

namespace {

/// An id that counts how often it was looked at.
struct Counted {
  std::string text;
  static inline std::size_t looks = 0;

  explicit Counted(std::string_view id) : text(id) {}
  [[nodiscard]] std::string_view operator*() const { return text; }
  [[nodiscard]] std::size_t size() const { return text.size(); }
};
std::string_view id_of(const Counted& one) {
  ++Counted::looks;
  return one.text;
}
struct NoLinks {};
using Ids = Table<Counted, NoLinks>;

/// What `detail::finish` made of `lane`, undone.
std::uint64_t before_finish(std::uint64_t lane) {
  constexpr auto inverse = [](std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
    return x;
  };
  for (int i = 0; i < 2; ++i) {
    lane ^= lane >> 32;
    lane *= inverse(0xD6E8FEB86659FD93);
  }
  return lane ^ lane >> 32;
}

/// The eight bytes whose hash is `hash`; another text for each `low`. Any bytes will do here: the table never reads them.
std::string id_with(IdHash hash, std::uint32_t low) {
  const std::uint64_t lane = before_finish(std::uint64_t{hash} << 32 | low);
  std::uint64_t factor = 1;
  for (std::uint64_t x = detail::factor, i = 0; i < 63; ++i, x *= x) factor *= x;  // its inverse: factor^(2^64 - 1)
  std::uint64_t word = (std::rotr(lane, 29) * factor) ^ 8;
  std::string id(8, '\0');
  for (char& byte : id) {
    byte = static_cast<char>(word & 0xFF);
    word >>= 8;
  }
  return id;
}

constexpr RecordId many = 20'000;

}  // namespace

TEST_CASE("ids with the same hash can be computed from the function itself") {
  for (std::uint32_t low = 0; low < 1000; ++low) REQUIRE(id_hash(id_with(0xCAFE, low)) == 0xCAFE);
}

TEST_CASE("whatever hashes the ids have, each is found, no other id is, and they come in order") {
  const auto spread = [](RecordId number) { return id_with(static_cast<IdHash>(number * 2654435761U), number); };
  const auto one = [](RecordId number) { return id_with(0xFFFFFFFF, number); };
  const auto neighbours = [](RecordId number) { return id_with(0xFFFFFFFF - number / 3, number); };
  const auto mixed = [](RecordId number) { return id_with(number % 2 == 0 ? 7 : number * 2654435761U, number); };
  for (const auto& make : std::vector<std::string (*)(RecordId)>{spread, one, neighbours, mixed}) {
    std::vector<std::string> ids;
    Ids table;
    for (RecordId number = 0; number < 3000; ++number) {
      const std::string& id = ids.emplace_back(make(number));
      REQUIRE(table.find(id) == no_record);
      REQUIRE(table.add(id_hash(id), std::string_view(id)) == number);
    }
    const Ids copy = table;
    for (RecordId number = 0; number < 3000; ++number) REQUIRE(copy.find(ids[number]) == number);
    const std::vector<RecordId> numbers = table.in_order();
    REQUIRE(numbers.size() == 3000);
    REQUIRE(std::ranges::is_sorted(numbers, [&](RecordId a, RecordId b) { return ids[a] < ids[b]; }));
  }
}

TEST_CASE("a search among ids with the same hash looks at few of them, however many there are") {
  Ids table;
  std::vector<std::string> ids;
  for (RecordId number = 0; number < many; ++number) {
    const std::string& id = ids.emplace_back(id_with(0xCAFE, number));
    table.add(0xCAFE, std::string_view(id));
  }
  for (RecordId number = 0; number < many; ++number) {
    Counted::looks = 0;
    REQUIRE(table.find(0xCAFE, ids[number]) == number);
    REQUIRE(table.find(0xCAFE, id_with(0xCAFE, many + number)) == no_record);
    REQUIRE(Counted::looks <= 2 * Ids::longest_chain);  // what is in the tree is compared by its keys
  }
  CHECK(table.capacity() < std::size_t{many} * 300);
}

TEST_CASE("ids whose hashes fall into one chain only once there are many fill that chain and no more") {
  Ids table;
  for (RecordId number = 0; number < many; ++number) {
    const std::string id = id_with(number << 16 | 0xCAFE, number);  // the lowest 16 bits are the same
    Counted::looks = 0;
    REQUIRE(table.find(id) == no_record);
    REQUIRE(table.add(id_hash(id), std::string_view(id)) == number);
    REQUIRE(Counted::looks <= 1 + Ids::longest_chain);
  }
}

TEST_CASE("a record that was replaced can be looked at until it is released") {
  Ids table;
  const RecordId number = table.add(1, std::string_view("a long id that no string keeps inside"));
  const std::string_view before = table.read(number);
  table.replace(number, std::string_view("another long id that no string keeps inside"));
  CHECK(before == "a long id that no string keeps inside");
  CHECK(table.read(number) == "another long id that no string keeps inside");
  const std::size_t capacity = table.capacity();
  table.release_replaced();
  CHECK(table.capacity() < capacity);
}

}  // namespace tracking_table_test
