// SPDX-License-Identifier: MIT
// The operations on initial transactions (spec 3.1); the service: its members, and what happens next where nobody says it.
#pragma once

#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/reflect/owned.hpp>
#include <bankhook/sandbox/connections.hpp>
#include <bankhook/sandbox/options.hpp>
#include <bankhook/sandbox/world.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/utf8.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace sandbox {

/// Views the world until the next operation.
using TransactionEvent = std::expected<InitialTransactionUpdate, SandboxError>;

inline std::optional<SandboxError> refusal_of(const Submission& submission) {
  const auto& [amount, store, place_id, store_name, day] = submission;
  if (!store && (place_id.empty() || store_name.empty())) return SandboxError::store_is_incomplete;
  for (const std::string_view one : {store ? *store : place_id, store ? *store : store_name}) {
    if (text::find_invalid_utf8(one.data(), one.data() + one.size()) != one.data() + one.size())
      return SandboxError::text_is_not_utf8;
  }
  return text::is_writable_date(day) ? std::nullopt : std::optional(SandboxError::date_has_no_form);
}

/// 2.4: a decimal; how many places it has is not shown.
inline Decimal make_amount(World& world) {
  static constexpr std::uint32_t bounds[] = {1'000, 10'000, 10'000, 100'000, 1'000'000};
  const std::uint32_t cents = world.random.between(100, world.random.pick(bounds));
  if (world.options.choices.amount_form == Choices::AmountForm::two_places) return Decimal(cents, 2);
  if (cents % 100 == 0) return Decimal(cents / 100);
  return Decimal(cents, 2).reduced();
}

inline std::string make_store(Random& random) { return numbered("store-", random.below(10'000), 4); }

inline std::string make_store_name(Random& random) {
  static constexpr std::string_view kinds[] = {"Épicerie ", "Marché ", "Boutique ", "Magasin ", "Store ", "商店 ", "🛒 "};
  std::string name(random.pick(kinds));
  name += "Exemple ";
  switch (random.below(8)) {
    case 0: return name + '"' + make_word(random) + '"';
    case 1: name += make_word(random) + " \\ "; break;
    case 2: name += "l\u2019"; break;
    default: break;
  }
  return name + make_word(random);
}

/// 2.4: creation time; which of the ISO 8601 forms it has is not shown.
inline Timestamp time_of(const World& world) {
  using namespace std::chrono;
  const Choices::DateForm form = world.options.choices.date_form;
  const bool is_local = form == Choices::DateForm::offset_milliseconds, is_whole = form == Choices::DateForm::utc_seconds;
  const minutes offset(is_local ? 120 : 0);
  const World::Time shown = is_whole ? floor<seconds>(world.now) : world.now + offset;
  const auto day = floor<days>(shown);
  const OffsetForm offset_form = is_local ? OffsetForm::hours_colon_minutes : OffsetForm::z;
  return Timestamp::make(day, shown - day, is_whole ? 0 : 3, offset, offset_form).value_or(Timestamp());
}

inline InitialTransactionUpdate emit_transaction(World& world, std::size_t slot) {
  const InitialTransaction& said = *world.transactions[slot].transaction;
  InitialTransactionUpdate event{.event_type = said.status,
                                 .customer = world.members[world.transactions[slot].member].customer(),
                                 .initial_transaction = said};
  const bool may_differ = world.options.choices.status_in_event == Choices::StatusInEvent::sometimes_differs;
  if (may_differ && world.random.one_in(10)) {
    const auto others = static_cast<std::uint32_t>(*said.status.known()) + world.random.between(1, 2);
    event.initial_transaction.status = static_cast<TransactionStatus>(others % enumerator_count<TransactionStatus>);
  }
  return event;
}

/// Takes it off the open ones, if no more is expected to happen to it, or with `again` can; its slot may then be used
/// again.
inline void close_unless_open(World& world, std::size_t slot, OpenEnum<TransactionStatus> status, bool again) {
  TransactionRecord& record = world.transactions[slot];
  if (!record.is_open) return;
  for (const TransactionTrigger trigger : {TransactionTrigger::store_set_up, TransactionTrigger::store_not_set_up}) {
    const auto next = world.options.transaction_lifecycle.step(status.known(), trigger);
    if (next.to && (again || next.is_expected())) return;
  }
  record.is_open = false;
  world.open[record.place_among_open] = world.open.back();
  world.transactions[world.open.back()].place_among_open = record.place_among_open;
  world.open.pop_back();
  world.transactions.release(slot);
}

/// 3.1: the store is properly set up in the service, or, for a reason, cannot be; transactionId is set only if matched
/// automatically. Moves it if the table expects that. 3.1 does not show which state precedes; if any does, a row that is
/// there is enough. What is validated has no reason; only that is matched.
inline TransactionEvent process(World& world, std::size_t slot, std::optional<RejectionReason> reason, bool matched) {
  const Choices& chosen = world.options.choices;
  InitialTransaction said = *world.transactions[slot].transaction;
  const auto trigger = reason ? TransactionTrigger::store_not_set_up : TransactionTrigger::store_set_up;
  const auto next = world.options.transaction_lifecycle.step(said.status.known(), trigger);
  const bool any = chosen.preceding_state == Choices::PrecedingState::any;
  if (!next.to || !(any || next.is_expected())) {
    return std::unexpected(said.status == TransactionStatus::created ? SandboxError::lifecycle_excludes_it
                                                                     : SandboxError::transaction_is_processed);
  }
  said.status = *next.to;
  said.rejection_reason.reset();
  said.transaction_id.reset();
  close_unless_open(world, slot, said.status, any && world.random.one_in(4));
  std::string match, store;
  if (reason) said.rejection_reason = OpenEnum(*reason);
  if (matched) said.transaction_id = match = world.transactions.id_of(slot, Kind::match);
  if (!reason && !said.store_external_id && chosen.store_of_validated == Choices::StoreOfValidated::identified) {
    said.store_external_id = store = make_store(world.random);
    said.place_id.reset();
    said.store_name.reset();
  }
  world.transactions[slot].transaction = Owned(said);
  return emit_transaction(world, slot);
}

/// 3.1: the first submission, with what the consumer says.
inline TransactionEvent submit(World& world, std::size_t member, const Submission& submission) {
  if (const auto refusal = refusal_of(submission)) return std::unexpected(*refusal);
  const std::size_t slot = world.transactions.take();
  const std::string id = world.transactions.id_of(slot);
  InitialTransaction made{.id = id,
                          .amount = submission.amount,
                          .store_external_id = submission.store_external_id,
                          .transaction_date = submission.transaction_date,
                          .date = time_of(world)};
  if (!made.store_external_id) {
    made.place_id = submission.place_id;
    made.store_name = submission.store_name;
  }
  made.status = *world.options.transaction_lifecycle.step(std::nullopt, TransactionTrigger::submitted).to;
  world.transactions[slot] = {Owned(made), member, world.open.size()};
  world.open.push_back(slot);
  close_unless_open(world, slot, made.status, false);
  return emit_transaction(world, slot);
}

/// 3.1: the first submission, with a purchase that the sandbox makes up.
inline TransactionEvent submit_made_up(World& world, std::size_t member) {
  using namespace std::chrono;
  Random& random = world.random;
  Submission made{.amount = make_amount(world), .transaction_date = floor<days>(world.now) - days(random.below(4))};
  const bool in_field = random.one_in(4);
  const std::string store = in_field ? numbered("place-sandbox-", random.below(1'000'000'000), 9) : make_store(random);
  const std::string name = in_field ? make_store_name(random) : "";
  if (!in_field) made.store_external_id = store;
  made.place_id = store;
  made.store_name = name;
  return submit(world, member, made);
}

/// An event as it leaves an operation. Views into the sandbox, valid until its next call.
struct OutgoingEvent {
  AnyEvent event;
  bool is_first = false;  ///< of its connection or initial transaction
};

/// The members, everything that they have, and the operations on it.
struct Service {
  Service(std::uint64_t seed, const SandboxOptions& options) : world(seed, options) {}

  /// The next event of a history: about half of them are of initial transactions. How often a service sees what is not
  /// shown; the weights are ours. One event in three concerns what the last one of its kind did.
  OutgoingEvent next() {
    world.pass();
    if (world.random.below(100) >= 55) {
      if (const auto event = next_of_connections()) return *event;
    }
    return next_of_transactions();
  }

  World world;

 private:
  OutgoingEvent next_of_transactions() {
    Random& random = world.random;
    const std::vector<std::size_t>& open = world.open;
    const bool room = open.size() < world.options.transactions;
    if (open.empty() || (room && random.one_in(2)))
      return {*submit_made_up(world, random.below(world.options.members)), true};
    const bool last = random.one_in(3);
    const std::size_t slot = last ? open.back() : random.pick(open);
    const OpenEnum<TransactionStatus> status = world.transactions[slot].transaction->status;
    const bool is_store_set_up = random.below(10) < 7;
    const bool validates = status == TransactionStatus::created ? is_store_set_up : status == TransactionStatus::rejected;
    TransactionEvent event = process_open(slot, validates);
    if (!event) event = process_open(slot, !validates);  // it is open: the table allows one of the two
    return {*event};
  }

  TransactionEvent process_open(std::size_t slot, bool validates) {
    if (validates) return process(world, slot, std::nullopt, world.random.below(3) < 2);
    const bool is_expired = world.random.one_in(3);
    return process(world, slot, is_expired ? RejectionReason::bank_consent_expired : RejectionReason::purchase_not_found,
                   false);
  }

  /// Nothing if no connection of the member is ready for anything.
  std::optional<OutgoingEvent> next_of_connections() {
    Random& random = world.random;
    if (!random.one_in(3)) member_ = random.below(world.options.members);
    const std::vector<std::size_t>& own = world.members[member_].connections;
    const bool room = own.size() < world.options.connections;
    if (own.empty() || (room && random.one_in(6))) return OutgoingEvent{*create_connection(world, member_), true};
    const bool last = random.one_in(2);
    return change_any(last ? own.back() : random.pick(own));
  }

  /// The first of some operations that is not refused.
  std::optional<OutgoingEvent> change_any(std::size_t slot) {
    using enum Operation;
    const std::uint32_t draw = world.random.below(12);
    const bool has_accounts = !world.connections[slot].connection->accounts.empty();
    Operation usual = draw < 7 ? desynchronise : update_accounts;
    if (!has_accounts || draw >= 10) usual = create_accounts;
    const Operation rare = draw == 1 ? disable : enable;
    for (const Operation operation : {draw == 0 ? remove : rare, enable, resynchronise, usual, update_accounts,
                                      create_accounts, desynchronise, remove, disable}) {
      if (const auto event = change(world, slot, operation)) return OutgoingEvent{*event};
    }
    return std::nullopt;
  }

  std::size_t member_ = 0;
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::sandbox
