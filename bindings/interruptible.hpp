// SPDX-License-Identifier: MIT
// Long work of the library, which knows no interpreter: done on a thread of its own, so that Ctrl-C ends the wait at once.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook::python {

/// From so many bytes on a text is long. Fewer take less than a tenth of a second, whatever is in them.
inline constexpr std::size_t long_text = std::size_t{4} << 20;

inline std::string_view text_of(const pybind11::object& bytes) {
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

/// For loops that make or read many objects: false, with an exception, where a signal came and its handler raised.
/// A handler is Python and may do anything.
inline bool may_go_on(std::size_t turn) { return turn % 1024 != 0 || PyErr_CheckSignals() == 0; }

/// Work that owns all it needs: who waits for it may leave.
class Task {
 public:
  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  virtual ~Task() = default;

  /// Works, and says so when it is done. Called once.
  void run() noexcept;
  /// Whether it is done, after so long at most.
  bool wait(std::chrono::milliseconds most);
  /// What the work threw, if anything.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 protected:
  virtual void work() = 0;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::exception_ptr thrown_;
};

/// Runs it without the interpreter's lock. False, with an exception, where a signal's handler raised one: the work goes on
/// to its end, nobody hears of it, and what it owns is kept for so long.
bool run_apart(std::shared_ptr<Task> task);

template <class Work>
class TaskOf final : public Task {
 public:
  explicit TaskOf(Work work) : work_(std::move(work)) {}
  std::optional<std::invoke_result_t<Work&>> result;

 private:
  void work() override { result.emplace(work_()); }
  Work work_;
};

/// What `work()` gives, which owns all it touches and touches no Python object but the contents of bytes; apart where it
/// is long. Nothing, with an exception set, where it was interrupted. What `work` throws is thrown here.
template <class Work>
std::optional<std::invoke_result_t<Work&>> interruptible(bool is_long, Work work) {
  if (!is_long) return work();
  const auto task = std::make_shared<TaskOf<Work>>(std::move(work));
  if (!run_apart(task)) return std::nullopt;
  return std::move(task->result);
}

}  // namespace bankhook::python
