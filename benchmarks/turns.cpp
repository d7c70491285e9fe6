// SPDX-License-Identifier: MIT
// How many turns each method takes, and what they add up to.
#include "turns.hpp"

#include "fixed.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

namespace bankhook::bench {
namespace {

constexpr double turn_seconds = 0.01;
constexpr double repetition_seconds = 0.2;

/// What is known of a method.
struct Record {
  std::size_t turns = 1;  ///< of a repetition
  std::size_t taken = 0;
  std::vector<Sample> repeated = std::vector<Sample>(repetitions);

  void add(const Sample& turn) {
    Sample& sum = repeated[taken++ / turns];
    sum.seconds += turn.seconds;
    sum.events += turn.events;
    sum.bytes += turn.bytes;
  }
};

}  // namespace

Results measure_in_turns(std::vector<Method>& methods) {
  Results results;
  std::vector<Record> records(methods.size());
  std::vector<std::size_t> order;
  double seconds = 0;
  const auto take_turn = [&](Method& method) {
    const Sample turn = method.run(turn_seconds);
    if (turn.events == 0) results.problems.push_back(method.path() + " failed");
    return turn;
  };
  for (std::size_t i = 0; i < methods.size(); ++i) {
    methods[i].run(0);  // what the methods keep is made, memory is touched and grows
    const Sample turn = take_turn(methods[i]);
    if (!results.problems.empty()) return results;
    records[i].turns = std::max<std::size_t>(1, static_cast<std::size_t>(repetition_seconds / turn.seconds));
    order.insert(order.end(), repetitions * records[i].turns, i);
    seconds += static_cast<double>(repetitions * records[i].turns) * turn.seconds;
  }
  std::fprintf(stderr, "%zu methods are measured for %s minutes\n", methods.size(), fixed(seconds / 60, 1).c_str());
  std::ranges::shuffle(order, std::mt19937_64(1));
  for (const std::size_t i : order) {
    records[i].add(take_turn(methods[i]));
    if (!results.problems.empty()) return results;
  }
  for (std::size_t i = 0; i < methods.size(); ++i) results.add(methods[i], records[i].repeated);
  return results;
}

}  // namespace bankhook::bench
