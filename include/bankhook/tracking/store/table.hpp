// SPDX-License-Identifier: MIT
// Packed records by number, found by their id: the store of members, connections and transactions alike.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/tracking/store/decode.hpp>
#include <bankhook/tracking/store/encode.hpp>
#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/store/index.hpp>
#include <bankhook/tracking/store/pool.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::tracking {

/// `Record` is a struct whose first text is its id; `Links` stands beside it, decoded. A record that is replaced stays
/// readable until `release_replaced`, so that what it said before can still be looked at. Throws std::bad_alloc only.
template <class Record, class Links>
class Table {
 public:
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Bytes that the table holds, used or not.
  [[nodiscard]] std::size_t capacity() const {
    return pool_.capacity() + index_.capacity() + entries_.capacity() * sizeof(Entry) +
           replaced_.capacity() * sizeof(Pool::Place) + packed_.capacity();
  }

  [[nodiscard]] RecordId find(std::string_view id) const { return find(id_hash(id), id); }
  [[nodiscard]] RecordId find(IdHash tag, std::string_view id) const { return index_.find(tag, id, ids()); }
  BANKHOOK_INLINE void prefetch(IdHash tag) const { index_.prefetch(tag); }

  [[nodiscard]] std::string_view id_of(RecordId number) const {
    Reader in(encoded(number));
    std::string_view id;
    static_cast<void>(detail::decode_text(in, id));
    return id;
  }
  /// The record; its texts view the table until it changes, its arrays lie in `arena`, which a record without any does
  /// not need.
  [[nodiscard]] Record read(RecordId number, Arena* arena = nullptr) const {
    Reader in(encoded(number));
    Record record{};
    if (!decode(in, record, arena)) base::fail_without_memory();  // what was encoded here can be read, if there is memory
    return record;
  }
  /// The record's bytes, as `encode` wrote them.
  [[nodiscard]] std::string_view encoded(RecordId number) const {
    const char* const begin = pool_.at(entries_[number].place);
    Reader head({begin, head_size});
    std::uint64_t size = 0;
    static_cast<void>(detail::decode_number(head, size));
    return {head.next, static_cast<std::size_t>(size)};
  }
  [[nodiscard]] const Links& links(RecordId number) const { return entries_[number].links; }
  [[nodiscard]] Links& links(RecordId number) { return entries_[number].links; }

  /// Room for `count` more records beside their bytes.
  void reserve_more(std::size_t count) {
    make_room(entries_, count);
    index_.reserve(index_.size() + count, ids());
  }

  /// Adds a record whose id is not there yet.
  RecordId add(IdHash tag, const Record& record, const Links& links) { return add_entry(tag, write(record), links); }
  /// The same with the record's bytes, which `encode` wrote.
  RecordId add_packed(IdHash tag, std::string_view bytes, const Links& links) {
    return add_entry(tag, write_packed(bytes), links);
  }
  /// Puts `record`, which has the same id, into the place of record `number`.
  void replace(RecordId number, const Record& record) {
    make_room(replaced_, 1);
    const Pool::Place place = write(record);
    replaced_.push_back(entries_[number].place);
    entries_[number].place = place;
  }
  /// Lets go of the records that were replaced: their texts are gone.
  void release_replaced() {
    for (const Pool::Place place : replaced_) pool_.release(place, room_of(place));
    replaced_.clear();
  }

  /// All numbers in an order that depends on the ids alone.
  [[nodiscard]] std::vector<RecordId> in_order() const { return index_.in_order(ids()); }

 private:
  /// The number of a record's bytes stands before them; no record takes less room than this.
  static constexpr std::size_t head_size = 8;

  struct Entry {
    Pool::Place place;
    Links links;
  };

  /// Makes room for `count` more, at least doubling it: `reserve` alone would move all of them each time.
  template <class T>
  static void make_room(std::vector<T>& values, std::size_t count) {
    const std::size_t size = values.size() + count;
    if (size > values.capacity()) values.reserve(std::max(size, 2 * values.capacity()));
  }
  [[nodiscard]] auto ids() const {
    return [this](RecordId number) { return id_of(number); };
  }
  /// The room of the record at `place`: its size and what follows it.
  [[nodiscard]] std::size_t room_of(Pool::Place place) const {
    Reader head({pool_.at(place), head_size});
    std::uint64_t size = 0;
    static_cast<void>(detail::decode_number(head, size));
    return static_cast<std::size_t>(head.next - pool_.at(place)) + static_cast<std::size_t>(size);
  }

  [[nodiscard]] Pool::Place write(const Record& record) { return write_packed(encode_into(packed_, record)); }
  /// The number of the bytes, then these.
  [[nodiscard]] Pool::Place write_packed(std::string_view bytes) {
    std::array<char, detail::max_number_size> head;
    ByteWriter head_pen{head.data()};
    detail::encode_number(bytes.size(), head_pen);
    const std::string_view size(head.data(), head_pen.out);
    const Pool::Place place = pool_.allocate(size.size() + bytes.size());
    ByteWriter pen{pool_.at(place)};
    pen.bytes(size.data(), size.size());
    pen.bytes(bytes.data(), bytes.size());
    return place;
  }

  RecordId add_entry(IdHash tag, Pool::Place place, const Links& links) {
    const auto number = static_cast<RecordId>(entries_.size());
    entries_.push_back({place, links});
    index_.insert(tag, number, ids());
    return number;
  }

  std::vector<Entry> entries_;
  Index index_;
  Pool pool_;
  std::vector<Pool::Place> replaced_;
  std::string packed_;  ///< the record that is written
};

}  // namespace bankhook::tracking
