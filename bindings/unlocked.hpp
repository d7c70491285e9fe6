// SPDX-License-Identifier: MIT
// Long work: without the interpreter's lock, and with a look at the signals between its parts or at its end.
#pragma once

// The library knows no interpreter, so one call of it is never cut short: a signal waits until it returns. Arrays and
// archives are worked on in parts, with a look at the signals between them; a single payload is one part, whatever its
// size.

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

namespace bankhook::python {

/// From so many bytes on, other threads would notice that nobody else gets the lock. Fewer take less than a tenth of a
/// second, whatever is in them.
inline constexpr std::size_t long_text = std::size_t{4} << 20;

inline std::string_view text_of(const pybind11::object& bytes) {
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

/// Throws what the handler of a signal raised that came meanwhile; loops that make or read many objects look every 1024th
/// turn. A handler is Python and may do anything.
inline void check_signals(std::size_t turn = 0) {
  if (turn % 1024 == 0 && PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

/// What `call()` returns, which may run Python or ask for the lock. Before 3.14 CPython ends a thread that asks for the
/// lock of an interpreter that has ended by unwinding its stack, which would pass a destructor and so abort the process
/// (pybind11's own does): the thread rests instead until the process has ended, as from 3.14 on. The call has nothing to
/// destroy that the unwinding would come by.
template <class Call>
std::invoke_result_t<Call&> calling_python(Call call) {
  try {
    return call();
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

/// In its scope the thread does not have the lock.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  Unlocked& operator=(Unlocked&&) = delete;
  ~Unlocked() {
    calling_python([&] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

/// In its scope the thread has the lock, whether or not it has it outside, and whether or not Python made the thread.
class Locked {
 public:
  Locked& operator=(Locked&&) = delete;
  ~Locked() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_ = calling_python(PyGILState_Ensure);
};

/// What `work()` returns, which touches no Python object but the contents of bytes: without the lock if it is long.
/// Throws what the handler of a signal raised that came meanwhile: code that calls in a loop of C hears of a signal here
/// alone.
template <class Work>
std::invoke_result_t<const Work&> unlocked(bool is_long, const Work& work) {
  if (!is_long) return work();
  std::optional<Unlocked> without_lock(std::in_place);
  auto result = work();
  without_lock.reset();
  check_signals();
  return result;
}

}  // namespace bankhook::python
