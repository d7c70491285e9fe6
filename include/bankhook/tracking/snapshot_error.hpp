// SPDX-License-Identifier: MIT
// Why bytes cannot be restored as a snapshot.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstdint>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// Why bytes cannot be restored.
enum class SnapshotError : std::uint8_t {
  foreign,        ///< they do not start as a snapshot does
  other_version,  ///< of a version that this library does not read
  cut,            ///< they do not end in a line with a checksum
  damaged,        ///< they have another checksum
  content,        ///< the checksum is right, but no tracker writes this
  missing_field,  ///< a required field is not stored, or is null
  other_type,     ///< a field has a type that cannot become its type in this version
};

/// The sentence of an error, for people. Static storage.
[[nodiscard]] constexpr std::string_view to_string(SnapshotError error) {
  switch (error) {
    case SnapshotError::foreign: return "expected the snapshot of a tracker, found other bytes";
    case SnapshotError::other_version: return "expected a snapshot of a version that this library reads";
    case SnapshotError::cut: return "expected a last line with a checksum, found another end: the snapshot is incomplete";
    case SnapshotError::damaged: return "expected the checksum of the snapshot, found another one: it is damaged";
    case SnapshotError::content: return "expected the records that a tracker writes, found inconsistent ones";
    case SnapshotError::missing_field:
      return "expected every field that this version requires, found a snapshot of another version without one of them";
    case SnapshotError::other_type:
      return "expected fields of types that this version reads, found a snapshot of another version with another type";
  }
  return "unknown error";
}

}  // namespace bankhook::inline BANKHOOK_ABI
