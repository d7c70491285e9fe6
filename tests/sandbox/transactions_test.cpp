// SPDX-License-Identifier: MIT
// The operations on initial transactions, by sections 2.4, 3.1 and 6.3.
#include <bankhook_catch.hpp>

#include <bankhook/events/rules/check.hpp>
#include <bankhook/sandbox/sandbox.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace sandbox_transactions_test {

using namespace bankhook;

namespace {

using namespace std::chrono_literals;

std::string submit(Sandbox& box) {
  return std::string(box.send_initial_transaction(box.member(0).id)->initial_transaction.id);
}

}  // namespace

TEST_CASE("3.1: a first submission gives a created event") {
  Sandbox box(1);
  const auto event = box.send_initial_transaction(box.member(0).id);
  REQUIRE(event);
  CHECK(event->event_type == TransactionStatus::created);
  CHECK(event->initial_transaction.status == TransactionStatus::created);
  CHECK(!event->initial_transaction.rejection_reason);
  CHECK(!event->initial_transaction.transaction_id);
  CHECK(event->customer == box.member(0));
}

TEST_CASE("3.1: transactionId is set only if the transaction was matched automatically") {
  Sandbox box(1);
  const auto matched = box.validate(submit(box), true);
  REQUIRE(matched);
  CHECK(matched->event_type == TransactionStatus::validated);
  CHECK(matched->initial_transaction.transaction_id.has_value());
  const auto unmatched = box.validate(submit(box), false);
  REQUIRE(unmatched);
  CHECK(!unmatched->initial_transaction.transaction_id);
}

TEST_CASE("6.3: a rejected transaction has its reason and no transactionId") {
  Sandbox box(1);
  for (const RejectionReason reason : {RejectionReason::purchase_not_found, RejectionReason::bank_consent_expired}) {
    const auto event = box.reject(submit(box), reason);
    REQUIRE(event);
    CHECK(event->event_type == TransactionStatus::rejected);
    CHECK(event->initial_transaction.rejection_reason == OpenEnum(reason));
    CHECK(!event->initial_transaction.transaction_id);
    CHECK(check(*event).empty());
  }
}

TEST_CASE("3.1: a processed transaction is not processed again, unless any state may precede") {
  Sandbox box(1);
  const std::string id = submit(box);
  REQUIRE(box.reject(id, RejectionReason::purchase_not_found));
  CHECK(box.validate(id).error() == SandboxError::transaction_is_processed);
  Sandbox any(1, {.choices = {.preceding_state = SandboxChoices::PrecedingState::any}});
  const std::string other = submit(any);
  REQUIRE(any.reject(other, RejectionReason::purchase_not_found));
  const auto validated = any.validate(other);
  REQUIRE(validated);
  CHECK(!validated->initial_transaction.rejection_reason);
  CHECK(any.reject(other, RejectionReason::bank_consent_expired));
}

TEST_CASE("2.4: a store that has no identifier yet has one once its transaction is validated, where that is chosen") {
  Sandbox box(1, {.choices = {.store_of_validated = SandboxChoices::StoreOfValidated::identified}});
  int given = 0;
  for (int i = 0; i < 40; ++i) {
    const auto created = box.send_initial_transaction(box.member(0).id);
    const bool in_field = created->initial_transaction.place_id.has_value();
    const auto validated = box.validate(std::string(created->initial_transaction.id));
    REQUIRE(validated);
    CHECK(check(*validated).empty());
    CHECK(validated->initial_transaction.store_external_id);
    given += in_field;
  }
  CHECK(given > 0);
}

TEST_CASE("6.3: a status may contradict its eventType where that is chosen, and the state is that of the eventType") {
  Sandbox box(1, {.choices = {.status_in_event = SandboxChoices::StatusInEvent::sometimes_differs}});
  int differing = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string id = submit(box);
    const auto event = box.validate(id);
    REQUIRE(event);
    CHECK(event->event_type == TransactionStatus::validated);
    differing += event->initial_transaction.status != event->event_type;
    CHECK(box.validate(id).error() == SandboxError::transaction_is_processed);
  }
  CHECK((differing > 5 && differing < 50));
}

TEST_CASE("a transaction whose place was taken again is forgotten, one never made is unknown") {
  Sandbox box(1);
  const std::string id = submit(box);
  REQUIRE(box.validate(id));
  submit(box);
  CHECK(box.validate(id).error() == SandboxError::transaction_is_forgotten);
  CHECK(box.validate("it-0001").error() == SandboxError::no_such_transaction);
}

TEST_CASE("6.3: the store is known to the client, or has a place and a name") {
  Sandbox box(1);
  int in_field = 0;
  for (int i = 0; i < 200; ++i) {
    const auto event = box.send_initial_transaction(box.member(0).id);
    const InitialTransaction& said = event->initial_transaction;
    CHECK(said.store_external_id.has_value() != said.place_id.has_value());
    CHECK(said.place_id.has_value() == said.store_name.has_value());
    in_field += said.place_id.has_value();
  }
  CHECK((in_field > 25 && in_field < 80));
}

TEST_CASE("a purchase of the caller's is sent as it was submitted") {
  Sandbox box(1);
  const Submission submission{
      .amount = Decimal(1990, 2), .place_id = "place-1", .store_name = "Exemple", .transaction_date = 2026y / 5 / 3};
  const auto event = box.send_initial_transaction(box.member(2).id, submission);
  REQUIRE(event);
  CHECK(to_string(event->initial_transaction.amount) == "19.90");
  CHECK(event->initial_transaction.place_id == std::string_view("place-1"));
  CHECK(event->initial_transaction.store_name == std::string_view("Exemple"));
  CHECK(event->initial_transaction.transaction_date == 2026y / 5 / 3);
  CHECK(check(*event).empty());
}

TEST_CASE("a purchase that no event could tell is refused") {
  Sandbox box(1);
  const std::string member(box.member(0).id);
  Submission submission{.amount = Decimal(1), .transaction_date = 2026y / 5 / 3};
  CHECK(box.send_initial_transaction(member, submission).error() == SandboxError::store_is_incomplete);
  submission.store_external_id = std::string_view("\xff");
  CHECK(box.send_initial_transaction(member, submission).error() == SandboxError::text_is_not_utf8);
  submission.store_external_id = std::string_view("store-1");
  submission.transaction_date = 2026y / 2 / 30;
  CHECK(box.send_initial_transaction(member, submission).error() == SandboxError::date_has_no_form);
}

TEST_CASE("amounts and dates have the form that is chosen") {
  Sandbox box(1, {.choices = {.amount_form = SandboxChoices::AmountForm::two_places,
                              .date_form = SandboxChoices::DateForm::offset_milliseconds}});
  Sandbox seconds(1, {.choices = {.date_form = SandboxChoices::DateForm::utc_seconds}});
  for (int i = 0; i < 50; ++i) {
    const auto event = box.send_initial_transaction(box.member(0).id);
    CHECK(event->initial_transaction.amount.scale() == 2);
    CHECK(to_string(event->initial_transaction.date).ends_with("+02:00"));
    CHECK(event->initial_transaction.date.fraction_digits() == 3);
    const auto other = seconds.send_initial_transaction(seconds.member(0).id);
    CHECK(other->initial_transaction.date.fraction_digits() == 0);
    CHECK((other->initial_transaction.amount.scale() >= 0 && other->initial_transaction.amount.scale() <= 2));
  }
}

}  // namespace sandbox_transactions_test
