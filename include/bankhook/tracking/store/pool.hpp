// SPDX-License-Identifier: MIT
// Memory for many small records: 32-bit places, sizes in classes, room that is given back is used again.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace bankhook::tracking {

/// Records keep their place until they are released; up to 32 GiB of them. Growing moves nothing. Throws std::bad_alloc
/// where there is no memory, as the containers of the standard library do, and is then as it was.
class Pool {
 public:
  /// Where a record begins, in units of eight bytes.
  using Place = std::uint32_t;

  Pool() = default;
  Pool(Pool&& other) noexcept { swap(other); }
  Pool(const Pool& other) : free_(other.free_), next_(other.next_), limit_(other.limit_), bytes_(other.bytes_) {
    blocks_.reserve(other.blocks_.size());
    chunks_.reserve(other.chunks_.size());
    for (const Block& block : other.blocks_) {
      const std::size_t size = block.chunks * chunk_units * unit;
      char* const copy = blocks_.emplace_back(std::make_unique_for_overwrite<char[]>(size), block.chunks).memory.get();
      std::memcpy(copy, block.memory.get(), size);
      for (std::size_t i = 0; i < block.chunks; ++i) chunks_.push_back(copy + i * chunk_units * unit);
    }
  }
  Pool& operator=(Pool other) noexcept {
    swap(other);
    return *this;
  }
  ~Pool() = default;

  /// Room for `size` bytes at a multiple of eight.
  [[nodiscard]] Place allocate(std::size_t size) {
    const SizeClass room = class_of(size);
    if (Place& head = free_[room.index]; head != none) {
      const Place place = head;
      std::memcpy(&head, at(place), sizeof head);
      return place;
    }
    if (room.units > limit_ - next_) add_block(room.units);
    const Place place = next_;
    next_ += static_cast<Place>(room.units);
    return place;
  }

  /// Gives back what was allocated with the same `size`.
  void release(Place place, std::size_t size) {
    Place& head = free_[class_of(size).index];
    std::memcpy(at(place), &head, sizeof head);
    head = place;
  }

  [[nodiscard]] char* at(Place place) { return chunks_[place >> chunk_bits] + place_in_chunk(place); }
  [[nodiscard]] const char* at(Place place) const { return chunks_[place >> chunk_bits] + place_in_chunk(place); }

  /// Bytes that the pool holds, used or not.
  [[nodiscard]] std::size_t capacity() const { return bytes_ + chunks_.capacity() * sizeof(char*); }

 private:
  static constexpr std::size_t unit = 8;
  static constexpr unsigned chunk_bits = 13;  // of 64 KiB
  static constexpr std::size_t chunk_units = std::size_t{1} << chunk_bits;
  static constexpr Place none = 0xFFFFFFFF;

  struct Block {
    std::unique_ptr<char[]> memory;
    std::size_t chunks;
  };
  struct SizeClass {
    std::size_t units;  ///< that a record of this class takes
    std::size_t index;
  };

  /// Up to 15 units each number is a class, above it the four highest bits count: at most an eighth is unused.
  [[nodiscard]] static SizeClass class_of(std::size_t size) {
    std::size_t units = std::max<std::size_t>(1, (size + unit - 1) / unit);
    if (units < 16) return {units, units};
    const auto shift = static_cast<unsigned>(std::bit_width(units) - 4);
    units = (units + (std::size_t{1} << shift) - 1) >> shift << shift;
    const auto rounded = static_cast<unsigned>(std::bit_width(units) - 4);
    return {units, std::size_t{rounded} * 8 + (units >> rounded)};
  }
  [[nodiscard]] static std::size_t place_in_chunk(Place place) { return (place & (chunk_units - 1)) * unit; }

  /// A block of whole chunks in a row, so that a large record lies in one piece.
  void add_block(std::size_t units) {
    const std::size_t count = (units + chunk_units - 1) / chunk_units;
    if (chunks_.size() + count >= none >> chunk_bits) base::fail_without_memory();
    chunks_.reserve(std::max(chunks_.size() + count, chunks_.size() * 2));
    blocks_.reserve(std::max(blocks_.size() + 1, blocks_.size() * 2));
    blocks_.emplace_back(std::make_unique_for_overwrite<char[]>(count * chunk_units * unit), count);
    next_ = static_cast<Place>(chunks_.size() << chunk_bits);
    limit_ = static_cast<Place>((chunks_.size() + count) << chunk_bits);
    bytes_ += count * chunk_units * unit;
    char* const begin = blocks_.back().memory.get();
    for (std::size_t i = 0; i < count; ++i) chunks_.push_back(begin + i * chunk_units * unit);
  }

  void swap(Pool& other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(chunks_, other.chunks_);
    std::swap(free_, other.free_);
    std::swap(next_, other.next_);
    std::swap(limit_, other.limit_);
    std::swap(bytes_, other.bytes_);
  }

  std::vector<Block> blocks_;
  std::vector<char*> chunks_;  ///< where each begins
  std::array<Place, 256> free_ = [] {
    std::array<Place, 256> heads{};
    heads.fill(none);
    return heads;
  }();
  Place next_ = 0;
  Place limit_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace bankhook::tracking
