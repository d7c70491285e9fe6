// SPDX-License-Identifier: MIT
// Index: numbers are found whatever their tags, and nobody who chooses the ids makes a search long.
#include <bankhook_catch.hpp>

#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/store/index.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using namespace bankhook::tracking;

namespace {

/// Ids by number, and how often one of them was looked at.
struct Ids {
  std::vector<std::string> texts;
  mutable std::size_t looks = 0;

  std::string_view operator()(RecordId number) const {
    ++looks;
    return texts[number];
  }
};

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

/// The eight bytes whose tag is `tag`; another text for each `low`. Any bytes will do here: the index never reads them.
std::string id_with(IdHash tag, std::uint32_t low) {
  const std::uint64_t lane = before_finish(std::uint64_t{tag} << 32 | low);
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

TEST_CASE("ids with the same tag can be computed from the function itself") {
  for (std::uint32_t low = 0; low < 1000; ++low) REQUIRE(id_hash(id_with(0xCAFE, low)) == 0xCAFE);
}

TEST_CASE("whatever tags the ids have, each is found, no other id is, and they come in order") {
  const auto spread = [](RecordId number) { return id_with(static_cast<IdHash>(number * 2654435761U), number); };
  const auto one = [](RecordId number) { return id_with(0xFFFFFFFF, number); };
  const auto end = [](RecordId number) { return id_with(0xFFFFFFFF - number / 3, number); };
  const auto mixed = [](RecordId number) { return id_with(number % 2 == 0 ? 7 : number * 2654435761U, number); };
  for (const auto& make : std::vector<std::string (*)(RecordId)>{spread, one, end, mixed}) {
    Ids ids;
    Index index;
    for (RecordId number = 0; number < 3000; ++number) {
      ids.texts.push_back(make(number));
      const std::string& id = ids.texts.back();
      REQUIRE(index.find(id_hash(id), id, ids) == no_record);
      index.insert(id_hash(id), number, ids);
    }
    const Index copy = index;
    for (RecordId number = 0; number < 3000; ++number) {
      const std::string& id = ids.texts[number];
      REQUIRE(copy.find(id_hash(id), id, ids) == number);
    }
    const std::vector<RecordId> numbers = index.in_order(ids);
    REQUIRE(numbers.size() == 3000);
    REQUIRE(std::ranges::is_sorted(numbers, [&](RecordId a, RecordId b) {
      const IdHash left = id_hash(ids.texts[a]);
      const IdHash right = id_hash(ids.texts[b]);
      return left != right ? left < right : ids.texts[a] < ids.texts[b];
    }));
  }
}

TEST_CASE("a search among ids with the same tag looks at few of them, however many there are") {
  Ids ids;
  Index index;
  for (RecordId number = 0; number < many; ++number) {
    ids.texts.push_back(id_with(0xCAFE, number));
    index.insert(0xCAFE, number, ids);
  }
  ids.looks = 0;
  for (RecordId number = 0; number < many; ++number) {
    const std::size_t before = ids.looks;
    REQUIRE(index.find(0xCAFE, ids.texts[number], ids) == number);
    REQUIRE(ids.looks - before <= Index::longest_search);  // what is in the tree is compared as text, not through `ids`
    REQUIRE(index.find(0xCAFE, id_with(0xCAFE, many + number), ids) == no_record);
  }
  CHECK(ids.looks <= std::size_t{2} * many * Index::longest_search);
  CHECK(index.capacity() < std::size_t{many} * 200);
}
