// SPDX-License-Identifier: MIT
// What a tracker holds as bytes and back: versioned, checked, the same bytes for the same state.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/follow/digest.hpp>
#include <bankhook/follow/pack.hpp>
#include <bankhook/follow/store.hpp>
#include <bankhook/follow/unpack.hpp>
#include <bankhook/text/eight_bytes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook {

/// Why bytes are no snapshot that can be restored.
enum class SnapshotError : std::uint8_t {
  foreign,        ///< they do not begin as a snapshot does
  other_version,  ///< of a version that this kit does not read
  cut,            ///< shorter or longer than they say
  damaged,        ///< the checksum is another one
  content,        ///< the checksum is right, and still no tracker writes this
};

/// The sentence of an error, for people. Static storage.
[[nodiscard]] constexpr std::string_view message(SnapshotError error) {
  switch (error) {
    case SnapshotError::foreign: return "expected the snapshot of a tracker, found other bytes";
    case SnapshotError::other_version: return "expected a snapshot of a version that this kit reads";
    case SnapshotError::cut: return "expected as many bytes as the snapshot says that it has";
    case SnapshotError::damaged: return "expected the checksum of the snapshot, found another one: it is damaged";
    case SnapshotError::content: return "expected what a tracker writes, found records that do not go together";
  }
  return "unknown error";
}

}  // namespace bankhook

namespace bankhook::follow::detail {

// Head: eight bytes that text tools would spoil, version, size of all; then the records; then the checksum of all before.
inline constexpr std::string_view magic(
    "\x89"
    "bhk\r\n\x1A\n",
    8);
inline constexpr std::uint64_t snapshot_version = 1;
inline constexpr std::size_t head_size = 24;
inline constexpr std::size_t checksum_size = 8;

inline void append_word(std::uint64_t word, std::string& out) {
  std::array<char, 8> bytes{};
  text::store8(word, bytes.data());
  out.append(bytes.data(), bytes.size());
}
inline void append_number(std::uint64_t value, std::string& out) {
  std::array<char, 10> bytes{};
  Pen pen{bytes.data()};
  pack_number(value, pen);
  out.append(bytes.data(), pen.out);
}

/// Records of members' chains: their bytes, then their member's place among the members.
template <class Table>
void append_chained(const Table& table, const std::vector<Number>& place_of_member, std::string& out) {
  append_number(table.size(), out);
  for (const Number number : table.in_order()) {
    out.append(table.packed(number));
    append_number(place_of_member[table.links(number).member], out);
  }
}

/// Whether the ids come in the order of `in_order`, so that none comes twice.
class Order {
 public:
  [[nodiscard]] bool takes(Tag tag, std::string_view id) {
    const bool is_next = is_first_ || tag > tag_ || (tag == tag_ && id > id_);
    is_first_ = false;
    tag_ = tag;
    id_ = id;
    return is_next;
  }

 private:
  std::string_view id_;
  Tag tag_ = 0;
  bool is_first_ = true;
};

/// Reads `table.size()` records; `add(tag, bytes, record, in)` takes each and may read on.
template <class Record, class Links, class Add>
[[nodiscard]] bool restore_table(Reader& in, Table<Record, Links>& table, Arena& arena, Add&& add) {
  std::uint64_t count = 0;
  if (!unpack_number(in, count) || count > in.rest() / packed_size(Record())) return false;  // none is smaller
  table.reserve_more(static_cast<std::size_t>(count));
  Order order;
  for (; count > 0; --count) {
    const char* const begin = in.next;
    std::string_view id;
    Reader first = in;
    Record record{};
    arena.reset();
    if (!unpack_text(first, id) || !unpack(in, record, &arena)) return false;
    const Tag tag = tag_of(id);
    if (!order.takes(tag, id) || !add(tag, std::string_view(begin, in.next), record, in)) return false;
  }
  return true;
}

/// The member of the record that was read, by its place among the members.
[[nodiscard]] inline bool unpack_member(Reader& in, const Store& store, Number& out) {
  std::uint64_t place = 0;
  if (!unpack_number(in, place) || place >= store.members.size()) return false;
  out = static_cast<Number>(place);
  return true;
}

[[nodiscard]] inline bool restore_records(Reader in, Store& store) {
  Arena arena;
  const auto add_member = [&](Tag tag, std::string_view bytes, const HeldMember&, Reader&) {
    store.members.add_packed(tag, bytes, {});
    return true;
  };
  const auto add_connection = [&](Tag tag, std::string_view bytes, const ConnectionRecord& record, Reader& rest) {
    Number member = no_number;
    if (!unpack_member(rest, store, member)) return false;
    store.link_connection(store.connections.add_packed(tag, bytes, {}), member, Store::is_gone(record));
    return true;
  };
  const auto add_transaction = [&](Tag tag, std::string_view bytes, const TransactionRecord&, Reader& rest) {
    Number member = no_number;
    if (!unpack_member(rest, store, member)) return false;
    store.link_transaction(store.transactions.add_packed(tag, bytes, {}), member);
    return true;
  };
  return restore_table(in, store.members, arena, add_member) &&
         restore_table(in, store.connections, arena, add_connection) &&
         restore_table(in, store.transactions, arena, add_transaction) && in.rest() == 0;
}

}  // namespace bankhook::follow::detail

namespace bankhook::follow {

/// Everything that is held, in an order that depends on the ids alone: equal stores give equal bytes.
[[nodiscard]] inline std::string write_snapshot(const Store& store) {
  std::string out;
  out.reserve(store.capacity());  // more than is needed, and untouched memory costs nothing
  out += detail::magic;
  detail::append_word(detail::snapshot_version, out);
  detail::append_word(0, out);  // the size, once it is known
  std::vector<Number> place_of_member(store.members.size());
  detail::append_number(store.members.size(), out);
  Number place = 0;
  for (const Number number : store.members.in_order()) {
    out.append(store.members.packed(number));
    place_of_member[number] = place++;
  }
  detail::append_chained(store.connections, place_of_member, out);
  detail::append_chained(store.transactions, place_of_member, out);
  text::store8(out.size() + detail::checksum_size, out.data() + detail::head_size - 8);
  detail::append_word(checksum_of(out), out);
  return out;
}

/// The store that was written, or why it cannot be. Every length, order and reference is checked before it is used.
[[nodiscard]] inline std::expected<Store, SnapshotError> read_snapshot(std::string_view bytes) {
  if (!bytes.starts_with(detail::magic.substr(0, bytes.size())) || bytes.empty())
    return std::unexpected(SnapshotError::foreign);
  if (bytes.size() < detail::head_size + detail::checksum_size) return std::unexpected(SnapshotError::cut);
  if (text::load8(bytes.data() + 8) != detail::snapshot_version) return std::unexpected(SnapshotError::other_version);
  if (text::load8(bytes.data() + 16) != bytes.size()) return std::unexpected(SnapshotError::cut);
  const std::string_view checked = bytes.substr(0, bytes.size() - detail::checksum_size);
  if (text::load8(checked.data() + checked.size()) != checksum_of(checked)) return std::unexpected(SnapshotError::damaged);
  std::expected<Store, SnapshotError> store;
  if (!detail::restore_records(Reader(checked.substr(detail::head_size)), *store)) {
    return std::unexpected(SnapshotError::content);
  }
  return store;
}

}  // namespace bankhook::follow
