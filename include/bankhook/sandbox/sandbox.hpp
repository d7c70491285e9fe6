// SPDX-License-Identifier: MIT
// Sandbox: the service's part, seeded and deterministic, so that a consumer can be tried without the service.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/sandbox/delivery.hpp>
#include <bankhook/sandbox/faulty_channel.hpp>
#include <bankhook/sandbox/options.hpp>
#include <bankhook/sandbox/service.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <iterator>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// A model of the service (spec 1 to 3 and 6) that invents whatever it is not given. The same seed, options and
/// calls give the same bytes on every platform and compiler. What the specification leaves open is a choice with a
/// default (`Sandbox::choices`). All names, ids and hashes are synthetic and show it.
///
/// There are two ways to use it, and both go on from the same state: operations as calls, each of which gives the event
/// that the service would send, and whole histories with faults on demand (`next`, `deliveries`), in which the sandbox
/// draws the operations itself. A history does not deliver again what an operation returned.
///
/// Faults change deliveries and never the history: a second sandbox of the same seed, sizes and choices without faults
/// makes the same events: the truth about those of the first. The clock moves with events only, so that a history of
/// n events takes about n times `SandboxOptions::pace`.
///
/// Events and deliveries are views into the sandbox: valid until its next call that is not const. Copyable; a copy goes
/// on on its own; a moved-from one may only be assigned or destroyed. Not for use by two threads at once. Memory is bounded
/// by the options, however long a history is.
class Sandbox {
 public:
  using ConnectionEvent = std::expected<BankConnectionsUpdateV2, SandboxError>;
  using TransactionEvent = std::expected<InitialTransactionUpdate, SandboxError>;

  /// What the specification leaves open, as data: name, section, question, answers, default.
  static constexpr const auto& choices = detail::sandbox::choices;

  /// An input range, walked once: its own iterator, as that of a directory is. Each delivery is valid until the next one.
  /// The sandbox must outlive it and stay in place.
  class Deliveries {
   public:
    using value_type = Delivery;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    Deliveries(Sandbox& sandbox, std::uint64_t count) : sandbox_(&sandbox), left_(count) {}

    [[nodiscard]] Deliveries begin() { return ++*this; }
    [[nodiscard]] std::default_sentinel_t end() const { return {}; }
    const Delivery& operator*() const { return current_; }
    const Delivery* operator->() const { return &current_; }
    Deliveries& operator++() {
      is_over_ = left_ == 0;
      if (is_over_) return *this;
      --left_;
      current_ = sandbox_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return is_over_; }

   private:
    Sandbox* sandbox_;
    std::uint64_t left_;
    Delivery current_{};
    bool is_over_ = false;
  };

  explicit Sandbox(std::uint64_t seed = 0, const SandboxOptions& options = {})
      : service_(seed, options), channel_(seed, service_.world.options) {}

  /// The options as they are used.
  [[nodiscard]] const SandboxOptions& options() const { return service_.world.options; }

  /// How many members there are; their number never changes.
  [[nodiscard]] std::size_t member_count() const { return service_.world.members.size(); }
  /// Member `index`, less than `member_count()`. 2.1.
  [[nodiscard]] Customer member(std::size_t index) const BANKHOOK_LIFETIMEBOUND {
    return service_.world.members[index].customer();
  }

  /// 6.2: a connection of the member (by its id) is created. Refused: no such member.
  [[nodiscard]] ConnectionEvent create_connection(std::string_view member) BANKHOOK_LIFETIMEBOUND {
    return operate(service_.world.members, member, detail::sandbox::create_connection);
  }
  /// 6.2: accounts are created for the connection (by its id), then updated; the connection is desynchronised,
  /// resynchronised, deleted or disabled. Refused where the connection is not there or not ready for it.
  [[nodiscard]] ConnectionEvent create_accounts(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return change(connection, detail::sandbox::Operation::create_accounts);
  }
  [[nodiscard]] ConnectionEvent update_accounts(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return change(connection, detail::sandbox::Operation::update_accounts);
  }
  [[nodiscard]] ConnectionEvent desynchronise(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return change(connection, detail::sandbox::Operation::desynchronise);
  }
  [[nodiscard]] ConnectionEvent resynchronise(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return change(connection, detail::sandbox::Operation::resynchronise);
  }
  [[nodiscard]] ConnectionEvent delete_connection(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return change(connection, detail::sandbox::Operation::remove);
  }
  [[nodiscard]] ConnectionEvent disable(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return change(connection, detail::sandbox::Operation::disable);
  }
  /// A disabled connection comes back. Refused unless the choice `disabled_connection_returns` allows it.
  [[nodiscard]] ConnectionEvent enable(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return change(connection, detail::sandbox::Operation::enable);
  }

  /// 3.1: "Send an initial transaction", first submission, with a purchase that the sandbox makes up.
  [[nodiscard]] TransactionEvent send_initial_transaction(std::string_view member) BANKHOOK_LIFETIMEBOUND {
    return operate(service_.world.members, member, detail::sandbox::submit_made_up);
  }
  /// The same with a purchase of the caller's. Refused: no such member, an incomplete store, a text that is not UTF-8.
  [[nodiscard]] TransactionEvent send_initial_transaction(std::string_view member,
                                                          const Submission& submission) BANKHOOK_LIFETIMEBOUND {
    return operate(service_.world.members, member, detail::sandbox::submit, submission);
  }
  /// 3.1: the store is properly set up; transactionId is set if `matched` (automatically). Refused: processed before.
  [[nodiscard]] TransactionEvent validate(std::string_view transaction, bool matched = true) BANKHOOK_LIFETIMEBOUND {
    return operate(service_.world.transactions, transaction, detail::sandbox::process, std::nullopt, matched);
  }
  /// 3.1: the service cannot set up the store. Refused: processed before.
  [[nodiscard]] TransactionEvent reject(std::string_view transaction, RejectionReason reason) BANKHOOK_LIFETIMEBOUND {
    return operate(service_.world.transactions, transaction, detail::sandbox::process, reason, false);
  }

  /// The next delivery of an endless history.
  [[nodiscard]] Delivery next() BANKHOOK_LIFETIMEBOUND { return channel_.next(service_); }
  /// The next `count` deliveries as a range that is walked once; each is made when it is looked at.
  [[nodiscard]] Deliveries deliveries(std::uint64_t count = (std::numeric_limits<std::uint64_t>::max)()) &
      BANKHOOK_LIFETIMEBOUND {
    return {*this, count};
  }
  /// In `for (... : Sandbox(1).deliveries(9))` the sandbox would be gone before the first delivery.
  detail::keep_it_in_a_variable_because_it_is_gone_before_what_views_it deliveries(std::uint64_t count = 0) &&;
  /// How many events the histories have made; dropped ones count.
  [[nodiscard]] std::uint64_t event_count() const { return channel_.made(); }

 private:
  ConnectionEvent change(std::string_view id, detail::sandbox::Operation operation) {
    return operate(service_.world.connections, id, detail::sandbox::change, operation);
  }

  /// Does it to what has this id. Time passes with each operation, but not with one that is refused.
  template <class Result, class... Arguments>
  Result operate(const auto& records, std::string_view id,
                 Result (*operation)(detail::sandbox::World&, std::size_t, Arguments...),
                 std::type_identity_t<Arguments>... arguments) {
    const auto slot = records.find(id);
    if (!slot) return std::unexpected(slot.error());
    detail::sandbox::World& world = service_.world;
    const auto before = std::pair(world.now, world.random);
    world.pass();
    Result result = operation(world, *slot, arguments...);
    if (!result) std::tie(world.now, world.random) = before;
    return result;
  }

  detail::sandbox::Service service_;
  detail::sandbox::FaultyChannel channel_;
};

}}  // namespace bankhook::BANKHOOK_ABI
