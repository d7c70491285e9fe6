// SPDX-License-Identifier: MIT
// Tries a consumer without the service: a history with faults, and what was noticed.
#include <bankhook/bankhook.hpp>
#include <bankhook/sandbox.hpp>

#include <cstdio>
#include <map>
#include <string>

namespace {

/// A consumer of a few lines: it takes what parses and breaks no rule.
bool takes(std::string_view payload, bankhook::Arena& arena) {
  arena.reset();
  const auto event = bankhook::parse(payload, arena);
  return event && check(*event).empty();
}

struct Score {
  int met = 0;
  int noticed = 0;
};

}  // namespace

int main() {
  bankhook::Sandbox sandbox(
      7, {.members = 50,
          .faults = {
              .duplicate = 0.02, .truncate = 0.02, .mutate = 0.05, .future = 0.02}});
  bankhook::Arena arena;
  std::map<std::string, Score> scores;
  int wrongly_rejected = 0;
  for (const bankhook::Delivery& delivery : sandbox.deliveries(20'000)) {
    const bool taken = takes(delivery.payload, arena);
    if (!delivery.fault) {
      wrongly_rejected += !taken;
    } else if (delivery.fault->detectable) {
      Score& score = scores[std::string(to_string(delivery.fault->detectable))];
      ++score.met;
      score.noticed += !taken;
    }
  }
  std::printf("%d good deliveries rejected\n", wrongly_rejected);
  for (const auto& [what, score] : scores)
    std::printf("%6d of %5d noticed: %s\n", score.noticed, score.met, what.c_str());

  std::printf("\nand one connection by hand:\n");
  const std::string member(sandbox.member(0).id);
  const std::string connection(sandbox.create_connection(member)->connection.id);
  if (const auto lost = sandbox.desynchronise(connection))
    std::printf("%s\n", bankhook::serialize(*lost).c_str());
  const auto again = sandbox.desynchronise(connection);
  if (!again)
    std::printf("rejected: %s\n", std::string(to_string(again.error())).c_str());
  return wrongly_rejected == 0 ? 0 : 1;
}
