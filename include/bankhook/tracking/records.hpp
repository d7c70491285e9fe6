// SPDX-License-Identifier: MIT
// Records, each found by its id: how members, connections and transactions are stored.
#pragma once

#include <bankhook/tracking/digest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace tracking {

/// Puts plain values in the order of what `key` gives, as `std::sort` does: that is 15 functions for each type, which every
/// unit would pay for.
template <class T, class Key>
  requires std::is_trivially_copyable_v<T>
void sort(std::vector<T>& values, Key key) {
  const auto is_less = [key](const T& a, const T& b) { return key(a) < key(b); };
  if (std::is_sorted(values.begin(), values.end(), is_less)) return;  // often; and an empty one has no address
  (std::qsort)(values.data(), values.size(), sizeof(T), [](const void* left, const void* right) {
    const auto a = Key()(*static_cast<const T*>(left)), b = Key()(*static_cast<const T*>(right));
    return a < b ? -1 : static_cast<int>(b < a);
  });
}

/// Records of which `id_of` gives the id, in a table with open addressing: a set of the standard library takes a node of
/// memory for each, and twice as long. Of ids that nobody can choose so that they meet, few stand beside each other.
template <class Stored>
class Records {
 public:
  Records() = default;
  Records(const Records&) = default;
  Records(Records&& other) noexcept : slots_(std::move(other.slots_)), size_(std::exchange(other.size_, 0)) {}
  Records& operator=(Records other) noexcept {
    slots_.swap(other.slots_);
    std::swap(size_, other.size_);
    return *this;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// The record with this id, or nullptr. Valid until one is added or removed.
  [[nodiscard]] const Stored* find(const IdKey& key) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place_of(key)];
    return slot.hash != 0 ? &*slot.stored : nullptr;
  }
  [[nodiscard]] Stored* find(const IdKey& key) { return const_cast<Stored*>(std::as_const(*this).find(key)); }
  /// Has the memory of the record with this id come nearer, while other work is done.
  void prefetch(const IdKey& key) const {
    if (!slots_.empty()) base::prefetch(&slots_[first_place_of(key)]);
  }
  /// Makes room for so many. Whoever puts the records of one table into another does so first: they come in the order of
  /// their hashes, and would crowd a smaller one.
  void reserve(std::size_t count) {
    while (count > slots_.size() / 4 * 3) resize(std::max<std::size_t>(8, 2 * slots_.size()));
  }
  /// Adds a record, whose id is that of `key`, or replaces the one that has it.
  Stored& put(const IdKey& key, Stored stored) {
    reserve(size_ + 1);
    Slot& slot = slots_[place_of(key)];
    size_ += slot.hash != 0 ? 0 : 1;
    slot.hash = key.hash;
    slot.stored = std::move(stored);
    return *slot.stored;
  }
  void remove(const IdKey& key) {
    if (find(key) == nullptr) return;
    remove_at(place_of(key));
    shrink();
  }
  void remove_if(auto predicate) {
    for (std::size_t at = 0; at < slots_.size(); ++at) {
      while (slots_[at].hash != 0 && predicate(*slots_[at].stored)) remove_at(at);
    }
    shrink();
  }
  /// Calls `f` with each record, in no order.
  void for_each(auto f) const {
    for (const Slot& slot : slots_) {
      if (slot.hash != 0) f(*slot.stored);
    }
  }
  /// All records, in the order of their ids.
  [[nodiscard]] std::vector<const Stored*> in_order() const {
    std::vector<const Stored*> all;
    all.reserve(size());
    for_each([&](const Stored& one) { all.push_back(&one); });
    sort(all, [](const Stored* one) { return id_of(*one); });
    return all;
  }
  /// Bytes that it has allocated, about. Looks at each record.
  [[nodiscard]] std::size_t memory() const {
    std::size_t bytes = slots_.capacity() * sizeof(Slot);
    for_each([&](const Stored& one) { bytes += one.size() + 2 * sizeof(void*); });
    return bytes;
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;  ///< 0: nothing is stored here
    std::optional<Stored> stored{};

    [[nodiscard]] IdKey key() const { return {id_of(*stored), hash}; }
  };

  [[nodiscard]] std::size_t first_place_of(const IdKey& key) const {
    return static_cast<std::uint32_t>(key.hash) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t after(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  /// Where the record with this id stands, or belongs.
  [[nodiscard]] std::size_t place_of(const IdKey& key) const {
    std::size_t at = first_place_of(key);
    while (slots_[at].hash != 0 && (slots_[at].hash != key.hash || id_of(*slots_[at].stored) != key.id)) at = after(at);
    return at;
  }
  void resize(std::size_t count) {
    auto before = std::exchange(slots_, std::vector<Slot>(count));
    for (Slot& slot : before) {
      if (slot.hash != 0) slots_[place_of(slot.key())] = std::move(slot);
    }
  }
  /// Walking over all costs what there is, not what there once was.
  void shrink() {
    while (slots_.size() > 8 && size_ < slots_.size() / 8) resize(slots_.size() / 2);
  }
  /// What stands after it without a gap may be there because a place before was taken.
  void remove_at(std::size_t at) {
    --size_;
    for (slots_[at] = {}; slots_[at = after(at)].hash != 0;) {
      Slot moved = std::exchange(slots_[at], {});
      slots_[place_of(moved.key())] = std::move(moved);
    }
  }

  std::vector<Slot> slots_;  ///< a power of two of them, of which at most three quarters are taken
  std::size_t size_ = 0;
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::tracking
