// SPDX-License-Identifier: MIT
// How the rounds go, and which repetitions count.
#include "rounds.hpp"

#include "fixed.hpp"
#include "quotes.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::bench {
namespace {

constexpr double least_seconds = 0.01;  // no longer than the looks before and after it can vouch for
constexpr int most_waits = 30;          // looks, for the machine to be left alone before a repetition

/// The references: copying the corpus, and counting its quotes.
class References {
 public:
  explicit References(const Corpus& corpus) : corpus_(corpus) {}

  /// Runs both; returns the number of this look.
  std::size_t look() {
    const double copying = seconds_of([&] {
      for (const std::string_view event : corpus_.events) {
        copied_.assign(event);
        keep(copied_);
      }
    });
    const double counting = seconds_of([&] {
      for (const std::string_view event : corpus_.events) keep(count_quotes(event));
    });
    looks_.push_back({copying, counting});
    return looks_.size() - 1;
  }

  /// Finds out what they take when they are quick: no more than in nine of ten looks. The quickest look of all may have
  /// found something in a cache.
  void settle() {
    for (std::size_t i = 0; i < quick_.size(); ++i) {
      std::vector<double> seconds;
      for (const Seconds& look : looks_) seconds.push_back(look[i]);
      const auto tenth = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 10);
      std::ranges::nth_element(seconds, tenth);
      quick_[i] = *tenth;
    }
  }

  [[nodiscard]] bool are_known() const { return quick_[0] > 0; }
  [[nodiscard]] bool were_steady(std::size_t look) const {
    return std::ranges::equal(looks_[look], quick_, std::less_equal<>(), {},
                              [](double seconds) { return (1 + steady) * seconds; });
  }
  [[nodiscard]] double steady_share() const {
    std::size_t count = 0;
    for (std::size_t look = 0; look < looks_.size(); ++look) count += were_steady(look);
    return static_cast<double>(count) / static_cast<double>(looks_.size());
  }

 private:
  using Seconds = std::array<double, 2>;

  const Corpus& corpus_;
  std::string copied_;
  Seconds quick_{};
  std::vector<Seconds> looks_;
};

/// What is known of a method: its repetitions, and the look before each; the next look is after it.
struct Record {
  std::vector<std::pair<Sample, std::size_t>> all;
  std::vector<Sample> undisturbed;

  void settle(const References& references) {
    undisturbed.clear();
    for (const auto& [sample, look] : all) {
      if (references.were_steady(look) && references.were_steady(look + 1)) undisturbed.push_back(sample);
    }
  }
};

}  // namespace

Results measure_in_rounds(std::vector<Method>& methods, const Corpus& reference, std::chrono::minutes limit) {
  Results results;
  for (Method& method : methods) {  // not measured: what the methods keep is made, memory is touched and grows
    if (method.run(0).events == 0) results.problems.push_back(method.path() + " failed");
  }
  if (!results.problems.empty()) return results;
  References references(reference);
  std::vector<Record> records(methods.size());
  std::vector<std::size_t> every(methods.size());
  std::iota(every.begin(), every.end(), std::size_t{0});
  std::vector<std::size_t> lacking = every;
  std::mt19937_64 random(1);
  std::string state;
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + limit; !lacking.empty() && Clock::now() < end;) {
    std::ranges::shuffle(lacking, random);
    std::size_t look = references.look();
    for (const std::size_t i : lacking) {
      for (int wait = 0; wait < most_waits && references.are_known() && !references.were_steady(look); ++wait)
        look = references.look();
      const Sample sample = methods[i].run(least_seconds);
      if (sample.events == 0) {
        results.problems.push_back(methods[i].path() + " failed");
        return results;
      }
      records[i].all.emplace_back(sample, std::exchange(look, references.look()));
    }
    references.settle();
    for (Record& record : records) record.settle(references);
    std::erase_if(lacking = every, [&](std::size_t i) { return records[i].undisturbed.size() >= repetitions; });
    state = std::to_string(lacking.size()) + " of " + std::to_string(methods.size()) + " methods lack some of their " +
            std::to_string(repetitions) + " undisturbed repetitions; the references were steady in " +
            fixed(100 * references.steady_share(), 0) + " % of the looks at them";
    std::fprintf(stderr, "%s\n", state.c_str());
  }
  for (std::size_t i = 0; i < methods.size(); ++i) results.add(methods[i], records[i].undisturbed);
  if (!lacking.empty()) results.problems.push_back("the machine was not left alone: " + state);
  return results;
}

}  // namespace bankhook::bench
