// SPDX-License-Identifier: MIT
// What a user chooses about columns, and the errors of such a choice.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// What a column of times counts since 1970.
enum class TimeUnit : std::uint8_t {
  microseconds,  ///< holds all years that a payload can have, and six fraction digits
  nanoseconds,   ///< holds all fraction digits, and the years 1678 to 2261
};

/// How the events of an archive become columns. Nothing is rounded: an event with a value that a column cannot hold is
/// rejected.
struct ColumnOptions {
  /// Decimal places of amounts, 0 to 37, in columns of decimal128(38, scale). The specification shows no amount and no
  /// currency (2.4); no currency of ISO 4217 has more than four places.
  int scale = 4;
  TimeUnit unit = TimeUnit::microseconds;
  std::size_t batch_rows = std::size_t{1} << 16;  ///< rows of a batch, at most; at least one
  /// Bytes of lines after which a batch ends, 1 to 2^30. The memory of a larger batch is neither in the processor's cache
  /// nor what the batch before it has left.
  std::size_t batch_bytes = std::size_t{1} << 19;
  /// The columns that are built, by name or by path: `initialTransaction.amount`, `connection.accounts.id`. All if it is
  /// empty. Looked at only by the function that it is given to. Which events are rejected does not depend on it.
  std::span<const std::string_view> columns{};
  std::int64_t source = 0;  ///< what the column `source` says, for archives of several files
};

/// Why there are no columns.
enum class ColumnErrc : std::uint8_t {
  unknown_column,      ///< the table has no column of one of the names
  scale_out_of_range,  ///< the scale is not 0 to 37
  value_does_not_fit,  ///< a column cannot hold a value, which has no table of rejected lines to go to
};

}  // namespace bankhook::inline BANKHOOK_ABI
