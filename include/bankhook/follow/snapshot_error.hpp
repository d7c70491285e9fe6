// SPDX-License-Identifier: MIT
// Why bytes are no snapshot that can be restored.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstdint>
#include <string_view>

namespace bankhook {

/// Why bytes are no snapshot that can be restored.
enum class SnapshotError : std::uint8_t {
  foreign,        ///< they do not begin as a snapshot does
  other_version,  ///< of a version that this kit does not read
  cut,            ///< shorter or longer than they say
  damaged,        ///< the checksum is another one
  content,        ///< the checksum is right, and still no tracker writes this
  missing_field,  ///< a field that has to be there is in no record of it, or is null
  other_type,     ///< a field is of a type that does not become the one that it has here
};

/// The sentence of an error, for people. Static storage.
[[nodiscard]] constexpr std::string_view message(SnapshotError error) {
  switch (error) {
    case SnapshotError::foreign: return "expected the snapshot of a tracker, found other bytes";
    case SnapshotError::other_version: return "expected a snapshot of a version that this kit reads";
    case SnapshotError::cut: return "expected as many bytes as the snapshot says that it has";
    case SnapshotError::damaged: return "expected the checksum of the snapshot, found another one: it is damaged";
    case SnapshotError::content: return "expected what a tracker writes, found records that do not go together";
    case SnapshotError::missing_field:
      return "expected every field that this version requires, found a snapshot of another version without one of them";
    case SnapshotError::other_type:
      return "expected fields of types that this version reads, found a snapshot of another version with another type";
  }
  return "unknown error";
}

}  // namespace bankhook
