// SPDX-License-Identifier: MIT
// Tracking: a million transactions, their first events, repeats and changes; and the memory that they take.
#include "groups.hpp"
#include "measure.hpp"
#include "workload.hpp"

#include <bankhook/bankhook.hpp>
#include <bankhook/sandbox.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::bench {
namespace {

bool was_made = false;

/// A text of lower-case hexadecimal digits that lives in the arena.
std::string_view hex(std::mt19937_64& random, std::size_t size, Arena& arena) {
  auto* const text = static_cast<char*>(arena.allocate(size, 1));
  for (std::size_t i = 0; i < size; ++i) text[i] = "0123456789abcdef"[random() % 16];
  return {text, size};
}

Workload make_workload() {
  Workload made;
  Sandbox sandbox(20260301, {.members = Workload::members});
  std::mt19937_64 random(20260301);
  std::vector<Customer> customers;
  for (std::size_t i = 0; i < Workload::members; ++i) {
    customers.push_back(sandbox.member(i));
    if (!detail::reflect::move_into(customers.back(), made.arena)) std::abort();
  }
  std::string payload;
  const auto move_in = [&](InitialTransactionUpdate event, std::vector<InitialTransactionUpdate>& kept) {
    payload.clear();
    serialize_to(event, payload);
    event.customer = {};  // shared by all events of the member
    if (!detail::reflect::move_into(event, made.arena)) std::abort();
    kept.push_back(event);
    return payload.size();
  };
  made.first.reserve(Workload::transactions);
  made.next.reserve(Workload::transactions);
  while (made.first.size() < Workload::transactions) {
    const Customer& customer = customers[random() % customers.size()];
    made.bytes += move_in(*sandbox.send_initial_transaction(customer.id), made.first);
    const std::string id(made.first.back().initial_transaction.id);
    const bool set_up = random() % 10 < 7;
    move_in(*(set_up ? sandbox.validate(id) : sandbox.reject(id, RejectionReason::purchase_not_found)), made.next);
    made.first.back().customer = made.next.back().customer = customer;
  }
  return made;
}

/// One pass over `events`; `prepare` makes the tracker, outside of the time.
template <class Prepare, class Take>
void measure_pass(const char* method, std::vector<InitialTransactionUpdate> Workload::* events, Prepare prepare,
                  Take take) {
  const auto run = [=](double) {
    const Workload& work = workload();
    Tracker tracker = prepare(work);
    const double seconds = seconds_of([&] {
      for (const auto& event : work.*events) {
        const Outcome outcome = take(tracker, event);
        keep(outcome);
      }
    });
    return Sample{seconds, (work.*events).size(), work.bytes};
  };
  methods().push_back({"tracker", "1,000,000 held", method, run});
}

/// Bytes that a member with three connections of three accounts takes, each with realistic ids.
double bytes_a_member() {
  std::mt19937_64 random(1);
  constexpr std::size_t count = 20'000;
  Tracker tracker;
  for (std::size_t i = 0; i < count; ++i) {
    Arena arena;
    std::array<std::array<Account, 3>, 3> accounts;
    std::array<Connection, 3> connections;
    for (std::size_t c = 0; c < 3; ++c) {
      for (Account& account : accounts[c]) account = {hex(random, 24, arena), hex(random, 64, arena)};
      connections[c] = {.id = hex(random, 24, arena), .bank = "Banque Exemple", .accounts = accounts[c]};
      connections[c].transactions_eligible_from_date = std::chrono::year(2026) / 1 / 15;
      connections[c].consent_expires_at = LocalTimestamp();
    }
    BankConnectionsUpdateV2 event;
    event.customer = {hex(random, 24, arena), hex(random, 10, arena), 3, 0, connections};
    event.connection = connections[0];
    event.shopping_hub_id = "0a1b2c3d4e5f60718293a4b5";
    event.shopping_hub_external_id = "programme-7";
    tracker.apply(event);
  }
  return static_cast<double>(tracker.memory()) / count;
}

}  // namespace

const Workload& workload() {
  static const Workload made = make_workload();
  was_made = true;
  return made;
}

void register_tracker() {
  const auto empty = [](const Workload&) { return Tracker(); };
  const auto followed = [](const Workload& work) { return work.followed(); };
  const auto apply = [](Tracker& tracker, const auto& event) { return tracker.apply(event); };
  const auto peek = [](const Tracker& tracker, const auto& event) { return tracker.peek(event); };
  measure_pass("bankhook, first events", &Workload::first, empty, apply);
  measure_pass("bankhook, repeats", &Workload::first, followed, apply);
  measure_pass("bankhook, new statuses", &Workload::next, followed, apply);
  measure_pass("bankhook, peek", &Workload::next, followed, peek);
}

void print_memory_of_tracker() {
  if (!was_made) return;
  const auto bytes_each = [](const Tracker& tracker) {
    return static_cast<double>(tracker.memory()) / Workload::transactions;
  };
  Tracker tracker = workload().followed();
  std::printf("\nThe tracker's memory, all counted: %.0f bytes a transaction with its member (10 a member),",
              bytes_each(tracker));
  for (const auto& event : workload().next) tracker.apply(event);
  std::printf(" %.0f once all have a new status;\n", bytes_each(tracker));
  std::printf("  %.0f bytes a member with three connections of three accounts each.\n", bytes_a_member());
}

}  // namespace bankhook::bench
