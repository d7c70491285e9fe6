// SPDX-License-Identifier: MIT
// Reads all that Arrow's C interface lets a consumer read, so that a sanitizer sees each byte of it.
#pragma once

#include <bankhook/columns.hpp>
#include <bankhook/tracking.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bankhook::test {

/// Looks at a column and those within; `wrong` is what is wrong with it, if anything is.
class ColumnReader {
 public:
  std::string wrong{};

  void read(const ArrowSchema& schema, const ArrowArray& array, std::int64_t least) {
    const std::string_view format = schema.format;
    if (array.length < least || array.offset != 0) wrong = "a column is too short";
    if (array.n_children != schema.n_children) wrong = "other columns than the schema has";
    if (array.n_buffers > 0 && array.buffers[0] != nullptr) touch(array.buffers[0], (array.length + 7) / 8);
    if (array.null_count != 0 && (schema.flags & ARROW_FLAG_NULLABLE) == 0) wrong = "null in a column without nulls";
    std::int64_t within = array.length;
    if (format == "+l") within = last_offset<std::int32_t>(array);
    else if (format == "u") touch(array.buffers[2], last_offset<std::int32_t>(array));
    else if (format == "Z") touch(array.buffers[2], last_offset<std::int64_t>(array));
    else if (format == "b") touch(array.buffers[1], (array.length + 7) / 8);
    else if (format.starts_with("d:")) touch(array.buffers[1], array.length * 16);
    else if (format == "tdD") touch(array.buffers[1], array.length * 4);
    else if (format != "+s") touch(array.buffers[1], array.length * 8);
    for (std::int64_t i = 0; i < array.n_children && wrong.empty(); ++i)
      read(*schema.children[i], *array.children[i], within);
  }

 private:
  void touch(const void* buffer, std::int64_t size) {
    for (const std::uint8_t byte : std::span(static_cast<const std::uint8_t*>(buffer), static_cast<std::size_t>(size)))
      sum_ = sum_ + byte;
  }
  /// Where the last value ends: no value ends before it starts.
  template <class Offset>
  std::int64_t last_offset(const ArrowArray& array) {
    const auto* const offsets = static_cast<const Offset*>(array.buffers[1]);
    if (offsets[0] != 0) wrong = "offsets that do not start at 0";
    for (std::int64_t i = 0; i < array.length; ++i) {
      if (offsets[i + 1] < offsets[i]) wrong = "a value that ends before it starts";
    }
    return offsets[array.length];
  }

  volatile unsigned sum_ = 0;
};

/// Reads a stream to its end and releases it; how many rows it has.
inline std::int64_t rows_of(ArrowArrayStream& stream, std::string& wrong) {
  std::int64_t rows = 0;
  ColumnReader reader;
  ArrowSchema schema{};
  if (stream.get_schema(&stream, &schema) != 0) wrong = "no schema";
  for (;;) {
    ArrowArray batch{};
    if (stream.get_next(&stream, &batch) != 0) wrong = "no batch";
    if (batch.release == nullptr) break;
    rows += batch.length;
    reader.read(schema, batch, batch.length);
    batch.release(&batch);
  }
  schema.release(&schema);
  stream.release(&stream);
  if (!reader.wrong.empty()) wrong = reader.wrong;
  return rows;
}

/// What is wrong with the columns of all that is tracked: there are as many rows, or a value does not fit.
inline std::string reads_columns_of(const Tracker& tracker) {
  std::string wrong;
  const auto read = [&]<class T>(const std::vector<T>& all) {
    auto stream = to_columns(std::span<const T>(all));
    if (!stream && stream.error() != ColumnErrc::value_does_not_fit) wrong = "no columns";
    if (stream && rows_of(*stream, wrong) != static_cast<std::int64_t>(all.size())) wrong = "other rows";
  };
  read(tracker.members());
  read(tracker.connections());
  read(tracker.transactions());
  return wrong;
}

}  // namespace bankhook::test
