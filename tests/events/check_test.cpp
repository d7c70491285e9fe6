// SPDX-License-Identifier: MIT
// The rules between the fields of an event, each broken alone; the names name the sections of the specification.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>

#include <events/samples.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace events_check_test {

using namespace bankhook;
using enum RuleId;

namespace {

constexpr std::chrono::year_month_day day{std::chrono::year(2026), std::chrono::May, std::chrono::day(4)};

constexpr InitialTransactionUpdate created{
    .event_type = TransactionStatus::created,
    .customer = {"m-1", "c-1"},
    .initial_transaction = {.id = "t-1",
                            .store_external_id = "s-1",
                            .status = TransactionStatus::created,
                            .transaction_date = day,
                            .date = *Timestamp::make(day, {}, 0, {}, OffsetForm::z)}};

static_assert(&checked<created> == &created && check(created).empty(), "the compiler checks what is constant");

template <class Change>
constexpr InitialTransactionUpdate changed(Change&& change) {
  InitialTransactionUpdate update = created;
  change(update, update.initial_transaction);
  return update;
}

constexpr InitialTransactionUpdate rejected = changed([](auto& update, auto& transaction) {
  update.event_type = transaction.status = TransactionStatus::rejected;
  transaction.rejection_reason = RejectionReason::purchase_not_found;
});

constexpr std::array<Connection, 2> connections{Connection{.id = "k-1", .transactions_eligible_from_date = day},
                                                Connection{.id = "k-2", .transactions_eligible_from_date = day}};
constexpr std::array<Connection, 2> halved_connections{
    Connection{.id = "k-1", .error_message = "x", .transactions_eligible_from_date = day}, connections[1]};
constexpr BankConnectionsUpdateV2 updated{.event_type = ConnectionEventType::update,
                                          .customer = {.id = "m-1", .external_id = "c-1", .connections = connections},
                                          .connection = connections[1]};

/// Whether the event breaks this rule and no other.
template <class Event>
constexpr bool breaks_only(const Event& event, RuleId rule) {
  return check(event).size() == 1 && check(event).contains(rule);
}

}  // namespace

TEST_CASE("an event that keeps all rules has no findings") {
  STATIC_REQUIRE(check(created).empty());
  STATIC_REQUIRE(check(rejected).empty());
  STATIC_REQUIRE(check(updated).empty());
  STATIC_REQUIRE(check(AnyEvent(created)) == check(created));
}

TEST_CASE("section 6: the name of an event is one of the two") {
  STATIC_REQUIRE(breaks_only(UnknownEvent{"loyalty_points_update", "{}"}, event_is_listed));
  CHECK(check(UnknownEvent{"x", "{}"})[0].expected == "bank_connections_update_v2 or initial_transaction_update");
}

TEST_CASE("sections 6.2 and 6.3: eventType is one of the listed values") {
  constexpr auto paused = [] {
    auto event = updated;
    event.event_type = OpenEnum<ConnectionEventType>::of("paused");
    return event;
  }();
  STATIC_REQUIRE(breaks_only(paused, values_are_listed));
  STATIC_REQUIRE(check(changed([](auto& update, auto&) {
                   update.event_type = OpenEnum<TransactionStatus>::of("x");
                 })).contains(values_are_listed));
}

TEST_CASE("section 2.4: status and rejectionReason have one of the listed values") {
  constexpr auto unknown = changed([](auto& update, auto& transaction) {
    update.event_type = transaction.status = OpenEnum<TransactionStatus>::of("suspended");
  });
  STATIC_REQUIRE(check(unknown).size() == 2);
  STATIC_REQUIRE(check(unknown)[0].names.size() != check(unknown)[1].names.size());
  STATIC_REQUIRE(check(unknown).contains(values_are_listed));
  constexpr auto reason = [] {
    auto update = rejected;
    update.initial_transaction.rejection_reason = OpenEnum<RejectionReason>::of("storeClosed");
    return update;
  }();
  STATIC_REQUIRE(breaks_only(reason, values_are_listed));
  CHECK(check(reason)[0].expected == "purchaseNotFound, bankConsentExpired or null");
}

TEST_CASE("section 6.3: the status equals eventType") {
  STATIC_REQUIRE(breaks_only(changed([](auto& update, auto&) { update.event_type = TransactionStatus::validated; }),
                             status_equals_event_type));
}

TEST_CASE("section 6.3: a rejected update carries a reason") {
  constexpr auto without = [] {
    auto update = rejected;
    update.initial_transaction.rejection_reason = {};
    return update;
  }();
  STATIC_REQUIRE(breaks_only(without, rejected_update_has_reason));
  STATIC_REQUIRE(check(changed([](auto& update, auto&) {
                   update.event_type = TransactionStatus::rejected;  // whatever the status says
                 })).contains(rejected_update_has_reason));
}

TEST_CASE("section 2.4: a reason stands only where something is rejected") {
  STATIC_REQUIRE(breaks_only(
      changed([](auto&, auto& transaction) { transaction.rejection_reason = RejectionReason::bank_consent_expired; }),
      reason_only_when_rejected));
  STATIC_REQUIRE(check(rejected).empty());
}

TEST_CASE("section 6.3: in the rejected example the transactionId is null") {
  constexpr auto matched = [] {
    auto update = rejected;
    update.initial_transaction.transaction_id = "tr-1";
    return update;
  }();
  STATIC_REQUIRE(breaks_only(matched, rejected_update_has_no_transaction_id));
  STATIC_REQUIRE(check(matched).contains(Evidence::example));
  STATIC_REQUIRE_FALSE(check(matched).contains(Evidence::stated));
}

TEST_CASE("section 3.1: a transactionId is set only if it was matched") {
  STATIC_REQUIRE(breaks_only(changed([](auto&, auto& transaction) { transaction.transaction_id = "tr-1"; }),
                             transaction_id_only_when_matched));
  constexpr auto validated = changed([](auto& update, auto& transaction) {
    update.event_type = transaction.status = TransactionStatus::validated;
    transaction.transaction_id = "tr-1";
  });
  STATIC_REQUIRE(check(validated).empty());
}

TEST_CASE("section 6.3: placeId and storeName are present exactly while storeExternalId is null") {
  constexpr auto place = changed([](auto&, auto& transaction) { transaction.place_id = "p-1"; });
  constexpr auto name = changed([](auto&, auto& transaction) { transaction.store_name = "Exemple"; });
  constexpr auto neither = changed([](auto&, auto& transaction) { transaction.store_external_id = {}; });
  constexpr auto both = changed([](auto&, auto& transaction) {
    transaction.store_external_id = {};
    transaction.place_id = "p-1";
    transaction.store_name = "Exemple";
  });
  STATIC_REQUIRE(breaks_only(place, place_id_exactly_without_store_external_id));
  STATIC_REQUIRE(breaks_only(name, store_name_exactly_without_store_external_id));
  STATIC_REQUIRE(check(neither).size() == 2);
  STATIC_REQUIRE(check(both).empty());
  CHECK(check(place)[0].found == "a string");
  CHECK(check(neither)[0].found == "nothing");
}

TEST_CASE("section 6.2: a connection created or updated is among all connections of its customer") {
  constexpr auto stranger = [](OpenEnum<ConnectionEventType> type) {
    auto event = updated;
    event.event_type = type;
    event.connection.id = "k-3";
    return event;
  };
  STATIC_REQUIRE(breaks_only(stranger(ConnectionEventType::create), connection_is_among_those_of_the_customer));
  STATIC_REQUIRE(breaks_only(stranger(ConnectionEventType::update), connection_is_among_those_of_the_customer));
}

TEST_CASE("what the list holds after a deletion is left open by the specification, so nothing is found") {
  constexpr auto deleted = [](std::string_view id) {
    auto event = updated;
    event.event_type = ConnectionEventType::delete_;
    event.connection.id = id;
    return event;
  };
  STATIC_REQUIRE(check(deleted("k-2")).empty());
  STATIC_REQUIRE(check(deleted("k-3")).empty());
}

TEST_CASE("section 7: errorCode and errorMessage are null together") {
  constexpr auto halved = [] {
    auto event = updated;
    event.connection.error_code = "17";
    return event;
  }();
  STATIC_REQUIRE(breaks_only(halved, error_code_and_message_agree));
  constexpr auto in_the_list = [] {
    auto event = updated;
    event.customer.connections = halved_connections;
    return event;
  }();
  STATIC_REQUIRE(breaks_only(in_the_list, error_code_and_message_agree));
  CHECK(check(in_the_list)[0].finding().path == "$.customer.connections");
}

TEST_CASE("a day that was never set, or that does not exist, is found wherever it stands") {
  using namespace std::chrono;
  STATIC_REQUIRE(breaks_only(changed([](auto&, auto& one) { one.date = {}; }), days_and_times_exist));
  STATIC_REQUIRE(breaks_only(changed([](auto&, auto& one) { one.transaction_date = {}; }), days_and_times_exist));
  STATIC_REQUIRE(
      breaks_only(changed([](auto&, auto& one) { one.transaction_date = 2026y / 2 / 30; }), days_and_times_exist));
  const auto with = [](Connection one) {
    BankConnectionsUpdateV2 event = updated;
    event.connection = one;
    return event;
  };
  Connection one = connections[1];
  one.consent_expires_at = LocalTimestamp();
  CHECK(breaks_only(with(one), days_and_times_exist));
  CHECK(check(with(one))[0].finding().path == "$.connection.consentExpiresAt");
  one.consent_expires_at = *LocalTimestamp::make(day, {}, 4);
  CHECK(check(with(one)).empty());
  one.transactions_eligible_from_date = {};
  CHECK(breaks_only(with(one), days_and_times_exist));
  BankConnectionsUpdateV2 listed = updated;
  listed.customer.connections = std::span(&one, 1);
  CHECK(breaks_only(listed, days_and_times_exist));
}

TEST_CASE("findings are a range in the order of the rules, with path, section and evidence") {
  const auto event = changed([](auto& update, auto& transaction) {
    update.event_type = TransactionStatus::rejected;
    transaction.store_external_id = {};
  });
  const Findings findings = check(event);
  std::string ids;
  for (const BrokenRule& finding : findings) ids.append(to_string(finding.rule)).append(" ");
  CHECK(ids ==
        "status_equals_event_type rejected_update_has_reason place_id_exactly_without_store_external_id "
        "store_name_exactly_without_store_external_id ");
  CHECK(findings[0].finding().path == "$.initialTransaction.status");
  CHECK(findings[0].section == "6.3");
  CHECK(findings[0].evidence == Evidence::stated);
  CHECK(std::ranges::equal(findings[0].names, std::array<std::string_view, 2>{"initialTransaction", "status"}));
}

TEST_CASE("a broken rule becomes a finding that owns its texts and has no place in a payload") {
  const InitialTransactionUpdate event{.event_type = TransactionStatus::created,
                                       .initial_transaction = {.status = TransactionStatus::validated}};
  const Findings findings = check(event);
  REQUIRE_FALSE(findings.empty());
  const Finding finding = findings[0];
  CHECK(finding == findings[0].finding());
  CHECK(finding.rule == RuleId::status_equals_event_type);
  CHECK(finding.steps == std::vector<PathStep>{"initialTransaction", "status"});
  CHECK(finding.path == "$.initialTransaction.status");
  CHECK(finding.expected == findings[0].expected);
  CHECK(finding.found == findings[0].found);
  CHECK_FALSE((finding.offset || finding.line || finding.column));
  STATIC_REQUIRE(std::is_trivially_copyable_v<BrokenRule>);
}

TEST_CASE("a row names every field that its predicate looks at") {
  const auto all_known = [](const auto& rows) {
    for (const auto& check : rows) {
      CHECK_FALSE(check.row.path.names.empty());
      CHECK_FALSE(check.row.expected.empty());
      CHECK_FALSE(check.row.found.empty());
    }
  };
  all_known(detail::checks<BankConnectionsUpdateV2>);
  all_known(detail::checks<InitialTransactionUpdate>);
  all_known(detail::checks<UnknownEvent>);
  all_known(detail::checks<Connection>);
}

}  // namespace events_check_test
