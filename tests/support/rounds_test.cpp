// SPDX-License-Identifier: MIT
// How the benchmarks are measured.
#include <bankhook_catch.hpp>

#include <rounds.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace support_rounds_test {

using namespace bankhook::bench;

TEST_CASE("a method that fails after its first run is a problem of the results, which have no figure of it") {
  bool is_first = true;
  std::vector<Method> methods;
  methods.push_back({"parse", "few", "bankhook", [&](double) {
                       const Sample fine{.seconds = 1, .events = 1, .bytes = 1};
                       return std::exchange(is_first, false) ? fine : Sample{};
                     }});
  const Results results = measure_in_rounds(methods, Corpus{}, std::chrono::minutes(1));
  CHECK(results.problems == std::vector<std::string>{"parse/few/bankhook failed"});
  CHECK(results.sections().empty());
}

}  // namespace support_rounds_test
