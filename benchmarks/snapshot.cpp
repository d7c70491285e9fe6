// SPDX-License-Identifier: MIT
// Snapshots: a tracker of a million transactions as bytes, and back.
#include "groups.hpp"
#include "workload.hpp"

#include <bankhook/bankhook.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

namespace bankhook::bench {
namespace {

/// `run(tracker, bytes)` an iteration, where `bytes` is the tracker's snapshot; says whether it came out right.
template <class Run>
void measure_snapshot(const char* method, Run run) {
  const auto benchmark = [=](benchmark::State& state) {
    const Tracker tracker = workload().followed();
    const std::string bytes = tracker.snapshot();
    bool fine = true;
    for (auto _ : state) fine = run(tracker, bytes) && fine;
    if (!fine) return state.SkipWithError("a snapshot was not taken");
    const auto passes = static_cast<std::int64_t>(state.iterations());
    state.SetItemsProcessed(passes * static_cast<std::int64_t>(tracker.transaction_count()));
    state.SetBytesProcessed(passes * static_cast<std::int64_t>(bytes.size()));
  };
  const std::string name = std::string("snapshot/1,000,000 held/") + method;
  benchmark::RegisterBenchmark(name.c_str(), benchmark)->Iterations(2)->Repetitions(5)->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_snapshot() {
  measure_snapshot("bankhook, write", [](const Tracker& tracker, const std::string& bytes) {
    const std::string written = tracker.snapshot();
    return written.size() == bytes.size();
  });
  measure_snapshot("bankhook, restore", [](const Tracker& tracker, const std::string& bytes) {
    const auto restored = Tracker::restore(bytes);
    return restored.has_value() && restored->transaction_count() == tracker.transaction_count();
  });
  measure_snapshot("bankhook, equality", [](const Tracker& tracker, const std::string&) {
    const Tracker copy = tracker;
    return copy == tracker;
  });
}

}  // namespace bankhook::bench
