// SPDX-License-Identifier: MIT
// One benchmark: a method that takes every event of a corpus, again and again.
#pragma once

#include "corpus.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace bankhook::bench {

/// Has the compiler make `value` and all that it views, as if somebody looked at it.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(std::addressof(value)) : "memory");
}

/// Registers `method` of `task` ("parse", "check", "serialize"). `prepare()` makes what the method keeps (arena, parser,
/// buffer) and gives a callable that takes all events and returns how many of them came out right. The corpus must outlive
/// it.
template <class Prepare>
void measure(const std::string& task, const std::string& method, const Corpus& corpus, Prepare prepare) {
  const std::string name = task + '/' + corpus.name + '/' + method;
  const auto kept = std::make_shared<std::optional<decltype(prepare())>>();  // from repetition to repetition
  const auto run = [&corpus, prepare, kept](benchmark::State& state) {
    const std::size_t events = corpus.events.size();
    bool fine = true;
    if (!*kept) fine = kept->emplace(prepare())() == events;  // not measured: memory is touched and grows here
    for (auto _ : state) fine = (**kept)() == events && fine;
    if (!fine) return state.SkipWithError("an event was not taken");
    const auto passes = static_cast<std::int64_t>(state.iterations());
    state.SetItemsProcessed(passes * static_cast<std::int64_t>(events));
    state.SetBytesProcessed(passes * static_cast<std::int64_t>(corpus.archive().size()));
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->MinTime(0.04)->Unit(benchmark::kMillisecond);
}

}  // namespace bankhook::bench
