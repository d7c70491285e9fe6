// SPDX-License-Identifier: MIT
// check and diagnose apply the same rules to an event and report the same places; in an array, check names the array.
#include <bankhook_catch.hpp>

#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/serialize.hpp>

#include <events/samples.hpp>
#include <text/support.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace events_check_differential_test {

using namespace bankhook;
using namespace std::chrono_literals;

namespace {

using Broken = std::set<std::pair<RuleId, std::string>>;

template <class FoundFindings>
Broken broken(const FoundFindings& findings) {
  Broken all;
  for (const Finding& finding : findings) {
    if (is_checked(finding.rule)) all.emplace(finding.rule, finding.path.substr(0, finding.path.find('[')));
  }
  return all;
}

Connection connection(test::Choices& choices, std::string_view id) {
  Connection made{.id = id, .bank = "Banque Exemple", .transactions_eligible_from_date = 2026y / 1 / 15};
  if (choices.between(0, 3) == 0) made.error_code = "error_1";
  if (choices.between(0, 3) == 0) made.error_message = "Try again";
  return made;
}

}  // namespace

TEST_CASE("6.2, 2.2, 7: check and diagnose find the same in a bank connection event, however many connections are listed") {
  test::Choices choices(71);
  std::size_t found = 0, in_the_list = 0;
  for (int round = 0; round < 3'000; ++round) {
    std::vector<Connection> listed;
    for (std::int64_t i = choices.between(0, 4); i > 0; --i)
      listed.push_back(connection(choices, i == 1 ? "conn-1" : "conn-2"));
    BankConnectionsUpdateV2 event;
    event.event_type = static_cast<ConnectionEventType>(choices.between(0, 2));
    if (choices.between(0, 5) == 0) event.event_type = OpenEnum<ConnectionEventType>::of("pause");
    event.connection = connection(choices, "conn-1");
    event.customer.connections = listed;
    const Broken checked = broken(check(event));
    REQUIRE(checked == broken(diagnose(serialize(event))));
    found += checked.size();
    in_the_list += checked.contains({RuleId::error_code_and_message_agree, "$.customer.connections"});
  }
  CHECK(found > 3'000);
  CHECK(in_the_list > 1'000);
}

TEST_CASE("6.3, 2.4: check and diagnose find the same in an initial transaction event") {
  test::Choices choices(72);
  std::size_t found = 0;
  for (int round = 0; round < 3'000; ++round) {
    InitialTransactionUpdate event;
    event.event_type = static_cast<TransactionStatus>(choices.between(0, 2));
    InitialTransaction& transaction = event.initial_transaction;
    transaction.transaction_date = 2026y / 5 / 3;
    transaction.status =
        choices.coin() ? event.event_type : OpenEnum(static_cast<TransactionStatus>(choices.between(0, 2)));
    if (choices.coin()) transaction.rejection_reason = OpenEnum(RejectionReason::purchase_not_found);
    if (choices.coin()) transaction.transaction_id = "tr-1";
    if (choices.coin()) transaction.store_external_id = "store-1";
    if (choices.coin()) transaction.place_id = "place-1";
    if (choices.coin()) transaction.store_name = "Store";
    const Broken checked = broken(check(event));
    REQUIRE(checked == broken(diagnose(serialize(event))));
    found += checked.size();
  }
  CHECK(found > 5'000);
}

TEST_CASE("check and diagnose find the same in every shared payload that is read") {
  Arena arena;
  for (const auto& sample : test::samples()) {
    arena.reset();
    CAPTURE(sample.name);
    const auto event = parse(sample.text, arena);
    REQUIRE(event.has_value());
    CHECK(broken(check(*event)) == broken(diagnose(sample.text)));
  }
}

}  // namespace events_check_differential_test
