// SPDX-License-Identifier: MIT
// The operations on initial transactions (spec 3.1): submitted, then validated or rejected by the service.
#pragma once

#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/sandbox/pool.hpp>
#include <bankhook/sandbox/sandbox_error.hpp>
#include <bankhook/sandbox/submission.hpp>
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

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// A stored initial transaction; views of it are filled in when an event is made.
struct TransactionRecord {
  Identifier id;
  Identifier match;
  std::uint32_t member = 0;
  std::uint32_t place_among_open = 0;
  bool is_open = false;
  Decimal amount;
  bool has_client_store = false;
  std::string store_external_id;
  std::string place_id;
  std::string store_name;
  std::optional<TransactionStatus> state{};  ///< empty before the first event
  RejectionReason reason{};
  bool is_matched = false;
  std::chrono::year_month_day transaction_date{};
  Timestamp date;
};

/// All initial transactions of a sandbox: the open ones, and of the processed ones those whose slot was not needed yet.
/// Events view it and the world until the next operation.
class Transactions {
 public:
  using Event = InitialTransactionUpdate;
  using Result = std::expected<Event, SandboxError>;

  /// 3.1: the first submission, with a purchase that the sandbox makes up.
  Event submit(World& world, std::uint32_t member) {
    TransactionRecord& record = start(world, member);
    const auto today = std::chrono::floor<std::chrono::days>(world.clock.now());
    record.amount = make_amount(world);
    record.transaction_date = today - std::chrono::days(world.random.below(4));
    record.has_client_store = false;
    if (!world.random.one_in(4)) {
      give_client_store(world, record);
    } else {
      make_numbered(record.place_id, "place-sandbox-", world.random.below(1'000'000'000), 9);
      make_store_name(record.store_name, world.random);
    }
    return emit(world, record);
  }

  /// 3.1: the first submission, with what the consumer says.
  Result submit(World& world, std::uint32_t member, const Submission& submission) {
    if (const auto refusal = refusal_of(submission)) return std::unexpected(*refusal);
    TransactionRecord& record = start(world, member);
    record.amount = submission.amount;
    record.transaction_date = submission.transaction_date;
    record.has_client_store = submission.store_external_id.has_value();
    if (record.has_client_store) {
      record.store_external_id = *submission.store_external_id;
    } else {
      record.place_id = submission.place_id;
      record.store_name = submission.store_name;
    }
    return emit(world, record);
  }

  /// 3.1: the store is properly set up in the service; transactionId is set only if matched automatically.
  Result validate(World& world, std::uint32_t slot, bool matched) {
    if (const auto refusal = process(world, slot, TransactionTrigger::store_set_up)) return std::unexpected(*refusal);
    TransactionRecord& record = records_[slot];
    record.is_matched = matched;
    if (matched) record.match = world.ids.make(Kind::match, records_.handle_of(slot));
    if (world.options.choices.store_of_validated == SandboxChoices::StoreOfValidated::identified &&
        !record.has_client_store)
      give_client_store(world, record);
    return emit(world, record);
  }

  /// 3.1: the service cannot set up the store.
  Result reject(World& world, std::uint32_t slot, RejectionReason reason) {
    if (const auto refusal = process(world, slot, TransactionTrigger::store_not_set_up)) return std::unexpected(*refusal);
    TransactionRecord& record = records_[slot];
    record.reason = reason;
    record.is_matched = false;
    return emit(world, record);
  }

  /// The slots of those that wait for processing.
  [[nodiscard]] const std::vector<std::uint32_t>& open() const { return open_; }
  [[nodiscard]] const Pool<TransactionRecord>& records() const { return records_; }

 private:
  TransactionRecord& start(World& world, std::uint32_t member) {
    const Handle handle = records_.take();
    TransactionRecord& record = records_[handle.slot];
    record.id = world.ids.make(Kind::transaction, handle);
    record.member = member;
    record.state = world.options.transaction_lifecycle.step(std::nullopt, TransactionTrigger::submitted).to;
    record.is_matched = false;
    record.date = time_of(world);
    record.place_among_open = static_cast<std::uint32_t>(open_.size());
    record.is_open = true;
    open_.push_back(handle.slot);
    close_unless_open(world, handle.slot, false);
    return record;
  }

  static void give_client_store(World& world, TransactionRecord& record) {
    record.has_client_store = true;
    make_numbered(record.store_external_id, "store-", world.random.below(10'000), 4);
  }

  /// Moves it if the table expects that. 3.1 does not show which state precedes; if any does, a row that is there is
  /// enough.
  std::optional<SandboxError> process(World& world, std::uint32_t slot, TransactionTrigger trigger) {
    TransactionRecord& record = records_[slot];
    const auto [_, to, row] = world.options.transaction_lifecycle.step(record.state, trigger);
    const bool is_first = row != nullptr && row->is_expected();
    if (!to || !(is_first || any_precedes(world))) {
      return record.state == TransactionStatus::created ? SandboxError::lifecycle_excludes_it
                                                        : SandboxError::transaction_is_processed;
    }
    record.state = to;
    close_unless_open(world, slot, any_precedes(world) && world.random.one_in(4));
    return std::nullopt;
  }

  [[nodiscard]] static bool any_precedes(const World& world) {
    return world.options.choices.preceding_state == SandboxChoices::PrecedingState::any;
  }

  /// Takes it off the open ones, if no more is expected to happen to it, or with `again` can; its slot may then be used
  /// again.
  void close_unless_open(const World& world, std::uint32_t slot, bool again) {
    TransactionRecord& record = records_[slot];
    if (!record.is_open) return;
    for (const TransactionTrigger trigger : {TransactionTrigger::store_set_up, TransactionTrigger::store_not_set_up}) {
      const auto [_, to, row] = world.options.transaction_lifecycle.step(record.state, trigger);
      if (to && (again || row->is_expected())) return;
    }
    record.is_open = false;
    open_[record.place_among_open] = open_.back();
    records_[open_.back()].place_among_open = record.place_among_open;
    open_.pop_back();
    records_.release(slot);
  }

  [[nodiscard]] static std::optional<SandboxError> refusal_of(const Submission& submission) {
    const bool in_field = !submission.store_external_id.has_value();
    if (in_field && (submission.place_id.empty() || submission.store_name.empty()))
      return SandboxError::store_is_incomplete;
    const auto is_utf8 = [](std::string_view text) {
      const char* const end = text.data() + text.size();
      return text::find_invalid_utf8(text.data(), end) == end;
    };
    const bool fine =
        in_field ? is_utf8(submission.place_id) && is_utf8(submission.store_name) : is_utf8(*submission.store_external_id);
    if (!fine) return SandboxError::text_is_not_utf8;
    if (!text::is_writable_date(submission.transaction_date)) return SandboxError::date_has_no_form;
    return std::nullopt;
  }

  /// 2.4: a decimal; how many places it has is not shown.
  [[nodiscard]] static Decimal make_amount(World& world) {
    static constexpr std::uint32_t bounds[] = {1'000, 10'000, 10'000, 100'000, 1'000'000};
    const std::uint32_t cents = world.random.between(100, world.random.pick(bounds));
    if (world.options.choices.amount_form == SandboxChoices::AmountForm::two_places) return Decimal(cents, 2);
    if (cents % 100 == 0) return Decimal(cents / 100);
    return Decimal(cents, 2).reduced();
  }

  /// 2.4: creation time; which of the ISO 8601 forms it has is not shown.
  [[nodiscard]] static Timestamp time_of(const World& world) {
    using namespace std::chrono;
    const SandboxChoices::DateForm form = world.options.choices.date_form;
    const minutes offset(form == SandboxChoices::DateForm::offset_milliseconds ? 120 : 0);
    const auto local = world.clock.now() + offset;
    const auto day = floor<days>(local);
    const bool whole = form == SandboxChoices::DateForm::utc_seconds;
    const auto time = whole ? nanoseconds(floor<seconds>(local - day)) : nanoseconds(local - day);
    return Timestamp::make(day, time, whole ? 0 : 3, offset,
                           offset.count() == 0 ? OffsetForm::z : OffsetForm::hours_colon_minutes)
        .value_or(Timestamp());
  }

  [[nodiscard]] static Event emit(World& world, const TransactionRecord& record) {
    const TransactionStatus state = *record.state;
    Event event{.event_type = state, .customer = world.members[record.member].customer()};
    InitialTransaction& said = event.initial_transaction;
    said.id = record.id.view();
    said.amount = record.amount;
    if (record.has_client_store) {
      said.store_external_id = record.store_external_id;
    } else {
      said.place_id = record.place_id;
      said.store_name = record.store_name;
    }
    said.status = state;
    if (world.options.choices.status_in_event == SandboxChoices::StatusInEvent::sometimes_differs &&
        world.random.one_in(10))
      said.status = static_cast<TransactionStatus>((static_cast<std::uint32_t>(state) + world.random.between(1, 2)) %
                                                   enumerator_count<TransactionStatus>);
    if (state == TransactionStatus::rejected) said.rejection_reason = record.reason;
    said.transaction_date = record.transaction_date;
    if (record.is_matched) said.transaction_id = record.match.view();
    said.date = record.date;
    return event;
  }

  Pool<TransactionRecord> records_;
  std::vector<std::uint32_t> open_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
