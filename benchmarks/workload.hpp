// SPDX-License-Identifier: MIT
// What the tracker is measured with: a million initial transactions of a hundred thousand members, made once.
#pragma once

#include <bankhook/bankhook.hpp>

#include <cstddef>
#include <vector>

namespace bankhook::bench {

/// Events that own all that they view, in random order of their members.
struct Workload {
  static constexpr std::size_t transactions = 1'000'000;
  static constexpr std::size_t members = 100'000;

  Arena arena;
  std::vector<InitialTransactionUpdate> first;  ///< one a transaction, `created`
  std::vector<InitialTransactionUpdate> next;   ///< of the same ones, `validated` or `rejected`
  std::size_t bytes = 0;                        ///< of the payloads of `first`

  /// A tracker that took `first`.
  [[nodiscard]] Tracker followed() const {
    Tracker tracker;
    for (const auto& event : first) tracker.apply(event);
    return tracker;
  }
};

/// Made when it is asked for the first time: takes some seconds and half a gigabyte.
[[nodiscard]] const Workload& workload();

}  // namespace bankhook::bench
