// SPDX-License-Identifier: MIT
// A tracker's state as bytes that name their own fields, and back; equal states give equal bytes.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/text/eight_bytes.hpp>
#include <bankhook/tracking/restore.hpp>
#include <bankhook/tracking/snapshot_error.hpp>
#include <bankhook/tracking/store/decode.hpp>
#include <bankhook/tracking/store/encode.hpp>
#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/store/layout.hpp>
#include <bankhook/tracking/store/store.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::tracking::detail {

// The head is eight bytes that text tools would spoil, the version and the total size. Then come the layout as a text, the
// options and the records; then the checksum of everything before it.
inline constexpr std::string_view magic(
    "\x89"
    "bhk\r\n\x1A\n",
    8);
/// It changes only if older snapshots cannot be read at all; added, removed and changed fields are in the layout.
inline constexpr std::uint64_t snapshot_version = 2;
inline constexpr std::size_t head_size = 24;
inline constexpr std::size_t checksum_size = 8;

/// The layout of version 1, which did not write it.
inline constexpr std::string_view layout_of_version_1 =
    "{members:[{customer:{id:text,external_id:text},membership:?{connections_on:number,connections_off:number,"
    "shopping_hub_id:text,shopping_hub_external_id:text}}],"
    "connections:[{connection:{id:text,error_code:?text,error_message:?text,bank:text,"
    "transactions_eligible_from_date:date,consent_expires_at:?local_timestamp,accounts:[{id:text,account_hash:?text}]},"
    "event_type:?any_of(create,update,delete),state:?any_of(created,updated,deleted),member:number}],"
    "transactions:[{initial_transaction:{id:text,amount:decimal,store_external_id:?text,place_id:?text,store_name:?text,"
    "status:any_of(created,validated,rejected),rejection_reason:?any_of(purchaseNotFound,bankConsentExpired),"
    "transaction_date:date,transaction_id:?text,date:timestamp},event_type:any_of(created,validated,rejected),"
    "member:number}]}";

inline void append_word(std::uint64_t word, std::string& out) {
  std::array<char, 8> bytes{};
  text::store8(word, bytes.data());
  out.append(bytes.data(), bytes.size());
}
inline void append_number(std::uint64_t value, std::string& out) {
  std::array<char, 10> bytes{};
  ByteWriter pen{bytes.data()};
  encode_number(value, pen);
  out.append(bytes.data(), pen.out);
}
template <class T>
void append_packed(const T& value, std::string& out) {
  std::string memory;
  out.append(encode_into(memory, value));
}

/// Records of members' chains: their bytes, then their member's place among the members.
template <class Table>
void append_chained(const Table& table, const std::vector<RecordId>& place_of_member, std::string& out) {
  append_number(table.size(), out);
  for (const RecordId number : table.in_order()) {
    out.append(table.encoded(number));
    append_number(place_of_member[table.links(number).member], out);
  }
}

}  // namespace bankhook::tracking::detail

namespace bankhook::tracking {

/// Writes the options, a plain struct, and everything that is stored, in an order that depends on the ids alone: equal
/// stores and options give equal bytes.
template <class Options>
[[nodiscard]] std::string write_snapshot(const Store& store, const Options& options) {
  std::string out;
  out.reserve(store.capacity());  // more than is needed, and untouched memory costs nothing
  out += detail::magic;
  detail::append_word(detail::snapshot_version, out);
  detail::append_word(0, out);  // the size, once it is known
  const std::string layout = detail::layout_of_snapshot<Options>();
  detail::append_packed(std::string_view(layout), out);
  detail::append_packed(options, out);
  std::vector<RecordId> place_of_member(store.members.size());
  detail::append_number(store.members.size(), out);
  RecordId place = 0;
  for (const RecordId number : store.members.in_order()) {
    out.append(store.members.encoded(number));
    place_of_member[number] = place++;
  }
  detail::append_chained(store.connections, place_of_member, out);
  detail::append_chained(store.transactions, place_of_member, out);
  text::store8(out.size() + detail::checksum_size, out.data() + detail::head_size - 8);
  detail::append_word(checksum_of(out), out);
  return out;
}

/// Returns what was written, or why it cannot be read. Every length, order, reference, text and date is checked before it
/// is used.
template <class Options>
[[nodiscard]] std::expected<Restored<Options>, SnapshotError> read_snapshot(std::string_view bytes) {
  if (!bytes.starts_with(detail::magic.substr(0, bytes.size())) || bytes.empty())
    return std::unexpected(SnapshotError::foreign);
  if (bytes.size() < detail::head_size + detail::checksum_size) return std::unexpected(SnapshotError::cut);
  const std::uint64_t version = text::load8(bytes.data() + 8);
  if (version == 0 || version > detail::snapshot_version) return std::unexpected(SnapshotError::other_version);
  if (text::load8(bytes.data() + 16) != bytes.size()) return std::unexpected(SnapshotError::cut);
  const std::string_view checked = bytes.substr(0, bytes.size() - detail::checksum_size);
  if (text::load8(checked.data() + checked.size()) != checksum_of(checked)) return std::unexpected(SnapshotError::damaged);
  CheckedReader in(checked.substr(detail::head_size));
  std::string_view layout = detail::layout_of_version_1;
  if (version != 1 && !detail::decode_text(in, layout)) return std::unexpected(SnapshotError::content);
  return detail::Restorer<Options>(layout).restore(in);
}

}  // namespace bankhook::tracking
