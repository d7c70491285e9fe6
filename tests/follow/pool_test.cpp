// SPDX-License-Identifier: MIT
// Pool and Index: places stay, room is used again, numbers are found whatever the tags.
#include <bankhook_catch.hpp>

#include <bankhook/follow/index.hpp>
#include <bankhook/follow/pool.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

using bankhook::follow::Index;
using bankhook::follow::no_number;
using bankhook::follow::Number;
using bankhook::follow::Pool;
using bankhook::follow::Tag;

namespace {

struct Piece {
  Pool::Place place;
  std::size_t size;
  unsigned char fill;
};

bool is_whole(const Pool& pool, const Piece& piece) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(pool.at(piece.place));
  return std::all_of(bytes, bytes + piece.size, [&](unsigned char byte) { return byte == piece.fill; });
}

}  // namespace

TEST_CASE("records of all sizes stay whole while others come and go, in a copy, too") {
  Pool pool;
  std::vector<Piece> pieces;
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    if (!pieces.empty() && random() % 3 == 0) {
      std::swap(pieces[random() % pieces.size()], pieces.back());
      REQUIRE(is_whole(pool, pieces.back()));
      pool.release(pieces.back().place, pieces.back().size);
      pieces.pop_back();
    } else {
      const std::size_t size = random() % 100 == 0 ? random() % 200'000 : random() % 300;
      const Piece piece{pool.allocate(size), size, static_cast<unsigned char>(random())};
      std::memset(pool.at(piece.place), piece.fill, size);
      pieces.push_back(piece);
    }
  }
  const Pool copy = pool;
  for (const Piece& piece : pieces) REQUIRE((is_whole(pool, piece) && is_whole(copy, piece)));
}

TEST_CASE("what is given back is used again") {
  Pool pool;
  const auto fill = [&pool] {
    std::vector<Pool::Place> places;
    for (int i = 0; i < 10'000; ++i) places.push_back(pool.allocate(100));
    return places;
  };
  const auto places = fill();
  const std::size_t capacity = pool.capacity();
  for (const Pool::Place place : places) pool.release(place, 100);
  fill();
  CHECK(pool.capacity() == capacity);
}

TEST_CASE("numbers are found by their tags, also where all tags are one or lie at the end") {
  const auto spread = [](Number number) { return static_cast<Tag>(number * 2654435761U); };
  const auto one = [](Number) { return Tag{0xFFFFFFFF}; };
  const auto end = [](Number number) { return Tag{0xFFFFFFFF} - number / 3; };
  for (const auto& tag_of : std::vector<Tag (*)(Number)>{spread, one, end}) {
    Index index;
    for (Number number = 0; number < 2000; ++number) {
      REQUIRE(index.find(tag_of(number), [&](Number found) { return found == number; }) == no_number);
      index.insert(tag_of(number), number);
    }
    for (Number number = 0; number < 2000; ++number) {
      REQUIRE(index.find(tag_of(number), [&](Number found) { return found == number; }) == number);
    }
    const std::vector<Number> numbers = index.in_order(std::less<>());
    REQUIRE(numbers.size() == 2000);
    REQUIRE(std::ranges::is_sorted(
        numbers, [&](Number a, Number b) { return tag_of(a) != tag_of(b) ? tag_of(a) < tag_of(b) : a < b; }));
  }
}
