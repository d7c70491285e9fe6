// SPDX-License-Identifier: MIT
// What all operations stand on: the members and their programmes, the banks, the clock, the random numbers, the options.
#pragma once

#include <bankhook/domain/customer.hpp>
#include <bankhook/sandbox/identifiers.hpp>
#include <bankhook/sandbox/names.hpp>
#include <bankhook/sandbox/options.hpp>
#include <bankhook/sandbox/random.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// A member and the slots of its connections that something may still happen to, in the order in which they were created.
struct MemberRecord {
  Identifier id;
  std::string external_id;
  std::uint32_t programme = 0;
  std::vector<std::uint32_t> connections;

  [[nodiscard]] Customer customer() const { return {.id = id.view(), .external_id = external_id}; }
};

struct Programme {
  Identifier id;
  std::string external_id;
};

/// A clock that only events move; it stops at the last decade that four digits spell.
class Clock {
 public:
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;

  Clock(Time start, std::chrono::milliseconds pace)
      : now_(std::clamp(start, first, last)),
        longest_step_(static_cast<std::uint32_t>(2 * std::clamp(pace, shortest_pace, longest_pace).count())) {}

  void advance(Random& random) {
    const std::chrono::milliseconds step(random.between(1, longest_step_));
    if (now_ < last) now_ += step;
  }
  [[nodiscard]] Time now() const { return now_; }

 private:
  static constexpr Time first = std::chrono::sys_days(std::chrono::year(1970) / 1 / 1);
  static constexpr Time last = std::chrono::sys_days(std::chrono::year(9990) / 1 / 1);
  static constexpr std::chrono::milliseconds shortest_pace{1};
  static constexpr std::chrono::milliseconds longest_pace = std::chrono::days(24);  // twice that fits 32 bits

  Time now_;
  std::uint32_t longest_step_;
};

/// The common world of one sandbox. Copyable: no record points to another.
struct World {
  World(std::uint64_t seed, const SandboxOptions& wanted)
      : options(bounded(wanted)),
        random(seed),
        ids(random.next()),
        banks(make_banks(random)),
        clock(options.start, options.pace) {
    for (std::uint32_t i = 0; i < options.programmes; ++i) {
      Programme& programme = programmes.emplace_back();
      programme.id = ids.make(Kind::programme, {i, 0});
      make_numbered(programme.external_id, "programme-", i + 1, 1);
    }
    members.resize(options.members);
    for (std::uint32_t i = 0; i < options.members; ++i) {
      members[i].id = ids.make(Kind::member, {i, 0});
      make_numbered(members[i].external_id, "customer-", i + 1, 6);
      members[i].programme = random.below(options.programmes);
    }
  }

  SandboxOptions options;
  Random random;
  Identifiers ids;
  std::vector<std::string> banks;
  Clock clock;
  std::vector<Programme> programmes;
  std::vector<MemberRecord> members;

 private:
  static SandboxOptions bounded(SandboxOptions options) {
    for (std::uint32_t* size :
         {&options.members, &options.programmes, &options.connections, &options.accounts, &options.transactions}) {
      *size = std::max<std::uint32_t>(*size, 1);
    }
    const auto begins = [](const auto& lifecycle, auto trigger) {
      const auto* const row = lifecycle.step(std::nullopt, trigger).transition;
      return row != nullptr && row->is_expected();
    };
    if (!begins(options.connection_lifecycle, ConnectionTrigger::create))
      options.connection_lifecycle = connection_lifecycle;
    if (!begins(options.transaction_lifecycle, TransactionTrigger::submitted))
      options.transaction_lifecycle = transaction_lifecycle;
    return options;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
