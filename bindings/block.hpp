// SPDX-License-Identifier: MIT
// What a payload's objects share: the payload, the memory of its arrays and decoded text, and the value itself.
#pragma once

#include "library.hpp"

#include <Python.h>

#include <cstddef>
#include <utility>

namespace bankhook::python {

/// Lives as long as one of the Python objects that view it. Counted without atomics, under the interpreter's lock.
class Block {
 public:
  Block(PyObject* payload, ArenaMemory memory) : payload_(Py_XNewRef(payload)), memory_(std::move(memory)) {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void take() { ++shares_; }
  void release() {
    if (--shares_ == 0) delete this;
  }
  /// For a block that no object came to view.
  void discard() { delete this; }
  /// The payload of the event at this address (bytes): a new reference, or null, without an exception, for a value that
  /// was made in Python.
  [[nodiscard]] virtual PyObject* raw_of(const void*) const { return Py_XNewRef(payload_); }
  /// Whether reading the event at this address skipped something that no table lists.
  [[nodiscard]] virtual bool has_notes(const void*) const { return false; }

 protected:
  virtual ~Block() { Py_XDECREF(payload_); }

 private:
  std::size_t shares_ = 0;
  PyObject* payload_;
  ArenaMemory memory_;
};

/// A block around its root value.
template <class T>
class ValueBlock final : public Block {
 public:
  ValueBlock(const T& value_, PyObject* payload, ArenaMemory memory, bool has_notes = false)
      : Block(payload, std::move(memory)), value(value_), has_notes_(has_notes) {}
  const T value;
  [[nodiscard]] bool has_notes(const void*) const override { return has_notes_; }

 private:
  bool has_notes_;
};

}  // namespace bankhook::python
