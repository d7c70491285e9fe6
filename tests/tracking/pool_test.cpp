// SPDX-License-Identifier: MIT
// Pool: places stay, room is used again.
#include <bankhook_catch.hpp>

#include <bankhook/tracking/store/pool.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

using bankhook::tracking::Pool;

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
