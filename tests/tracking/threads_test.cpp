// SPDX-License-Identifier: MIT
// What many threads may read at once: an event and its owners, a tracker that nobody changes, rules and machines.
#include <bankhook_catch.hpp>

#include <bankhook/bankhook.hpp>
#include <support/files.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <latch>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

namespace threads_test {
namespace {

using bankhook::BankConnectionsUpdateV2;

/// Calls `read`, which gives a text, in several threads at once: whether each got the same, and not nothing. None calls it
/// before the others, so that whatever is made on first use is made by all of them.
template <class Read>
bool same_in_each_thread(const Read& read) {
  std::array<std::string, 4> texts;
  std::array<std::thread, 4> threads;
  std::latch start(4);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread([&, i] {
      start.arrive_and_wait();
      for (int round = 0; round < 3; ++round) texts[i] = read();
    });
  }
  for (std::thread& one : threads) one.join();
  return !texts[0].empty() && std::ranges::all_of(texts, [&](const std::string& one) { return one == texts[0]; });
}

std::string payload() {
  return bankhook::test::read_file(bankhook::test::data() / "valid" / "connection_updated_with_accounts.json");
}

/// A tracker that has what an archive says of connections and transactions.
bankhook::Tracker tracked() {
  const std::string archive = bankhook::test::read_file(bankhook::test::data() / "archive.ndjson");
  bankhook::Arena arena;
  bankhook::Tracker tracker;
  for (const bankhook::ArchiveLine& line : bankhook::Lines(archive, arena)) {
    if (line.event) tracker.apply(*line.event);
  }
  return tracker;
}

}  // namespace

TEST_CASE("many threads read one payload, each with an arena of its own") {
  const std::string whole = payload(), cut = whole.substr(0, 600);
  const auto read = [&] {
    bankhook::Arena arena;
    const auto event = bankhook::parse(whole, arena);
    return event ? bankhook::serialize(*event) + bankhook::explain(bankhook::diagnose(cut), cut) : "";
  };
  CHECK(same_in_each_thread(read));
}

TEST_CASE("many threads read one document, and one event with its owner") {
  const auto document = bankhook::Document::parse(payload()).value();
  const bankhook::Owned owned(std::get<BankConnectionsUpdateV2>(document.event()));
  const auto read = [&] {
    const bankhook::Owned copy(owned);
    return copy == owned ? bankhook::serialize(document.event()) + bankhook::serialize(*owned) : "";
  };
  CHECK(same_in_each_thread(read));
}

TEST_CASE("many threads ask one tracker that nobody changes") {
  const bankhook::Tracker tracker = tracked();
  const auto document = bankhook::Document::parse(payload()).value();
  const std::string expected = tracker.snapshot();
  const auto read = [&] {
    std::string text(bankhook::name_of(tracker.peek(document.event()).verdict));
    for (const bankhook::TrackedConnection& one : tracker.connections())
      text += tracker.connection(one.member_id, one.connection.id)->connection.bank;
    for (const bankhook::TrackedTransaction& one : tracker.transactions()) text += one.initial_transaction.id;
    return tracker.snapshot() == expected ? text : "";
  };
  CHECK(same_in_each_thread(read));
}

TEST_CASE("many threads check with the same rules, step through the same machines and draw them") {
  const auto document = bankhook::Document::parse(payload()).value();
  const auto read = [&] {
    std::string text;
    for (const bankhook::Rule& rule : bankhook::rules) text += rule.id();
    for (const auto& finding : bankhook::check(document.event())) text += to_string(finding);
    const auto& machine = bankhook::connection_lifecycle;
    for (const auto& row : machine.transitions()) text += machine.step(row.from, row.trigger).transition->section;
    return text + to_mermaid(bankhook::transaction_lifecycle) + to_mermaid(bankhook::connection_lifecycle);
  };
  CHECK(same_in_each_thread(read));
}

TEST_CASE("the reader of documents remembers from one to the next, a thread each") {
  const auto is_unknown = [](bankhook::detail::json::RememberedLength length) { return length.expected_size() == 0; };
  bool began_unknown = false, ended_unknown = true;
  std::thread([&] {
    const auto& lengths = bankhook::detail::json::remembered_by_thread().lengths;
    began_unknown = std::ranges::all_of(lengths, is_unknown);
    for (int i = 0; i < 8; ++i) static_cast<void>(bankhook::Document::parse(payload()));
    ended_unknown = std::ranges::all_of(lengths, is_unknown);
  }).join();
  CHECK(began_unknown);
  CHECK_FALSE(ended_unknown);
}

}  // namespace threads_test
