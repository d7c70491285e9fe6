// SPDX-License-Identifier: MIT
// Numbers found by the tag of an id: a table in the order of the tags, eight bytes a slot.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/tracking/store/hash.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::tracking {

/// What a record is called inside a tracker: counted from 0, never given twice.
using RecordId = std::uint32_t;
inline constexpr RecordId no_record = std::numeric_limits<RecordId>::max();

/// The highest bits of a tag say where its search starts; it goes on to the next free slot. So the numbers lie almost in
/// the order of their tags, growing goes through memory in order, and so does `in_order`.
///
/// The sender of the ids can choose them so that their tags collide. A search therefore looks at no more than
/// `longest_search` slots; an id for which none of them is free goes to a tree ordered by id. Of ids that nobody chose,
/// about 3 in 10,000 do so in the fullest table. No key is needed: no choice of ids makes a search longer than these slots
/// and a search of the tree.
///
/// `id_of(number)` is the id of a number that was inserted.
class Index {
 public:
  static constexpr std::size_t longest_search = 64;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const {
    return slots_.capacity() * sizeof(Slot) + crowded_.size() * (sizeof(Crowded::value_type) + 4 * sizeof(void*));
  }

  /// The number of `id`, whose tag is `tag`, or `no_record`.
  template <class IdOf>
  [[nodiscard]] RecordId find(IdHash tag, std::string_view id, IdOf&& id_of) const {
    if (slots_.empty()) return no_record;
    const std::size_t home = home_of(tag, bits_);
    for (std::size_t i = home; i != home + longest_search; ++i) {
      if (slots_[i].number == no_record) return no_record;
      if (slots_[i].tag == tag && id_of(slots_[i].number) == id) return slots_[i].number;
    }
    const auto found = crowded_.find(id);
    return found == crowded_.end() ? no_record : found->second.number;
  }

  /// Brings the first slots of a search for `tag` nearer to the processor.
  BANKHOOK_INLINE void prefetch(IdHash tag) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home_of(tag, bits_)]);
  }

  /// Makes room for `count` numbers and one more: `insert` then allocates nothing unless many tags collide.
  template <class IdOf>
  void reserve(std::size_t count, IdOf&& id_of) {
    unsigned bits = bits_;
    while (((std::size_t{1} << bits) >> 2) * 3 < count + 1) ++bits;
    if (bits != bits_ || slots_.empty()) grow(bits, id_of);
  }

  /// Adds a number that is not there yet.
  template <class IdOf>
  void insert(IdHash tag, RecordId number, IdOf&& id_of) {
    reserve(size_, id_of);
    put({tag, number}, id_of);
    ++size_;
  }

  /// All numbers in the order of their tags; those that share one, in the order of their ids.
  template <class IdOf>
  [[nodiscard]] std::vector<RecordId> in_order(IdOf&& id_of) const {
    const auto is_less = [&](const Slot& a, const Slot& b) {
      return a.tag != b.tag ? a.tag < b.tag : id_of(a.number) < id_of(b.number);
    };
    std::vector<Slot> ordered;
    ordered.reserve(size_);
    std::ptrdiff_t cluster = 0;  // starts here: slots without a free one between them
    for (const Slot& slot : slots_) {
      if (slot.number != no_record) {
        ordered.push_back(slot);
        continue;
      }
      std::sort(ordered.begin() + cluster, ordered.end(), is_less);
      cluster = std::ssize(ordered);
    }
    for (const auto& [id, slot] : crowded_) ordered.push_back(slot);
    std::sort(ordered.begin() + cluster, ordered.end(), is_less);
    // Not std::inplace_merge: libstdc++ 12 calls something deprecated in it, which Clang rejects.
    std::vector<Slot> merged(ordered.size());
    std::merge(ordered.begin(), ordered.begin() + cluster, ordered.begin() + cluster, ordered.end(), merged.begin(),
               is_less);
    std::vector<RecordId> numbers;
    numbers.reserve(size_);
    for (const Slot& slot : merged) numbers.push_back(slot.number);
    return numbers;
  }

 private:
  struct Slot {
    IdHash tag = 0;
    RecordId number = no_record;
  };
  using Crowded = std::map<std::string, Slot, std::less<>>;

  [[nodiscard]] static std::size_t home_of(IdHash tag, unsigned bits) {
    return static_cast<std::size_t>(std::uint64_t{tag} << bits >> 32);
  }

  /// The last slot is always free, so a search never meets the end.
  template <class IdOf>
  void put(Slot slot, IdOf&& id_of) {
    const std::size_t home = home_of(slot.tag, bits_);
    std::size_t at = home;
    while (slots_[at].number != no_record) {
      if (++at != home + longest_search) continue;
      crowded_.emplace(id_of(slot.number), slot);
      return;
    }
    if (at + 1 == slots_.size()) slots_.emplace_back();
    slots_[at] = slot;
  }

  template <class IdOf>
  void grow(unsigned bits, IdOf&& id_of) {
    Index larger;
    larger.slots_.resize((std::size_t{1} << bits) + 1);
    larger.bits_ = bits;
    larger.size_ = size_;
    for (const Slot& slot : slots_) {
      if (slot.number != no_record) larger.put(slot, id_of);
    }
    for (const auto& [id, slot] : crowded_) larger.put(slot, id_of);
    *this = std::move(larger);
  }

  std::vector<Slot> slots_;
  Crowded crowded_;  ///< by id
  std::size_t size_ = 0;
  unsigned bits_ = 4;
};

}  // namespace bankhook::tracking
