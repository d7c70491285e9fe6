// SPDX-License-Identifier: MIT
// Late and repeated deliveries: a state that differs from what the sender has is called so, or nobody could tell.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracking_truth_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

/// What a member has: `k1ae` for a live connection, `validated` for a transaction.
using Truth = std::map<std::string, std::string>;

struct Sent {
  std::string event;
  std::string member;
  Truth truth;  ///< of the member, once it is sent
};

/// A sender without faults: two members with the same ids; each event has the whole list.
class Sender {
 public:
  explicit Sender(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] Sent next() {
    const std::string member = below(2) == 0 ? "m1" : "m2";
    Truth& truth = truths_[member];
    if (below(3) == 0) return next_transaction(member, truth);
    std::vector<std::string> live;
    for (const auto& [id, word] : truth)
      if (id.starts_with('k')) live.push_back(id);
    std::string id, verb = "update";
    const bool is_new = created_[member] < 26 && (live.empty() || (live.size() < 4 && below(8) == 0));
    if (is_new) id = std::string("k") + static_cast<char>('A' + created_[member]++);
    else id = live[below(live.size())];
    if (is_new) verb = "create", truth[id] = id;
    else if (live.size() > 1 && below(15) == 0) verb = "delete";
    else truth[id] = changed(truth[id]);
    std::string event = member + " " + verb + " " + truth[id] + ":";
    if (verb == "delete") truth.erase(id);
    for (const auto& [one, word] : truth)
      if (one.starts_with('k')) event += " " + word;
    return {event, member, truth};
  }
  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  Sent next_transaction(const std::string& member, Truth& truth) {
    std::string id;
    for (const auto& [one, status] : truth)
      if (status == "created") id = one;
    if (id.empty() || below(2) == 0) id = "t" + std::to_string(++transactions_);
    truth[id] = !truth.contains(id) ? "created" : below(3) == 0 ? "rejected" : "validated";
    return {member + " " + truth[id] + " " + id, member, truth};
  }
  /// Accounts come, then one more; the bank's name and an error come and go.
  std::string changed(const std::string& word) {
    std::array<std::string, 3> letters;
    for (std::size_t i = 2; i < word.size(); ++i) letters[word[i] == 'n' ? 1 : word[i] == 'e' ? 2 : 0] = word[i];
    if (letters[0].empty()) letters[0] = "a";
    else if (letters[0] == "a" && below(2) == 0) letters[0] = "b";
    else if (below(3) == 0) letters[1] = letters[1].empty() ? "n" : "";
    else letters[2] = letters[2].empty() ? "e" : "";
    return word.substr(0, 2) + letters[0] + letters[1] + letters[2];
  }

  std::mt19937_64 random_;
  std::map<std::string, Truth> truths_;
  std::map<std::string, int> created_;
  int transactions_ = 0;
};

Truth tracked(const Tracker& tracker, const std::string& member) {
  Truth truth;
  for (const TrackedConnection& one : tracker.connections_of(member))
    if (one.is_listed()) truth[std::string(one.connection.id)] = word(one.connection);
  for (const TrackedTransaction& one : tracker.transactions_of(member))
    truth[std::string(one.initial_transaction.id)] = one.initial_transaction.status.text();
  return truth;
}

/// A history without faults that ends in `event`, which a member with `before` has sent: its connections are created one by
/// one, with what they have. The state that it leads to is right, and every verdict is ordinary.
Truth after_a_history_without_faults(const Truth& before, const std::string& member, const std::string& event) {
  Tracker tracker;
  Story story;
  std::string list;
  const auto apply = [&](const std::string& words) {
    REQUIRE(tracker.apply(story.event(words)).verdict <= Verdict::assumed);
  };
  for (const auto& [id, word] : before) {
    if (id.starts_with('t')) {
      apply(member + " created " + id);
      if (word != "created") apply(member + " " + word + " " + id);
    } else {
      apply(member + " create " + word + ":" + (list += " " + word));
    }
  }
  apply(event);
  return tracked(tracker, member);
}

struct Mix {
  std::string_view name;
  std::size_t late, repeated;  ///< of a hundred
};
struct Count {
  std::array<int, 4> verdicts{};
  int wrong = 0, wrong_and_ordinary = 0;
};

/// Sends, delays and repeats; checks each delivery.
Count deliver(const Mix& mix, std::uint64_t seed, int deliveries) {
  Sender sender(seed);
  Tracker tracker;
  Story story;
  Count count;
  std::multimap<int, Sent> held_back;  // by when they come
  std::map<std::string, Truth> newest;
  for (int now = 0; now < deliveries; ++now) {
    Sent sent;
    if (!held_back.empty() && held_back.begin()->first <= now) {
      sent = held_back.extract(held_back.begin()).mapped();
    } else {
      sent = sender.next();
      newest[sent.member] = sent.truth;
      const int delay = 1 + static_cast<int>(sender.below(12));
      if (sender.below(100) < mix.late) {
        held_back.emplace(now + delay, sent);
        continue;
      }
      if (sender.below(100) < mix.repeated) held_back.emplace(now + delay, sent);
    }
    CAPTURE(mix.name, seed, now, sent.event);
    const Truth before = tracked(tracker, sent.member);
    const Outcome outcome = tracker.apply(story.event(sent.event));
    const Truth after = tracked(tracker, sent.member);
    ++count.verdicts[static_cast<std::size_t>(outcome.verdict)];
    // Without faults, only what has the same bytes as an earlier event is in doubt: an error that comes and goes.
    if (mix.late + mix.repeated == 0) CHECK((outcome.verdict <= Verdict::assumed || outcome.seen_before));
    if (after == before || after == newest[sent.member]) continue;
    // Only what this delivery changed can be its fault.
    const Truth& truth = newest[sent.member];
    bool is_worse = false;
    for (const auto* const side : {&before, &after}) {
      for (const auto& [id, ignored] : *side) {
        const auto in = [&](const Truth& where) { return where.contains(id) ? where.at(id) : std::string(); };
        is_worse |= in(before) != in(after) && in(after) != in(truth);
      }
    }
    if (!is_worse) continue;
    ++count.wrong;
    if (outcome.verdict > Verdict::assumed) continue;
    ++count.wrong_and_ordinary;
    CHECK(after_a_history_without_faults(before, sent.member, sent.event) == after);
  }
  return count;
}

}  // namespace

TEST_CASE("a state differs from the sender's after an ordinary verdict only where a history without faults explains it") {
  for (const Mix& mix : {Mix{"none", 0, 0}, Mix{"late", 10, 0}, Mix{"repeated", 0, 10}, Mix{"both", 10, 10}}) {
    Count all;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Count one = deliver(mix, seed, 400);
      for (std::size_t i = 0; i < all.verdicts.size(); ++i) all.verdicts[i] += one.verdicts[i];
      all.wrong += one.wrong;
      all.wrong_and_ordinary += one.wrong_and_ordinary;
    }
    if (mix.late + mix.repeated == 0) CHECK(all.wrong == 0);
    WARN(mix.name << ": specified " << all.verdicts[0] << ", assumed " << all.verdicts[1] << ", unspecified "
                  << all.verdicts[2] << ", contradicts " << all.verdicts[3] << "; states made wrong " << all.wrong
                  << ", of these by an ordinary event that nobody could tell from one in time " << all.wrong_and_ordinary);
  }
}

}  // namespace tracking_truth_test
