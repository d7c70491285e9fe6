// SPDX-License-Identifier: MIT
// One question to both readers: does the library read this payload as the oracle does?
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>

#include <events/oracle.hpp>
#include <events/samples.hpp>
#include <json/guarded.hpp>

#include <string>
#include <string_view>

namespace bankhook::test {

/// Parses payloads where every byte that is read beyond them faults, and compares with the oracle.
class Differential {
 public:
  /// Empty if both agree on `payload` and it survives a round trip, else what is wrong.
  [[nodiscard]] std::string disagreement(std::string_view payload) {
    arena_.reset();
    const auto event = bankhook::parse(pages_.before_the_guard(payload), arena_);
    const auto expected = evaluate_payload(payload);
    if (event.has_value() != expected.has_value()) return event ? "accepted" : "rejected: " + describe(event.error());
    if (!event) return event.error().offset <= payload.size() ? "" : "an offset after the end";
    written_.clear();
    serialize_to(*event, written_);
    const auto again = read_json(written_);
    if (!again || !same_json(*again, *expected)) return "written as " + written_;
    const auto second = bankhook::parse(pages_.after_the_guard(written_), arena_);
    return second && same_event(*event, *second) ? "" : "changed by a round trip";
  }

 private:
  static std::string describe(const Error& error) {
    return std::string(to_string(error)) + " at " + std::to_string(error.offset);
  }

  GuardedPages pages_;
  Arena arena_;
  std::string written_;
};

}  // namespace bankhook::test
