// SPDX-License-Identifier: MIT
// What is tracked as lines of JSON, one for each member, connection and transaction, and back.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/json/parse.hpp>
#include <bankhook/tracking/digest.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/outcome.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// What a line of a snapshot between its first and its last one is about.
enum class SnapshotLineKind : std::uint8_t { member, connection, transaction };

/// Why bytes cannot be restored.
enum class SnapshotError : std::uint8_t {
  foreign,        ///< they do not start as a snapshot does
  other_version,  ///< of a version that this library does not read
  cut,            ///< they do not end in a line with a checksum
  damaged,        ///< they have another checksum
  content,        ///< the checksum is right, but no tracker of this version writes this
};

/// The sentence of an error, for people. Static storage.
[[nodiscard]] constexpr std::string_view to_string(SnapshotError error) {
  switch (error) {
    case SnapshotError::foreign: return "expected the snapshot of a tracker, found other bytes";
    case SnapshotError::other_version: return "expected a snapshot of a version that this library reads";
    case SnapshotError::cut: return "expected a last line with a checksum, found another end: the snapshot is incomplete";
    case SnapshotError::damaged: return "expected the checksum of the snapshot, found another one: it is damaged";
    case SnapshotError::content: return "expected the records that a tracker writes, found inconsistent ones";
  }
  return "unknown error";
}

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace tracking {

inline constexpr std::string_view snapshot_start = R"({"trackerSnapshot":)";
inline constexpr std::uint64_t snapshot_version = 3;

/// The first line. The tables of the lifecycles are not in it.
struct SnapshotHead {
  std::uint64_t tracker_snapshot{};  ///< the version
  OpenEnum<StatusFrom> status_from{};
  bool take_create{};
  maybe_absent<OpenEnum<Order>> order{};  ///< absent: unknown
};
/// The last line.
struct SnapshotFoot {
  std::uint64_t checksum{};  ///< of all lines before it
};

/// A transaction in a snapshot. Its place id has a name of its own here, because the wire name of that field is up to the
/// user (2.4, Note), and a snapshot can be restored under any name.
struct WholeTransaction {
  InitialTransaction initial_transaction{};
  maybe_absent<std::string_view> place{};
  nullable<OpenEnum<TransactionStatus>> state{};
  std::string_view seen{};
};

/// A line between the two: one of the three. A member's line comes first, then those of its connections and transactions,
/// each in the order of their ids.
struct SnapshotLine {
  maybe_absent<MemberRecord> member{};
  maybe_absent<ConnectionRecord> connection{};
  maybe_absent<WholeTransaction> transaction{};
};

[[nodiscard]] inline SnapshotLine line_of(const TransactionRecord& one) {
  WholeTransaction whole{one.initial_transaction, one.initial_transaction.place_id, one.state, one.seen};
  whole.initial_transaction.place_id.reset();
  return {.transaction = whole};
}

void write_line(const auto& line, std::string& out) {
  serialize_to(line, out);
  out += '\n';
}

/// The snapshot of these members, which are in the order of their ids. A template of the only options that there are, so
/// that the codecs are compiled only for those who store what is tracked.
[[nodiscard]] std::string write_snapshot(const std::same_as<TrackerOptions> auto& options,
                                         const std::vector<const Member*>& members) {
  std::string out;
  SnapshotHead head{snapshot_version, options.status_from, options.take_create, {}};
  if (options.order != Order::unknown) head.order = OpenEnum(options.order);
  write_line(head, out);
  for (const Member* const member : members) {
    write_line(SnapshotLine{.member = member->record()}, out);
    for (const auto* one : member->connections_in_order()) write_line(SnapshotLine{.connection = **one}, out);
    for (const auto* one : member->transactions.in_order()) write_line(line_of(**one), out);
  }
  write_line(SnapshotFoot{checksum_of(out)}, out);
  return out;
}

/// Reads a line, all of it.
template <class T>
[[nodiscard]] std::expected<T, SnapshotError> read_line(std::string_view line, Arena& arena) {
  json::ParseContext in(line, arena);
  std::expected<T, SnapshotError> value(std::in_place);
  if (json::parse_all(in, *value)) return value;
  if (in.error.code == Errc::out_of_memory) base::fail_without_memory();
  return std::unexpected(SnapshotError::content);
}

/// Checks head, foot and checksum, and gives the lines between them; `options` get what the head has.
[[nodiscard]] std::expected<std::string_view, SnapshotError> open_snapshot(std::string_view bytes,
                                                                           std::same_as<TrackerOptions> auto& options) {
  if (bytes.empty() || !bytes.starts_with(snapshot_start.substr(0, bytes.size())))
    return std::unexpected(SnapshotError::foreign);
  if (!bytes.ends_with('\n')) return std::unexpected(SnapshotError::cut);
  Arena arena;
  const std::size_t head_end = bytes.find('\n') + 1;
  const std::string_view version = bytes.substr(snapshot_start.size(), 2);
  if (version != "3,") return std::unexpected(SnapshotError::other_version);
  const std::size_t foot_start = bytes.rfind('\n', bytes.size() - 2) + 1;
  if (foot_start < head_end) return std::unexpected(SnapshotError::cut);
  const auto foot = read_line<SnapshotFoot>(bytes.substr(foot_start, bytes.size() - foot_start - 1), arena);
  if (!foot) return std::unexpected(SnapshotError::cut);
  if (foot->checksum != checksum_of(bytes.substr(0, foot_start))) return std::unexpected(SnapshotError::damaged);
  const auto head = read_line<SnapshotHead>(bytes.substr(0, head_end - 1), arena);
  if (!head) return std::unexpected(head.error());
  const auto status_from = head->status_from.known();
  const auto order = head->order ? head->order->known() : Order::unknown;
  if (!status_from || !order) return std::unexpected(SnapshotError::content);
  options.status_from = *status_from;
  options.order = *order;
  options.take_create = head->take_create;
  return bytes.substr(head_end, foot_start - head_end);
}

/// Reads a snapshot; `options` get what its head has. `begin` gets each member's record and gives the `Member` to fill,
/// which has it, or nullptr for a second one.
[[nodiscard]] std::expected<void, SnapshotError> read_snapshot(std::string_view bytes, TrackerOptions& options,
                                                               auto begin) {
  auto lines = open_snapshot(bytes, options);
  if (!lines) return std::unexpected(lines.error());
  Arena arena;
  Member* member = nullptr;
  for (; !lines->empty(); arena.reset()) {
    const std::string_view line = lines->substr(0, lines->find('\n'));
    lines->remove_prefix(line.size() + 1);
    auto read = read_line<SnapshotLine>(line, arena);
    if (!read) return std::unexpected(read.error());
    const auto content = std::unexpected(SnapshotError::content);
    if (read->member.has_value() + read->connection.has_value() + read->transaction.has_value() != 1) return content;
    if (read->member) member = begin(*read->member);
    if (member == nullptr) return content;
    if (read->connection) {
      if (member->find_connection(read->connection->connection.id) != nullptr) return content;
      member->put(*read->connection);
    } else if (read->transaction) {
      TransactionRecord record{read->transaction->initial_transaction, read->transaction->state, read->transaction->seen};
      record.initial_transaction.place_id = read->transaction->place;
      const IdKey key(record.initial_transaction.id);
      if (member->transactions.find(key) != nullptr) return content;
      member->put(key, record);
    }
  }
  return {};
}

BANKHOOK_ONCE(void write_line(const SnapshotLine&, std::string&));
BANKHOOK_ONCE(std::string write_snapshot(const TrackerOptions&, const std::vector<const Member*>&));
BANKHOOK_ONCE(std::expected<SnapshotLine, SnapshotError> read_line(std::string_view, Arena&));
BANKHOOK_ONCE(std::expected<std::string_view, SnapshotError> open_snapshot(std::string_view, TrackerOptions&));

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::tracking
