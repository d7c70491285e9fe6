// SPDX-License-Identifier: MIT
// The sandbox: how quickly a mixed history comes about as JSON, clean and with faults.
#include "groups.hpp"
#include "measure.hpp"

#include <bankhook/bankhook.hpp>
#include <bankhook/sandbox.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace bankhook::bench {
namespace {

/// Deliveries of one endless history, 1.2 KB each on average.
void measure_deliveries(const std::string& method, const SandboxOptions& options) {
  auto run = [sandbox = std::make_unique<Sandbox>(1, options)](double) {
    Sample sample{.seconds = 0, .events = 20'000, .bytes = 0};
    sample.seconds = seconds_of([&] {
      for (std::size_t i = 0; i < sample.events; ++i) {
        const Delivery delivery = sandbox->next();
        keep(delivery.payload);
        sample.bytes += delivery.payload.size();
      }
    });
    return sample;
  };
  methods().push_back({"sandbox", "mixed history", method, std::move(run)});
}

}  // namespace

void register_sandbox() {
  measure_deliveries("bankhook, clean", {});
  measure_deliveries("bankhook, 30 % faulty", {.faults = {.05, .05, .05, .05, .05, .05}});
  measure_deliveries("bankhook, 1e5 members", {.members = 100'000, .transactions = 100'000});
}

}  // namespace bankhook::bench
