// SPDX-License-Identifier: MIT
// The interpreter's lock given away for a while, safe against an interpreter that ends meanwhile.
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

namespace bankhook::python {

/// In its scope the thread holds no lock. Before 3.14 CPython ends a thread that asks for the lock of an interpreter that
/// has ended by unwinding its stack, which would pass a destructor and so abort the process (pybind11's own does): the
/// thread rests instead until the process has ended, as from 3.14 on.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }

 private:
  PyThreadState* state_;
};

}  // namespace bankhook::python
