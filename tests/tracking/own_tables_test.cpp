// SPDX-License-Identifier: MIT
// What the open questions call "a table of your own", for each of these entries: what it changes. Python runs the same.
#include <bankhook_catch.hpp>

#include <events/samples.hpp>
#include <support/files.hpp>
#include <tracking/stories.hpp>

#include <bankhook/machine/machine.hpp>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tracking_own_tables_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

/// The parts of a text that has "; " between them.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = (std::min)(text.find("; "), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix((std::min)(end + 2, text.size()));
  }
  return parts;
}

/// The enumerator with this name; nothing for the words `start` and `never`.
template <class E>
std::optional<E> named(std::string_view name) {
  for (std::size_t i = 0; i < enumerator_count<E>; ++i) {
    if (detail::plain_name(static_cast<E>(i)) == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

/// A machine with other rows, `created delete updated assumed mail`, and without some final states, `final deleted`.
template <class S, class T>
struct Own {
  Own(const CompleteMachine<S, T>& machine, const std::vector<std::string>& changes)
      : rows(machine.transitions().begin(), machine.transitions().end()),
        ends(machine.final_states().begin(), machine.final_states().end()) {
    for (const std::string& change : changes) {
      std::istringstream in(change);
      std::string from, trigger, to, evidence, section;
      in >> from >> trigger >> to >> evidence >> section;
      if (from == "final") std::erase_if(ends, [&](const auto& end) { return end.state == named<S>(trigger); });
      for (auto& row : rows) {
        if (from != "final" && row.from == named<S>(from) && row.trigger == named<T>(trigger))
          row = {row.from, row.trigger, named<S>(to), named<Evidence>(evidence).value(), "mail"};
      }
    }
  }
  [[nodiscard]] CompleteMachine<S, T> machine() const { return CompleteMachine<S, T>::make({rows, ends}).value(); }

  std::vector<Transition<S, T>> rows;
  std::vector<FinalState<S>> ends;
};

/// The verdict of the last event, and the states afterwards: `unspecified refused: k1 updated, k2 listed`.
std::string answer(const std::vector<std::string>& events, const TrackerOptions& options) {
  Tracker tracker(options);
  Story story;
  Outcome last;
  for (const std::string& one : events) {
    const AnyEvent event = story.event(one);
    const Outcome peeked = tracker.peek(event);
    last = tracker.apply(event);
    CHECK(peeked == last);
  }
  std::string all(name_of(last.verdict));
  all += last.accepted ? ":" : " refused:";
  for (const TrackedConnection& one : tracker.connections())
    all.append(" ").append(one.connection.id).append(" ").append(one.state->text()).append(",");
  for (const TrackedTransaction& one : tracker.transactions())
    all.append(" ").append(one.initial_transaction.id).append(" ").append(one.state->text()).append(",");
  all.pop_back();
  return all;
}

}  // namespace

TEST_CASE("a table of one's own does what the open questions offer it for") {
  auto cases = read_rows(data() / "own_tables.tsv", '\t');
  REQUIRE(cases.size() > 10);
  for (const auto& cells : cases) {
    CAPTURE(cells.at(0), cells.at(2), cells.at(3));
    const Own connections(connection_lifecycle, cells.at(1) == "connection" ? parts_of(cells.at(2)) : parts_of(""));
    const Own transactions(transaction_lifecycle, cells.at(1) == "transaction" ? parts_of(cells.at(2)) : parts_of(""));
    CHECK(answer(parts_of(cells.at(3)), {}) == cells.at(4));
    CHECK(answer(parts_of(cells.at(3)), {.connections = connections.machine(), .transactions = transactions.machine()}) ==
          cells.at(5));
  }
}

}  // namespace tracking_own_tables_test
