// SPDX-License-Identifier: MIT
// Columns are handed over: as ArrowSchema and ArrowArray, each with memory of its own, so that each can be released alone.
#pragma once

#include <bankhook/base/arrow_abi.hpp>
#include <bankhook/columns/column.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::columns {

/// The children of a struct that was handed over. The consumer may have moved one out of it: that one is not released here.
template <class Struct>
struct Children {
  std::vector<Struct> structs{};
  std::vector<Struct*> pointers{};

  Children() = default;
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() {
    for (Struct& child : structs) {
      if (child.release != nullptr) child.release(&child);
    }
  }
  /// Memory for `count` children, none of which has anything to release yet.
  void resize(std::size_t count) {
    structs.resize(count, Struct{});
    for (Struct& child : structs) pointers.push_back(&child);
  }
};

/// What an ArrowSchema owns.
struct SchemaMemory {
  std::string format{};
  std::string name{};
  std::string metadata{};
  Children<ArrowSchema> children{};
};

/// What an ArrowArray owns.
struct ArrayMemory {
  std::array<Buffer, 3> buffers{};
  std::array<const void*, 3> pointers{};
  Children<ArrowArray> children{};
};

/// The release callback: marks the struct as released, as the interface asks. A second call does nothing.
template <class Struct, class Memory>
void release(Struct* released) noexcept {
  delete static_cast<Memory*>(released->private_data);
  released->release = nullptr;
  released->private_data = nullptr;
}

/// Key and value pairs as the interface encodes them: counts and sizes are native 32-bit integers.
template <class = void>
[[nodiscard]] std::string encoded_metadata(const Column& column) {
  if (column.section.empty() && column.meaning.empty()) return {};
  Buffer encoded;
  const auto add = [&](std::string_view text) {
    encoded.push(static_cast<std::int32_t>(text.size()));
    encoded.append(text);
  };
  encoded.push(std::int32_t{2});
  add("bankhook.section");
  add(column.section);
  add("bankhook.meaning");
  add(column.meaning);
  return {encoded.data(), encoded.size()};
}

[[nodiscard]] inline std::size_t wanted_children(const Column& column) {
  std::size_t wanted = 0;
  for (const Column& child : column.children) wanted += child.is_wanted;
  return wanted;
}

/// The schema of the columns that are wanted. Throws std::bad_alloc, with nothing in `out`.
template <class = void>
void hand_over_schema(const Column& column, ArrowSchema& out) {
  auto memory = std::make_unique<SchemaMemory>();
  memory->format = column.format;
  memory->name = column.name;
  memory->metadata = encoded_metadata(column);
  memory->children.resize(wanted_children(column));
  auto child_schema = memory->children.structs.begin();
  for (const Column& child : column.children) {
    if (child.is_wanted) hand_over_schema(child, *child_schema++);
  }
  out = ArrowSchema{};
  out.format = memory->format.c_str();
  out.name = memory->name.c_str();
  out.metadata = memory->metadata.empty() ? nullptr : memory->metadata.data();
  out.flags = column.is_nullable ? base::arrow_nullable : 0;
  out.n_children = static_cast<std::int64_t>(memory->children.pointers.size());
  out.children = memory->children.pointers.data();
  out.release = release<ArrowSchema, SchemaMemory>;
  out.private_data = memory.release();
}

/// The values of the columns that are wanted; `column` is empty then. Throws std::bad_alloc, with nothing in `out`.
template <class = void>
void hand_over_values(Column& column, ArrowArray& out) {
  auto memory = std::make_unique<ArrayMemory>();
  memory->children.resize(wanted_children(column));
  auto child_array = memory->children.structs.begin();
  for (Column& child : column.children) {
    if (child.is_wanted) hand_over_values(child, *child_array++);
  }
  const bool has_offsets = column.kind == Kind::text || column.kind == Kind::long_binary || column.kind == Kind::list;
  const bool has_bytes = column.kind == Kind::text || column.kind == Kind::long_binary;
  if (has_offsets && column.values.size() == 0) column.push_first_offset();
  if (column.is_nullable && column.length % 64 != 0) column.push_last_validity();
  out = ArrowArray{};
  out.length = std::exchange(column.length, 0);
  out.null_count = std::exchange(column.nulls, 0);
  out.n_buffers = column.kind == Kind::structure ? 1 : has_bytes ? 3 : 2;
  memory->buffers = {column.validity.take(), column.values.take(), column.bytes.take()};
  for (std::size_t i = 0; i < memory->buffers.size(); ++i) memory->pointers[i] = memory->buffers[i].data();
  if (out.null_count == 0) memory->pointers[0] = nullptr;  // no null, so no bitmap is needed
  // Consumers expect an address even of no bytes.
  for (std::size_t i = 1; i < memory->pointers.size(); ++i) {
    if (memory->pointers[i] == nullptr) memory->pointers[i] = memory->pointers.data();
  }
  out.buffers = memory->pointers.data();
  out.n_children = static_cast<std::int64_t>(memory->children.pointers.size());
  out.children = memory->children.pointers.data();
  out.release = release<ArrowArray, ArrayMemory>;
  out.private_data = memory.release();
}

}  // namespace bankhook::inline BANKHOOK_ABI::columns
