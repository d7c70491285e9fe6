// SPDX-License-Identifier: MIT
// Columns as Arrow's C interfaces have them: schemas and arrays, each of which can be released alone, and streams of them.
#pragma once

#include <bankhook/base/arrow_abi.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/columns/column.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace columns {

/// What an ArrowSchema or an ArrowArray owns. The consumer may have moved a child out: that one is not released here.
template <class Struct>
struct Owner {
  std::vector<Struct> children{};
  std::vector<Struct*> pointers{};
  std::array<std::string, 3> texts{};       ///< of a schema: format, name, metadata
  std::array<Buffer::Memory, 3> buffers{};  ///< of an array
  std::array<const void*, 3> addresses{};   ///< of these

  ~Owner() {
    for (Struct& child : children) {
      if (child.release != nullptr) child.release(&child);
    }
  }

  /// Adds a child for each wanted column within `column`, which `hand_over(child of the column, child)` fills.
  void add_children(auto& column, auto hand_over) {
    children.reserve(column.children.size());
    for (auto& child : column.children) {
      if (!child.is_wanted) continue;
      pointers.push_back(&children.emplace_back());
      hand_over(child, children.back());
    }
  }
};

/// Gives `out` what it owns, and the release callback, which marks the struct as released, as the interface asks. A second
/// call does nothing.
template <class Struct>
void give(std::unique_ptr<Owner<Struct>> owner, Struct& out) {
  out.n_children = static_cast<std::int64_t>(owner->pointers.size());
  out.children = owner->pointers.data();
  out.private_data = owner.release();
  out.release = [](Struct* released) noexcept {
    delete static_cast<Owner<Struct>*>(released->private_data);
    released->release = nullptr;
    released->private_data = nullptr;
  };
}

/// Key and value pairs as the interface encodes them: counts and sizes are native 32-bit integers.
[[nodiscard]] inline std::string encoded_metadata(const Column& column) {
  std::string encoded;
  if (column.section.empty() && column.meaning.empty()) return encoded;
  const auto add = [&](std::size_t number, std::string_view text) {
    const auto native = static_cast<std::int32_t>(number);
    encoded.append(reinterpret_cast<const char*>(&native), sizeof(native)).append(text);
  };
  add(2, {});
  for (const std::string_view text :
       std::initializer_list<std::string_view>{"bankhook.section", column.section, "bankhook.meaning", column.meaning})
    add(text.size(), text);
  return encoded;
}

/// The schema of the columns that are wanted. Throws std::bad_alloc, with nothing in `out`.
inline void hand_over_schema(const Column& column, ArrowSchema& out) {
  auto owner = std::make_unique<Owner<ArrowSchema>>();
  owner->texts = {column.format, column.name, encoded_metadata(column)};
  owner->add_children(column, hand_over_schema);
  out = ArrowSchema{};
  out.format = owner->texts[0].c_str();
  out.name = owner->texts[1].c_str();
  out.metadata = owner->texts[2].empty() ? nullptr : owner->texts[2].data();
  out.flags = column.is_nullable ? ARROW_FLAG_NULLABLE : 0;
  give(std::move(owner), out);
}

/// The values of the columns that are wanted; `column` is empty then. Throws std::bad_alloc, with nothing in `out`.
inline void hand_over_values(Column& column, ArrowArray& out) {
  auto owner = std::make_unique<Owner<ArrowArray>>();
  owner->add_children(column, hand_over_values);
  const bool has_bytes = column.kind == Kind::text;
  if ((has_bytes || column.kind == Kind::list) && column.values.size() == 0) column.values.push_zeros(column.width);
  if (column.length % 64 != 0) {
    if (column.is_nullable) column.validity.push_last();
    if (column.kind == Kind::boolean) column.booleans.push_last();
  }
  out = ArrowArray{};
  out.length = std::exchange(column.length, 0);
  out.null_count = std::exchange(column.nulls, 0);
  out.n_buffers = column.kind == Kind::structure ? 1 : has_bytes ? 3 : 2;
  Buffer& values = column.kind == Kind::boolean ? column.booleans.words : column.values;
  owner->buffers = {column.validity.words.take(), values.take(), column.bytes.take()};
  for (std::size_t i = 0; i < owner->buffers.size(); ++i) {
    owner->addresses[i] = owner->buffers[i].get();
    if (i > 0 && owner->addresses[i] == nullptr) owner->addresses[i] = &owner->addresses;  // expected even of no bytes
  }
  if (out.null_count == 0) owner->addresses[0] = nullptr;  // no null, so no bitmap is needed
  out.buffers = owner->addresses.data();
  give(std::move(owner), out);
}

/// Gives the batches of a table. What it throws is std::bad_alloc.
struct Batches {
  virtual ~Batches() = default;

  virtual void schema(ArrowSchema& out) = 0;
  /// The next batch, unchanged `out` at the end; an errno, if it fails, after which it is not asked again.
  virtual int next(ArrowArray& out) = 0;
  /// Why `next` failed; nullptr if there is no message.
  [[nodiscard]] virtual const char* last_error() const { return nullptr; }

  int stream_error = 0;  ///< after which there are no more batches
};

/// The batches of a stream.
[[nodiscard]] inline Batches& batches_of(ArrowArrayStream* stream) { return *static_cast<Batches*>(stream->private_data); }

/// A stream that owns its batches. To release it a second time is harmless: a consumer may have kept the callback.
[[nodiscard]] inline ArrowArrayStream stream_of(std::unique_ptr<Batches> batches) {
  ArrowArrayStream stream{};
  stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) noexcept {
    Batches& of = batches_of(self);
    *out = {};
    return base::has_memory_for([&] { of.schema(*out); }) ? 0 : of.stream_error = ENOMEM;
  };
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) noexcept {
    int& error = batches_of(self).stream_error;
    *out = {};
    if (error == 0 && !base::has_memory_for([&] { error = batches_of(self).next(*out); })) error = ENOMEM;
    return error;
  };
  stream.get_last_error = [](ArrowArrayStream* self) noexcept {
    const Batches& of = batches_of(self);
    return of.stream_error == ENOMEM ? "no memory for the columns" : of.last_error();
  };
  stream.release = [](ArrowArrayStream* self) noexcept {
    delete static_cast<Batches*>(self->private_data);
    self->release = nullptr;
    self->private_data = nullptr;
  };
  stream.private_data = batches.release();
  return stream;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::columns
