// SPDX-License-Identifier: MIT
// A consumer of Arrow's C interfaces for the tests: reads values out of the buffers by the format's specification alone.
#pragma once

#include <bankhook/columns.hpp>

#include <bankhook_catch.hpp>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace columns_test {

/// A schema that was received, released at the end.
struct Schema {
  Schema() = default;
  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;
  ~Schema() {
    if (schema.release != nullptr) schema.release(&schema);
  }
  ArrowSchema schema{};
};

struct Batch {
  Batch() = default;
  Batch(Batch&& other) noexcept : array(std::exchange(other.array, {})) {}
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() {
    if (array.release != nullptr) array.release(&array);
  }
  ArrowArray array{};
};

/// A table that was read to its end.
struct Table {
  Schema schema{};
  std::vector<Batch> batches{};

  [[nodiscard]] std::int64_t rows() const {
    std::int64_t rows = 0;
    for (const Batch& batch : batches) rows += batch.array.length;
    return rows;
  }
};

template <class T>
void read_table(std::string_view ndjson, const bankhook::ColumnOptions& options, Table& table) {
  auto opened = bankhook::to_columns<T>(ndjson, options);
  REQUIRE(opened.has_value());
  ArrowArrayStream stream = *opened;
  REQUIRE(stream.get_schema(&stream, &table.schema.schema) == 0);
  for (;;) {
    Batch batch;
    REQUIRE(stream.get_next(&stream, &batch.array) == 0);
    if (batch.array.release == nullptr) break;
    table.batches.push_back(std::move(batch));
  }
  stream.release(&stream);
  REQUIRE(stream.release == nullptr);
}

/// A column of a batch, found by name.
struct View {
  const ArrowSchema* schema;
  const ArrowArray* array;

  [[nodiscard]] std::string_view format() const { return schema->format; }
  [[nodiscard]] View operator[](std::string_view name) const {
    for (std::int64_t i = 0; i < schema->n_children; ++i) {
      if (name == schema->children[i]->name) return {schema->children[i], array->children[i]};
    }
    FAIL("no column " << name);
    return *this;
  }
  [[nodiscard]] bool is_null(std::int64_t row) const {
    const auto* const bits = static_cast<const std::uint8_t*>(array->buffers[0]);
    return bits != nullptr && (bits[row / 8] >> (row % 8) & 1) == 0;
  }
  template <class V>
  [[nodiscard]] V at(std::int64_t row, std::size_t buffer = 1) const {
    V value;
    std::memcpy(&value, static_cast<const char*>(array->buffers[buffer]) + static_cast<std::size_t>(row) * sizeof(V),
                sizeof(V));
    return value;
  }
  template <class Offset = std::int32_t>
  [[nodiscard]] std::optional<std::string_view> text(std::int64_t row) const {
    if (is_null(row)) return std::nullopt;
    const auto begin = at<Offset>(row), end = at<Offset>(row + 1);
    return std::string_view(static_cast<const char*>(array->buffers[2]) + begin, static_cast<std::size_t>(end - begin));
  }
};

inline View view_of(const Table& table, std::size_t batch = 0) {
  return {&table.schema.schema, &table.batches.at(batch).array};
}

/// The schema as text: `name:format` with `?` where it may be null, and its children in braces.
inline std::string described(const ArrowSchema& schema) {
  std::string text =
      std::string(schema.name) + ":" + schema.format + ((schema.flags & ARROW_FLAG_NULLABLE) != 0 ? "?" : "");
  if (schema.n_children == 0) return text;
  text += "{";
  for (std::int64_t i = 0; i < schema.n_children; ++i) text += (i > 0 ? " " : "") + described(*schema.children[i]);
  return text + "}";
}

}  // namespace columns_test
