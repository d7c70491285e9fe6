// SPDX-License-Identifier: MIT
// How the benchmarks are measured.
#include <bankhook_catch.hpp>

#include <turns.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace support_turns_test {

using namespace bankhook::bench;

TEST_CASE("a repetition is a fifth of a second of turns, or one turn that is longer") {
  std::vector<std::size_t> runs(2);
  std::vector<Method> methods;
  for (const auto& [corpus, seconds] : {std::pair("few", 0.05), std::pair("many", 0.5)}) {
    methods.push_back({"parse", corpus, "bankhook", [&count = runs[methods.size()], seconds](double) {
                         ++count;
                         return Sample{.seconds = seconds, .events = 10, .bytes = 100};
                       }});
  }
  const Results results = measure_in_turns(methods);
  CHECK(results.problems.empty());
  CHECK(runs == std::vector<std::size_t>{2 + 7 * 4, 2 + 7});  // two before it is measured
  CHECK(std::lround(results.of("parse", "few", "bankhook")) == 5'000'000);
  CHECK(std::lround(results.of("parse", "many", "bankhook")) == 50'000'000);
}

TEST_CASE("a method that fails in any of its turns is a problem of the results, which have no figure of it") {
  for (const std::size_t fails_after : {std::size_t{1}, std::size_t{2}, std::size_t{30}}) {
    std::size_t runs = 0;
    std::vector<Method> methods;
    methods.push_back({"parse", "few", "bankhook", [&](double) {
                         return runs++ < fails_after ? Sample{.seconds = 0.01, .events = 1, .bytes = 1} : Sample{};
                       }});
    const Results results = measure_in_turns(methods);
    CHECK(results.problems == std::vector<std::string>{"parse/few/bankhook failed"});
    CHECK(results.sections().empty());
  }
}

}  // namespace support_turns_test
