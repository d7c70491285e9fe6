// SPDX-License-Identifier: MIT
// A tracker's state as lines of JSON, one a member, and back; equal states give equal bytes.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/json/read/read.hpp>
#include <bankhook/tracking/options.hpp>
#include <bankhook/tracking/snapshot_error.hpp>
#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/store/store.hpp>
#include <bankhook/tracking/store/whole_member.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// What a snapshot has. Its first line is a head, its last line a foot; between them is a line for each `WholeMember`, in
/// the order of their ids. A nullable field, one that may be absent and an array can be added to any of these structs
/// later: snapshots without it are read, too.
struct Restored {
  Store store{};
  TrackerOptions options{};
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

inline constexpr std::string_view snapshot_start = R"({"trackerSnapshot":)";
/// It changes only if older snapshots cannot be read at all; added and removed fields do not change it.
inline constexpr std::uint64_t snapshot_version = 1;

struct SnapshotHead {
  std::uint64_t tracker_snapshot{};  ///< the version
  maybe_absent<bool> accept_late{};
  maybe_absent<bool> unlist{};
};
struct SnapshotFoot {
  std::uint64_t checksum{};  ///< of all lines before it
};

/// Takes the first line of `rest`, without its line feed.
[[nodiscard]] inline std::string_view take_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(line.size() + 1);
  return line;
}

/// Reads a line. A nullable field or an array that it lacks is null or empty.
template <class T>
[[nodiscard]] std::expected<T, Error> read_line(std::string_view line, Arena& arena) {
  json::ParseContext in(line, json::ArenaStore(arena));
  in.missing_is_null = true;
  std::expected<T, Error> value(std::in_place);
  if (!json::read_all(in, *value)) return std::unexpected(in.error);
  return value;
}

/// Why a line whose checksum is right cannot be read.
[[nodiscard]] constexpr SnapshotError snapshot_error(Errc code) {
  switch (code) {
    case Errc::missing_field: return SnapshotError::missing_field;
    case Errc::expected_object:
    case Errc::expected_array:
    case Errc::expected_string:
    case Errc::expected_boolean:
    case Errc::expected_number:
    case Errc::expected_integer:
    case Errc::expected_count: return SnapshotError::other_type;
    case Errc::out_of_memory: base::fail_without_memory();
    default: return SnapshotError::content;
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// Writes the options and everything that is stored, in the order of the ids: equal stores and options give equal bytes.
template <std::same_as<Store> S>
[[nodiscard]] std::string write_snapshot(const S& store, const TrackerOptions& options) {
  std::string out;
  out.reserve(512 * (store.members.size() + store.connections.size() + store.transactions.size()));  // in most cases enough
  const auto write_line = [&](const auto& value) {
    serialize_to(value, out);
    out += '\n';
  };
  write_line(detail::SnapshotHead{detail::snapshot_version, options.accept_late, options.unlist});
  WholeMembers whole(store);
  for (const RecordId number : store.members.in_order()) write_line(whole(number));
  write_line(detail::SnapshotFoot{checksum_of(out)});
  return out;
}

/// Returns what was written, or why it cannot be read, whatever the bytes are.
template <class = void>
[[nodiscard]] std::expected<Restored, SnapshotError> read_snapshot(std::string_view bytes) {
  if (bytes.empty() || !bytes.starts_with(detail::snapshot_start.substr(0, bytes.size())))
    return std::unexpected(SnapshotError::foreign);
  Arena arena;
  const std::size_t foot_start = bytes.find_last_of('\n', bytes.size() - 2) + 1;
  const auto foot = detail::read_line<detail::SnapshotFoot>(bytes.substr(foot_start), arena);
  if (!bytes.ends_with('\n') || foot_start == 0 || !foot) return std::unexpected(SnapshotError::cut);
  std::string_view rest = bytes.substr(0, foot_start);
  if (checksum_of(rest) != foot->checksum) return std::unexpected(SnapshotError::damaged);
  const auto head = detail::read_line<detail::SnapshotHead>(detail::take_line(rest), arena);
  if (!head) return std::unexpected(detail::snapshot_error(head.error().code));
  if (head->tracker_snapshot != detail::snapshot_version) return std::unexpected(SnapshotError::other_version);
  Restored restored;
  restored.options.accept_late = head->accept_late.value_or(restored.options.accept_late);
  restored.options.unlist = head->unlist.value_or(restored.options.unlist);
  while (!rest.empty()) {
    arena.reset();
    const auto whole = detail::read_line<WholeMember>(detail::take_line(rest), arena);
    if (!whole) return std::unexpected(detail::snapshot_error(whole.error().code));
    if (!add(restored.store, *whole)) return std::unexpected(SnapshotError::content);
  }
  return restored;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
