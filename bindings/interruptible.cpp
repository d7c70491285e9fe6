// SPDX-License-Identifier: MIT
// Work on a thread of its own, and what becomes of it when nobody waits any more.
#include "interruptible.hpp"

#include "unlocked.hpp"

#include <list>
#include <system_error>
#include <thread>

namespace bankhook::python {
namespace {

/// Work that goes on though its caller left. It may own Python objects, which need the interpreter's lock to be let go.
struct Left {
  std::shared_ptr<Task> task;
  std::thread thread;
};

/// Never destroyed: when the process ends, work may still be running. A forked child starts with an empty list: its
/// parent's threads do not exist there, nor do their stacks, and their locks might be held for ever.
std::list<Left>& all_left() {
  static auto* left = new std::list<Left>;
  static auto process = getpid();  // Python.h declares it
  if (process != getpid()) {
    left = new std::list<Left>;
    process = getpid();
  }
  return *left;
}

void let_go_of_what_is_done() {
  std::erase_if(all_left(), [](Left& left) {
    if (!left.task->wait(std::chrono::milliseconds(0))) return false;
    left.thread.join();
    return true;
  });
}

}  // namespace

void Task::run() noexcept {
  try {
    work();
  } catch (...) {
    thrown_ = std::current_exception();
  }
  const std::scoped_lock lock(mutex_);
  is_done_ = true;
  changed_.notify_all();
}

bool Task::wait(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, most, [&] { return is_done_; });
}

bool run_apart(std::shared_ptr<Task> task) {
  let_go_of_what_is_done();
  std::list<Left> mine(1);  // made here, because leaving must not fail
  Left& left = mine.front();
  left.task = std::move(task);
  try {
    left.thread = std::thread([&work = *left.task] { work.run(); });
  } catch (const std::system_error&) {  // no more threads: then here, and without a way out
    left.task->run();
    left.task->rethrow();
    return true;
  }
  for (bool is_done = false; !is_done;) {
    {
      const Unlocked without_lock;
      is_done = left.task->wait(std::chrono::milliseconds(20));
    }
    if (is_done || PyErr_CheckSignals() == 0) continue;
    all_left().splice(all_left().end(), mine);
    return false;
  }
  left.thread.join();
  left.task->rethrow();
  return PyErr_CheckSignals() == 0;  // who calls in a loop of C hears of a signal here alone
}

}  // namespace bankhook::python
