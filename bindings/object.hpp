// SPDX-License-Identifier: MIT
// How objects of our classes are laid out: views of values that share a block with a payload.
#pragma once

#include "library.hpp"
#include "values.hpp"

#include <Python.h>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace bankhook::python {

/// Lives as long as one of the Python objects that view it. Counted without atomics, under the interpreter's lock.
class Block {
 public:
  /// `is_canonical`: the payload is what `serialize` writes.
  Block(PyObject* payload, ArenaMemory memory, bool is_canonical = false)
      : is_canonical_(is_canonical), payload_(Py_XNewRef(payload)), memory_(std::move(memory)) {}
  Block& operator=(Block&&) = delete;

  void take() { ++shares_; }
  void release() {
    if (--shares_ == 0) delete this;
  }
  /// The payload of the event at this address (bytes), without a byte order mark: a new reference, or null, without an
  /// exception, for a value that was made in Python.
  [[nodiscard]] virtual PyObject* raw_of(const void*) const {
    if (payload_ == nullptr || PyBytes_AS_STRING(payload_)[0] == '{') return Py_XNewRef(payload_);
    const std::string_view raw =
        detail::json::without_mark({PyBytes_AS_STRING(payload_), static_cast<std::size_t>(PyBytes_GET_SIZE(payload_))});
    if (raw.data() == PyBytes_AS_STRING(payload_)) return Py_NewRef(payload_);
    return PyBytes_FromStringAndSize(raw.data(), static_cast<Py_ssize_t>(raw.size()));
  }

  /// Whether `raw_of` gives what is written of the event at this address.
  [[nodiscard]] virtual bool is_canonical(const void*) const { return is_canonical_; }

  /// The payload that the event at this address is written over: its own, or that of the event which it replaced. As
  /// `raw_of` gives it.
  [[nodiscard]] PyObject* to_write_over(const void* event) const {
    return replaced_ != nullptr ? Py_NewRef(replaced_) : raw_of(event);
  }
  /// Takes over a reference to it, or null, for a new event.
  void remember_replaced(PyObject* payload) { replaced_ = payload; }

 protected:
  virtual ~Block() {
    Py_XDECREF(payload_);
    Py_XDECREF(replaced_);
  }

 private:
  std::size_t shares_ = 1;
  bool is_canonical_;
  PyObject* payload_;
  PyObject* replaced_ = nullptr;
  ArenaMemory memory_;
};

/// A share of a block; a new block has one.
struct ReleaseBlock {
  void operator()(Block* block) const { block->release(); }
};
template <class B>
using Share = std::unique_ptr<B, ReleaseBlock>;

/// A block around its root value.
template <class T>
class ValueBlock final : public Block {
 public:
  ValueBlock(const T& value_, PyObject* payload, ArenaMemory memory, bool is_canonical)
      : Block(payload, std::move(memory), is_canonical), value(value_) {}
  const T value;
};

/// A part of an archive and its lines; `payload` (bytes) holds the part.
class BatchBlock final : public Block {
 public:
  BatchBlock(PyObject* payload, ArenaMemory memory, std::vector<ArchiveLine> lines_)
      : Block(payload, std::move(memory)), lines(std::move(lines_)) {}

  const std::vector<ArchiveLine> lines;

  [[nodiscard]] PyObject* raw_of(const void* event) const override {
    const std::string_view raw = line_of(event).raw;
    return PyBytes_FromStringAndSize(raw.data(), static_cast<Py_ssize_t>(raw.size()));
  }
  [[nodiscard]] bool is_canonical(const void* event) const override { return line_of(event).is_canonical; }

 private:
  /// The line that the event lies in.
  [[nodiscard]] const ArchiveLine& line_of(const void* event) const {
    const auto before = static_cast<const char*>(event) - reinterpret_cast<const char*>(lines.data());
    return lines[static_cast<std::size_t>(before) / sizeof(ArchiveLine)];
  }
};

/// The start of every object.
struct Head {
  PyObject_HEAD PyObject* weak_references;
};

/// An object of a reflected struct, which lies in `block` or in memory that the block keeps.
struct View {
  Head head;
  const void* value;
  Block* block;
};

/// A view of `value`. Takes a share of the block.
inline PyObject* make_view(PyTypeObject* type, const void* value, Block& block) {
  View* const self = PyObject_New(View, type);  // tp_alloc would also clear what is set here
  if (self == nullptr) return nullptr;
  self->head.weak_references = nullptr;
  self->value = value;
  self->block = &block;
  block.take();
  return reinterpret_cast<PyObject*>(self);
}

inline const void* address_in(PyObject* self) { return reinterpret_cast<View*>(self)->value; }
template <class T>
const T& value_of(PyObject* self) {
  return *static_cast<const T*>(address_in(self));
}

inline Block& block_of(PyObject* self) { return *reinterpret_cast<View*>(self)->block; }

/// A root object of what was parsed into `arena`, or copied there, whose memory moves to it.
template <class T>
PyObject* make_root(const T& value, PyObject* payload, Arena& arena, bool is_canonical = false) {
  const Share<ValueBlock<T>> block(new (std::nothrow) ValueBlock<T>(value, payload, arena.release(), is_canonical));
  return block ? make_view(class_of<T>, &block->value, *block) : PyErr_NoMemory();
}

/// A root object with `value` and all that it views in a block of its own.
PyObject* make_owned(const auto& value) {
  auto copy = value;
  detail::reflect::ViewedBytes viewed{0};
  viewed.add(value);
  Arena arena(viewed.size());
  return detail::reflect::move_into(copy, arena) ? make_root(copy, nullptr, arena) : PyErr_NoMemory();
}

/// tp_dealloc of an object; `let_go(self)` ends what it keeps.
template <auto let_go>
void destroy(PyObject* self) {
  if (reinterpret_cast<Head*>(self)->weak_references != nullptr) PyObject_ClearWeakRefs(self);
  let_go(self);
  PyTypeObject* const type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

inline void release_block(PyObject* self) { block_of(self).release(); }

}  // namespace bankhook::python
