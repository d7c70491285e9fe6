// SPDX-License-Identifier: MIT
// Snapshots: a tracker of a million transactions as bytes, and back.
#include "groups.hpp"
#include "measure.hpp"
#include "workload.hpp"

#include <bankhook/bankhook.hpp>

#include <string>

namespace bankhook::bench {
namespace {

/// `run(tracker, bytes)`, where `bytes` is the tracker's snapshot, says whether it came out right.
template <class Run>
void measure_snapshot(const char* method, Run run) {
  const auto measured = [=](double) {
    const Tracker tracker = workload().followed();
    const std::string bytes = tracker.snapshot();
    bool fine = false;
    const double seconds = seconds_of([&] { fine = run(tracker, bytes); });
    return fine ? Sample{seconds, tracker.transaction_count(), bytes.size()} : Sample{};
  };
  methods().push_back({"snapshot", "1,000,000 held", method, measured});
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
