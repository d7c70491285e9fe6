// SPDX-License-Identifier: MIT
// Seeded streams of events about few ids, the same for each member: late, repeated, missing, unknown, wrong ones.
#pragma once

#include <tracking/stories.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::test {

inline constexpr std::array<std::string_view, 3> three_members{"m1", "m2", "m3"};

/// The words of one event at a time.
class RandomStory {
 public:
  explicit RandomStory(std::uint64_t seed, std::span<const std::string_view> members = three_members)
      : random_(seed), members_(members) {}

  [[nodiscard]] std::string next() {
    // Anything that came is sent again now and then.
    if (!past_.empty() && below(5) == 0) return past_[below(past_.size())];
    std::string words(members_[below(members_.size())]);
    words += below(2) == 0 ? next_transaction() : next_bank();
    return past_.emplace_back(words);
  }
  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  std::string next_transaction() {
    const std::string_view verb =
        pick({"created", "created", "validated", "validated", "rejected", "rejected", "released", "rejected/validated"});
    return " " + std::string(verb) + " t" + std::to_string(1 + below(3)) + (below(8) == 0 ? "=5" : "");
  }
  std::string next_connection(std::size_t id) {
    std::string one = "k" + std::to_string(1 + id) + std::string(pick({"", "", "a", "a", "b", "c", "d", "h"}));
    if (below(6) == 0) one += 'n';
    if (below(6) == 0) one += 'e';
    return one;
  }
  std::string next_bank() {
    const std::string_view verb = pick({"create", "update", "update", "update", "delete", "pause"});
    const std::size_t own = below(3);
    const std::string word = next_connection(own);
    std::string words = " " + std::string(verb) + " " + word + ":";
    for (std::size_t id = 0; id < 3; ++id) {
      if (id == own ? verb != "delete" || below(6) == 0 : below(5) != 0)
        words += " " + (id == own && below(12) != 0 ? word : next_connection(id));
    }
    return words;
  }
  std::string_view pick(std::initializer_list<std::string_view> from) { return from.begin()[below(from.size())]; }

  std::mt19937_64 random_;
  std::span<const std::string_view> members_;
  std::vector<std::string> past_;
};

}  // namespace bankhook::test
