// SPDX-License-Identifier: MIT
// One benchmark: a method that takes every event of a corpus, again and again.
#pragma once

#include "corpus.hpp"

#include <cstddef>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bankhook::bench {

/// Has the compiler make `value` and all that it views, as if somebody looked at it.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(std::addressof(value)) : "memory");
}

/// What a repetition took; without events, it failed.
struct Sample {
  double seconds = 0;
  std::size_t events = 0;
  std::size_t bytes = 0;
};

/// One way to do a task ("parse", "check", "serialize") on a corpus.
struct Method {
  std::string task;
  std::string corpus;
  std::string name;                                           ///< `bankhook, Lines`, `simdjson`
  std::move_only_function<Sample(double least_seconds)> run;  ///< does it once, or again until so much time has passed

  [[nodiscard]] std::string path() const { return task + '/' + corpus + '/' + name; }
};

/// All that were registered, in that order.
[[nodiscard]] inline std::vector<Method>& methods() {
  static std::vector<Method> all;
  return all;
}

/// Seconds that `work()` takes a processor: another process that is given it meanwhile does not count.
template <class Work>
double seconds_of(Work&& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Registers `method` of `task`. `prepare()` makes what the method keeps (arena, parser, buffer) and gives a callable that
/// takes all events and returns how many of them came out right. The corpus must outlive it.
template <class Prepare>
void measure(const std::string& task, const std::string& method, const Corpus& corpus, Prepare prepare) {
  using Pass = decltype(prepare());
  auto run = [&corpus, prepare, pass = std::optional<Pass>()](double least_seconds) mutable {
    const std::size_t events = corpus.events.size();
    if (!pass) pass.emplace(prepare());
    Sample sample;
    do {
      bool fine = false;
      sample.seconds += seconds_of([&] { fine = (*pass)() == events; });
      if (!fine) return Sample{};
      sample.events += events;
      sample.bytes += corpus.archive().size();
    } while (sample.seconds < least_seconds);
    return sample;
  };
  methods().push_back({task, corpus.name, method, std::move(run)});
}

}  // namespace bankhook::bench
