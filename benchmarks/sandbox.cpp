// SPDX-License-Identifier: MIT
// The sandbox: how quickly a mixed history comes about as JSON, clean and with faults.
#include "groups.hpp"
#include "measure.hpp"

#include <bankhook/bankhook.hpp>
#include <bankhook/sandbox.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

namespace bankhook::bench {
namespace {

/// Deliveries of one endless history, 1.2 KB each on average.
void deliver(benchmark::State& state, const SandboxOptions& options) {
  Sandbox sandbox(1, options);
  std::int64_t bytes = 0;
  for (int i = 0; i < 20'000; ++i) keep(sandbox.next());  // not measured: the members get their connections
  for (auto _ : state) {
    const Delivery delivery = sandbox.next();
    keep(delivery.payload);
    bytes += static_cast<std::int64_t>(delivery.payload.size());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  state.SetBytesProcessed(bytes);
}

void measure_deliveries(const std::string& method, const SandboxOptions& options) {
  const std::string name = "sandbox/mixed history/" + method;
  benchmark::RegisterBenchmark(name.c_str(), [options](benchmark::State& state) {
    deliver(state, options);
  })->MinTime(0.04);
}

}  // namespace

void register_sandbox() {
  measure_deliveries("bankhook, clean", {});
  measure_deliveries("bankhook, 30 % faulty", {.faults = {.05, .05, .05, .05, .05, .05}});
  measure_deliveries("bankhook, 1e5 members", {.members = 100'000, .transactions = 100'000});
}

}  // namespace bankhook::bench
