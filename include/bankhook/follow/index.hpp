// SPDX-License-Identifier: MIT
// Numbers found by the tag of an id: a table in the order of the tags, eight bytes a slot.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/follow/digest.hpp>
#include <bankhook/follow/sort.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace bankhook::follow {

/// What a record is called inside a tracker: counted from 0, never given twice.
using Number = std::uint32_t;
inline constexpr Number no_number = std::numeric_limits<Number>::max();

/// The highest bits of a tag say where its search begins; it goes on to the next free slot. So the numbers lie almost in
/// the order of their tags, growing goes through memory in order, and so does `in_order`.
class Index {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return slots_.capacity() * sizeof(Slot); }

  /// The number with `tag` for which `is_it(number)`, or `no_number`.
  template <class IsIt>
  [[nodiscard]] Number find(Tag tag, IsIt&& is_it) const {
    if (slots_.empty()) return no_number;
    for (std::size_t i = home_of(tag, bits_); slots_[i].number != no_number; ++i) {
      if (slots_[i].tag == tag && is_it(slots_[i].number)) return slots_[i].number;
    }
    return no_number;
  }

  /// Brings the beginning of a search for `tag` nearer to the processor.
  BANKHOOK_INLINE void prefetch(Tag tag) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home_of(tag, bits_)]);
  }

  /// Room for `count` numbers and one more: `insert` then allocates nothing unless many tags meet at the end.
  void reserve(std::size_t count) {
    unsigned bits = bits_;
    while (((std::size_t{1} << bits) >> 2) * 3 < count + 1) ++bits;
    if (bits != bits_ || slots_.empty()) grow(bits);
  }

  /// Adds a number that is not there yet.
  void insert(Tag tag, Number number) {
    reserve(size_);
    put(slots_, home_of(tag, bits_), {tag, number});
    ++size_;
  }

  /// All numbers in the order of their tags; `is_less(a, b)` orders those that share one.
  template <class IsLess>
  [[nodiscard]] std::vector<Number> in_order(IsLess&& is_less) const {
    std::vector<Slot> cluster;
    std::vector<Number> numbers;
    numbers.reserve(size_);
    for (const Slot& slot : slots_) {
      if (slot.number != no_number) {
        cluster.push_back(slot);
        continue;
      }
      sort(cluster,
           [&](const Slot& a, const Slot& b) { return a.tag != b.tag ? a.tag < b.tag : is_less(a.number, b.number); });
      for (const Slot& one : cluster) numbers.push_back(one.number);
      cluster.clear();
    }
    return numbers;
  }

 private:
  struct Slot {
    Tag tag = 0;
    Number number = no_number;
  };

  [[nodiscard]] static std::size_t home_of(Tag tag, unsigned bits) {
    return static_cast<std::size_t>(std::uint64_t{tag} << bits >> 32);
  }

  /// The last slot is always free, so a search never meets the end.
  static void put(std::vector<Slot>& slots, std::size_t at, Slot slot) {
    while (slots[at].number != no_number) ++at;
    if (at + 1 == slots.size()) slots.emplace_back();
    slots[at] = slot;
  }

  void grow(unsigned bits) {
    std::vector<Slot> larger((std::size_t{1} << bits) + 1);
    for (const Slot& slot : slots_) {
      if (slot.number != no_number) put(larger, home_of(slot.tag, bits), slot);
    }
    slots_ = std::move(larger);
    bits_ = bits;
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  unsigned bits_ = 4;
};

}  // namespace bankhook::follow
