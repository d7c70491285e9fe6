// SPDX-License-Identifier: MIT
// Memory: once arena and buffer are warm, nothing is allocated; operator new counts here.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/reflect/owned.hpp>

#include <events/samples.hpp>
#include <support/allocations.hpp>
#include <varying.hpp>

#include <cstddef>
#include <cstdlib>
#include <expected>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace events_allocation_test { namespace {

void* counted(std::size_t bytes) {
  using namespace bankhook::test;
  ++allocations;
  allocated_bytes += bytes;
  return allocations_left-- == 0 ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}

void* counted_or_throw(std::size_t bytes) {
  void* const memory = counted(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}}  // namespace events_allocation_test

using namespace events_allocation_test;
void* operator new(std::size_t bytes) { return counted_or_throw(bytes); }
void* operator new[](std::size_t bytes) { return counted_or_throw(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return counted(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return counted(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace events_allocation_test {
using namespace bankhook;
using test::allocations_of;
using test::bytes_of;

TEST_CASE("an allocation is counted") {
  CHECK(allocations_of([] { std::string(1000, 'a').clear(); }) == 1);
  CHECK(allocations_of([] { Arena arena(1000); }) == 1);
}

TEST_CASE("a warm archive is read and written without an allocation, bad lines included") {
  const std::string archive = test::read_file(test::data() / "archive.ndjson");
  Arena arena;
  std::string out;
  std::size_t bytes = 0;
  const auto walk = [&] {
    for (const ArchiveLine& line : Lines(archive, arena)) {
      out.clear();
      if (line.event) serialize_to(*line.event, out);
      bytes += out.size();
    }
  };
  walk();
  walk();
  CHECK(allocations_of(walk) == 0);
  CHECK(bytes > 10'000);
}

TEST_CASE("events of which every text has another length are read and written without an allocation, once all is warm") {
  for (const bench::Variety& variety : bench::varieties) {
    bench::VaryingEvents make(variety);
    std::vector<std::string> events;
    for (int i = 0; i < 100; ++i) {
      events.push_back(make.everyday());
      events.push_back(make.transaction());
      if (i % 20 == 0) events.push_back(make.heavy());
    }
    Arena arena;
    std::string out;
    std::size_t unlike = 0;
    const auto walk = [&] {
      for (const std::string& json : events) {
        arena.reset();
        out.clear();
        if (const auto event = parse(json, arena)) serialize_to(*event, out);
        unlike += out != json;
      }
    };
    walk();
    CHECK(allocations_of(walk) == 0);
    CHECK(unlike == 0);
  }
}

TEST_CASE("a document of an everyday event or a transaction is one piece of memory, but for one in a hundred") {
  for (const bench::Variety& variety : bench::varieties) {
    bench::VaryingEvents make(variety);
    Arena arena;
    std::size_t read = 0, pieces = 0, pieces_by_one_reader = 0;
    for (int i = 0; i < 100; ++i) {
      for (const std::string& json : {make.everyday(), make.transaction()}) {
        pieces += allocations_of([&] { read += Document::parse(json).has_value(); });
        pieces_by_one_reader += allocations_of([&] { read += Document::parse(json, arena).has_value(); });
      }
    }
    CHECK(read == 400);
    CHECK((pieces >= 200 && pieces <= 202 && pieces_by_one_reader >= 200 && pieces_by_one_reader <= 202));
  }
}

TEST_CASE("an owned value costs itself, what it views and at most 64 bytes more") {
  STATIC_REQUIRE(sizeof(Owned<Account>) == sizeof(void*));
  STATIC_REQUIRE(sizeof(Owned<BankConnectionsUpdateV2>) == sizeof(void*));
  const Account account{.id = "acc-1", .account_hash = "0123456789abcdef"};
  CHECK(bytes_of([&] { const Owned owned(account); }) == sizeof(Account) + 5 + 16);
  CHECK(bytes_of([&] { const Owned owned(Account{}); }) == sizeof(Account));

  const std::vector<Account> accounts(10, account);
  const Connection connection{.id = "con-1", .bank = "Synthetic bank", .accounts = accounts};
  const std::vector<Connection> connections(20, connection);
  const BankConnectionsUpdateV2 event{.event_type = ConnectionEventType::update,
                                      .customer = {.id = "cus-1", .external_id = "ext-1", .connections = connections},
                                      .connection = connection};
  constexpr std::size_t of_accounts = 10 * (sizeof(Account) + 5 + 16);
  constexpr std::size_t least =
      sizeof(BankConnectionsUpdateV2) + 5 + 5 + 20 * sizeof(Connection) + 21 * (5 + 14 + of_accounts);
  const auto keep = [&] { const Owned owned(event); };
  CHECK(allocations_of(keep) == 1);
  CHECK(bytes_of(keep) >= least);
  CHECK(bytes_of(keep) <= least + 64);
}

TEST_CASE("every warm sample is parsed and written without an allocation") {
  Arena arena;
  std::string out;
  const auto walk = [&] {
    for (const test::Sample& sample : test::samples()) {
      arena.reset();
      out.clear();
      serialize_to(*parse(sample.text, arena), out);
    }
  };
  walk();
  walk();
  CHECK(allocations_of(walk) == 0);
}

namespace {

/// A bank event of 20 connections with 10 accounts each, made of the only ones of a sample.
std::string heavy_payload() {
  Arena arena;
  auto event = *parse_as<BankConnectionsUpdateV2>(test::sample("connection_updated_with_accounts"), arena);
  const std::vector<Account> accounts(10, event.connection.accounts.front());
  event.connection.accounts = accounts;
  const std::vector<Connection> connections(20, event.connection);
  event.customer.connections = connections;
  event.customer.connections_on = 20;
  return serialize(event);
}

/// Every way in and out, over one payload of type `Event`.
template <class Event>
class EveryWay {
 public:
  explicit EveryWay(const std::string& payload) : archive_(payload + '\n' + payload) {
    payload_ = std::string_view(archive_).substr(0, payload.size());
    spare_ = payload + std::string(PaddedView::padding, ' ');
    padded_ = PaddedView(std::string_view(spare_).substr(0, payload.size()));
    lines_.reserve(2);
  }

  /// How many of the ten ways went well.
  [[nodiscard]] std::size_t walk() {
    std::size_t fine = 0;
    fine += written(parse(payload_, fresh()));
    fine += written(parse(padded_, fresh()));
    fine += written(parse_as<Event>(payload_, fresh()));
    fine += written(parse_as<Event>(padded_, fresh()));
    fine += is_clean(payload_, fresh());
    fine += is_clean(padded_, fresh());
    for (const ArchiveLine& line : Lines(archive_, arena_)) fine += written(line.event);
    lines_.clear();
    fine += parse_lines(archive_, fresh(), lines_) == 2;
    LineCounts counts;
    fine += diagnose_lines(archive_, fresh(), counts, [](auto...) { return false; }) == archive_.size();
    return fine;
  }

 private:
  Arena& fresh() {
    arena_.reset();
    return arena_;
  }
  template <class T>
  bool written(const std::expected<T, Error>& event) {
    out_.clear();
    if (event) serialize_to(*event, out_);
    return out_ == payload_;
  }

  std::string archive_;
  std::string spare_;
  std::string_view payload_;
  PaddedView padded_{std::string_view()};
  Arena arena_;
  std::string out_;
  std::vector<ArchiveLine> lines_;
};

template <class Event>
void check_every_way(const std::string& payload) {
  EveryWay<Event> ways(payload);
  CHECK(ways.walk() == 10);
  CHECK(ways.walk() == 10);
  CHECK(allocations_of([&] { static_cast<void>(ways.walk()); }) == 0);
}

}  // namespace

TEST_CASE("no warm way in or out allocates, whatever the kind of event") {
  check_every_way<BankConnectionsUpdateV2>(test::sample("connection_updated_with_accounts"));
  check_every_way<BankConnectionsUpdateV2>(heavy_payload());
  check_every_way<InitialTransactionUpdate>(test::sample("transaction_validated"));
}

TEST_CASE("a bad payload costs no allocation") {
  const std::vector<test::Fault> faults = test::faults();
  Arena arena(10'000);
  REQUIRE(parse(test::sample("transaction_validated"), arena).has_value());  // what the reader remembers is made once
  std::size_t rejected = 0;
  CHECK(allocations_of([&] {
          for (const test::Fault& fault : faults) {
            arena.reset();
            rejected += !parse(fault.text, arena).has_value();
          }
        }) == 0);
  CHECK(rejected == faults.size());
}

TEST_CASE("a first payload costs a few allocations, not one a value") {
  const std::string& payload = test::sample("member_with_many_connections");
  CHECK(allocations_of([&] {
          Arena arena;
          CHECK(parse(payload, arena).has_value());
        }) <= 8);
}

TEST_CASE("every warm sample is checked without an allocation") {
  Arena arena;
  std::size_t broken = 0;
  const auto walk = [&] {
    for (const test::Sample& sample : test::samples()) {
      arena.reset();
      const Findings findings = check(*parse(sample.text, arena));
      for (const BrokenRule& one : findings) broken += one.names.size() > 0;
      broken += findings.contains(RuleId::status_equals_event_type);
    }
  };
  walk();
  walk();
  CHECK(allocations_of(walk) == 0);
  CHECK(broken > 0);
}

}  // namespace events_allocation_test
