// SPDX-License-Identifier: MIT
// One benchmark: a method that takes every event of a corpus, again and again.
#pragma once

#include "corpus.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bankhook::bench {

/// Registers `method` of `task` ("parse", "check", "serialize"). `prepare()` makes what the method keeps (arena, parser,
/// buffer) and gives a callable that takes all events and returns how many of them came out right. The corpus must outlive
/// it.
template <class Prepare>
void measure(const std::string& task, const std::string& method, const Corpus& corpus, Prepare prepare) {
  const std::string name = task + '/' + corpus.name + '/' + method;
  const auto run = [&corpus, prepare](benchmark::State& state) {
    auto take_all = prepare();
    bool fine = take_all() == corpus.events.size();  // not measured: memory is touched and grows here
    for (auto _ : state) fine = take_all() == corpus.events.size() && fine;
    if (!fine) return state.SkipWithError("an event was not taken");
    const auto passes = static_cast<std::int64_t>(state.iterations());
    state.SetItemsProcessed(passes * static_cast<std::int64_t>(corpus.events.size()));
    state.SetBytesProcessed(passes * static_cast<std::int64_t>(corpus.archive().size()));
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->MinTime(0.04)->Unit(benchmark::kMillisecond);
}

/// Registers everything that reads. False where a peer reads other values than the kit does: nothing to compare then.
[[nodiscard]] bool register_parse(const std::vector<Corpus>& corpora);
/// Registers what judging costs.
void register_check(const std::vector<Corpus>& corpora);
/// Registers everything that writes. False where a writer does not give back the bytes of the corpus.
[[nodiscard]] bool register_serialize(const std::vector<Corpus>& corpora);
/// Registers the histories of the sandbox.
void register_sandbox();

}  // namespace bankhook::bench
