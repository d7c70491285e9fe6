// SPDX-License-Identifier: MIT
// A webhook service: it stores a delivery, answers, and applies it later.
#include "database.hpp"

#include <bankhook/parse.hpp>
#include <bankhook/tracking.hpp>

#include <httplib.h>

#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <variant>

namespace {

/// What the threads share: that there is something new to process, and that it is time
/// to end.
struct Bell {
  std::mutex mutex;
  std::condition_variable changed;
  bool rung = true;  // what an earlier process left is processed first
  bool end = false;

  void ring(bool last = false) {
    const std::lock_guard lock(mutex);
    rung = true;
    end = end || last;
    changed.notify_all();
  }
  /// Waits for the next ring; whether to go on.
  bool wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return rung; });
    rung = false;
    return !end;
  }
};

void create_tables(Database& database) {
  database.run(R"(
    create table if not exists inbox (number integer primary key, payload blob not null);
    create table if not exists credits (purchase text primary key, amount text not null);
    create table if not exists state (only_row integer primary key check (only_row = 0), number integer, snapshot blob);
  )");
}

// --- store: before the answer
void store(Database& database, std::string_view payload) {
  Database::Statement(database, "insert into inbox (payload) values (?)")
      .bind(1, payload)
      .step();
}

// --- process: after the answer
void credit(Database& database, const bankhook::InitialTransaction& purchase) {
  const std::string amount = to_string(purchase.amount);
  Database::Statement(
      database,
      "insert or ignore into credits values (cast(? as text), cast(? as text))")
      .bind(1, purchase.id)
      .bind(2, std::string_view(amount))
      .step();
}

/// Processes up to 200 deliveries in one transaction, which has the effects, the state
/// after them, and how far it got.
int process(Database& database) {
  database.run("begin immediate");
  std::int64_t number = 0;
  bankhook::Tracker tracker;
  if (Database::Statement saved(database, "select number, snapshot from state");
      saved.step()) {
    number = saved.number(0);
    tracker = bankhook::Tracker::restore(saved.bytes(1)).value();
  }
  int count = 0;
  bankhook::Arena arena;
  Database::Statement unread(
      database,
      "select number, payload from inbox where number > ? order by number limit 200");
  for (unread.bind(1, number); unread.step(); ++count) {
    number = unread.number(0);
    const std::string payload = unread.bytes(1);
    arena.reset();
    const auto event = bankhook::parse(payload, arena);
    if (!event) continue;  // it stays in the inbox; diagnose says what is wrong with it
    const bankhook::Outcome outcome = tracker.apply(*event);
    const auto* update = std::get_if<bankhook::InitialTransactionUpdate>(&*event);
    if (update && outcome.became(bankhook::TransactionStatus::validated))
      credit(database, update->initial_transaction);
  }
  const std::string snapshot = tracker.snapshot();
  Database::Statement(database, "insert or replace into state values (0, ?, ?)")
      .bind(1, number)
      .bind(2, std::string_view(snapshot))
      .step();
  database.run("commit");
  return count;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string path = count > 1 ? arguments[1] : "service.db";
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals,
                  nullptr);  // in every thread that is started from here on

  Database inbox(path);
  create_tables(inbox);
  std::mutex writing;
  Bell bell;
  std::thread processor([&] {
    Database database(path);
    while (bell.wait())
      while (process(database) > 0) {
      }
  });

  httplib::Server server;
  server.set_payload_max_length(1 << 20);
  server.Post("/webhook",
              [&](const httplib::Request& request, httplib::Response& response) {
                try {
                  const std::lock_guard lock(writing);
                  store(inbox, request.body);
                  response.status = 204;
                  bell.ring();
                } catch (const std::exception& error) {
                  std::fprintf(stderr, "not stored: %s\n", error.what());
                  response.status = 503;  // the sender may try again
                }
              });
  std::thread waiting([&] {
    int signal = 0;
    sigwait(&signals, &signal);
    server.stop();
  });

  const int port = count > 2 ? std::atoi(arguments[2]) : 8000;
  const int bound = port == 0 ? server.bind_to_any_port("127.0.0.1")
                    : server.bind_to_port("127.0.0.1", port) ? port
                                                             : -1;
  if (bound < 0) {
    std::fprintf(stderr, "port %d cannot be used\n", port);
    std::_Exit(1);
  }
  std::printf("POST http://127.0.0.1:%d/webhook\n", bound);
  std::fflush(stdout);
  server.listen_after_bind();  // until a signal
  waiting.join();
  bell.ring(true);
  processor.join();
}
