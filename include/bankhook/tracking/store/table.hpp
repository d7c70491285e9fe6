// SPDX-License-Identifier: MIT
// Records by number, found by their id: how members, connections and transactions are stored.
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

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// What a record is called inside a tracker: counted from 0, never given twice.
using RecordId = std::uint32_t;
inline constexpr RecordId no_record = std::numeric_limits<RecordId>::max();

/// `Stored` is a deep copy of a record, an `Owned` or an `Encoded`, of which `id_of` gives the id; `Links` stands beside
/// it. A record that is replaced stays readable until `release_replaced`, so that what it said before can still be looked
/// at. Throws std::bad_alloc only, and is then as it was.
///
/// The lowest bits of an id's hash say in which chain it is. The sender of the ids can choose them so that they share one:
/// a chain has no more than `longest_chain` records, and an id whose chain is full goes to a tree ordered by id. Of ids
/// that nobody chose, none ever does. When the chains double, each is split in two, so none becomes longer.
template <class Stored, class Links>
class Table {
 public:
  static constexpr std::size_t longest_chain = 16;

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Bytes that the table has allocated. Looks at each record.
  [[nodiscard]] std::size_t capacity() const {
    std::size_t bytes = entries_.capacity() * sizeof(Entry) + chains_.capacity() * sizeof(RecordId) +
                        crowded_.size() * (sizeof(Crowded::value_type) + 4 * sizeof(void*)) +
                        replaced_.capacity() * sizeof(Stored);
    for (const Entry& entry : entries_) bytes += entry.stored.size();
    for (const Stored& stored : replaced_) bytes += stored.size();
    return bytes;
  }

  /// The number of the record with this id, whose hash is `hash`, or `no_record`.
  [[nodiscard]] RecordId find(IdHash hash, std::string_view id) const {
    for (RecordId number = first_of(hash); number != no_record; number = entries_[number].next) {
      if (entries_[number].hash == hash && this->id(number) == id) return number;
    }
    if (crowded_.empty()) return no_record;
    const auto found = crowded_.find(id);
    return found == crowded_.end() ? no_record : found->second;
  }
  [[nodiscard]] RecordId find(std::string_view id) const { return find(id_hash(id), id); }
  /// Brings the start of a search nearer to the processor.
  BANKHOOK_INLINE void prefetch(IdHash hash) const {
    if (!chains_.empty()) __builtin_prefetch(&chains_[hash & (chains_.size() - 1)]);
  }

  [[nodiscard]] std::string_view id(RecordId number) const { return id_of(entries_[number].stored); }
  /// The record. Its texts and arrays view the table until the record is replaced and released.
  [[nodiscard]] decltype(auto) read(RecordId number) const { return *entries_[number].stored; }
  [[nodiscard]] const Links& links(RecordId number) const { return entries_[number].links; }
  [[nodiscard]] Links& links(RecordId number) { return entries_[number].links; }

  /// Adds a record whose id is not there yet.
  template <class Record>
  RecordId add(IdHash hash, const Record& record) {
    if (entries_.size() == chains_.size()) grow();
    Stored stored(record);
    const auto number = static_cast<RecordId>(entries_.size());
    RecordId next = first_of(hash);
    if (is_full(next)) crowded_.emplace(id_of(stored), number);
    else next = std::exchange(chains_[hash & (chains_.size() - 1)], number);
    entries_.push_back({std::move(stored), {}, hash, next});
    return number;
  }
  /// Puts `record`, which has the same id, into the place of record `number`.
  template <class Record>
  void replace(RecordId number, const Record& record) {
    replaced_.push_back(Stored(record));
    std::swap(replaced_.back(), entries_[number].stored);
  }
  /// Lets go of the records that were replaced: their texts are gone.
  void release_replaced() { replaced_.clear(); }

  /// All numbers in the order of their ids.
  [[nodiscard]] std::vector<RecordId> in_order() const {
    std::vector<std::pair<std::string_view, RecordId>> ids;
    ids.reserve(size());
    for (RecordId number = 0; number < size(); ++number) ids.emplace_back(id(number), number);
    std::sort(ids.begin(), ids.end());
    std::vector<RecordId> numbers;
    numbers.reserve(ids.size());
    for (const auto& [id, number] : ids) numbers.push_back(number);
    return numbers;
  }

 private:
  struct Entry {
    Stored stored;
    Links links;
    IdHash hash;
    RecordId next;  ///< in its chain; one that is in the tree is in no chain, and this means nothing
  };
  using Crowded = std::map<std::string, RecordId, std::less<>>;

  [[nodiscard]] RecordId first_of(IdHash hash) const {
    return chains_.empty() ? no_record : chains_[hash & (chains_.size() - 1)];
  }
  [[nodiscard]] bool is_full(RecordId number) const {
    std::size_t length = 0;
    for (; number != no_record && length < longest_chain; number = entries_[number].next) ++length;
    return length == longest_chain;
  }

  /// Makes room for twice as many records: `add` then allocates nothing more here.
  void grow() {
    const std::size_t count = std::max<std::size_t>(4, 2 * chains_.size());
    if (count > no_record) base::fail_without_memory();
    entries_.reserve(count);
    std::vector<RecordId> chains(count, no_record);
    for (const RecordId first : chains_) {
      for (RecordId number = first; number != no_record;) {
        Entry& entry = entries_[number];
        number = std::exchange(entry.next, std::exchange(chains[entry.hash & (count - 1)], number));
      }
    }
    chains_ = std::move(chains);
  }

  std::vector<Entry> entries_;
  std::vector<RecordId> chains_;  ///< where each starts: a power of two of them, at least as many as records
  Crowded crowded_;
  std::vector<Stored> replaced_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
