// SPDX-License-Identifier: MIT
// Sandbox: the service's part, seeded and deterministic, so that a consumer can be tried without the service.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/sandbox/choices.hpp>
#include <bankhook/sandbox/delivery.hpp>
#include <bankhook/sandbox/faulty_channel.hpp>
#include <bankhook/sandbox/options.hpp>
#include <bankhook/sandbox/sandbox_error.hpp>
#include <bankhook/sandbox/service.hpp>
#include <bankhook/sandbox/submission.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI {

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
/// on on its own. Not for use by two threads at once. Memory is bounded by the options, however long a history is.
class Sandbox {
 public:
  using ConnectionEvent = std::expected<BankConnectionsUpdateV2, SandboxError>;
  using TransactionEvent = std::expected<InitialTransactionUpdate, SandboxError>;

  /// What the specification leaves open, as data: name, section, question, answers, default.
  static constexpr const auto& choices = sandbox::choices;

  explicit Sandbox(std::uint64_t seed = 0, const SandboxOptions& options = {})
      : service_(seed, options), channel_(seed, service_.world().options) {}

  /// The options as they are used.
  [[nodiscard]] const SandboxOptions& options() const { return service_.world().options; }

  /// How many members there are; their number never changes.
  [[nodiscard]] std::size_t member_count() const { return service_.world().members.size(); }
  /// Member `index`, less than `member_count()`. 2.1.
  [[nodiscard]] Customer member(std::size_t index) const BANKHOOK_LIFETIMEBOUND {
    return service_.world().members[index].customer();
  }

  /// 6.2: a connection of the member (by its id) is created. Refused: no such member.
  [[nodiscard]] ConnectionEvent create_connection(std::string_view member) BANKHOOK_LIFETIMEBOUND {
    return of_member(member, [&](std::uint32_t slot) -> ConnectionEvent {
      return service_.connections().create(service_.world(), slot);
    });
  }
  /// 6.2: accounts are created for the connection (by its id), then updated; the connection is desynchronised,
  /// resynchronised, deleted or disabled. Refused where the connection is not there or not ready for it.
  [[nodiscard]] ConnectionEvent create_accounts(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return of_connection(&sandbox::Connections::create_accounts, connection);
  }
  [[nodiscard]] ConnectionEvent update_accounts(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return of_connection(&sandbox::Connections::update_accounts, connection);
  }
  [[nodiscard]] ConnectionEvent desynchronise(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return of_connection(&sandbox::Connections::desynchronise, connection);
  }
  [[nodiscard]] ConnectionEvent resynchronise(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return of_connection(&sandbox::Connections::resynchronise, connection);
  }
  [[nodiscard]] ConnectionEvent delete_connection(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return of_connection(&sandbox::Connections::remove, connection);
  }
  [[nodiscard]] ConnectionEvent disable(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return of_connection(&sandbox::Connections::disable, connection);
  }
  /// A disabled connection comes back. Refused unless the choice `disabled_connection_returns` allows it.
  [[nodiscard]] ConnectionEvent enable(std::string_view connection) BANKHOOK_LIFETIMEBOUND {
    return of_connection(&sandbox::Connections::enable, connection);
  }

  /// 3.1: "Send an initial transaction", first submission, with a purchase that the sandbox makes up.
  [[nodiscard]] TransactionEvent send_initial_transaction(std::string_view member) BANKHOOK_LIFETIMEBOUND {
    return of_member(member, [&](std::uint32_t slot) -> TransactionEvent {
      return service_.transactions().submit(service_.world(), slot);
    });
  }
  /// The same with a purchase of the caller's. Refused: no such member, an incomplete store, a text that is not UTF-8.
  [[nodiscard]] TransactionEvent send_initial_transaction(std::string_view member,
                                                          const Submission& submission) BANKHOOK_LIFETIMEBOUND {
    return of_member(member, [&](std::uint32_t slot) -> TransactionEvent {
      return service_.transactions().submit(service_.world(), slot, submission);
    });
  }
  /// 3.1: the store is properly set up; transactionId is set if `matched` (automatically). Refused: processed before.
  [[nodiscard]] TransactionEvent validate(std::string_view transaction, bool matched = true) BANKHOOK_LIFETIMEBOUND {
    return of_transaction(
        transaction, [&](std::uint32_t slot) { return service_.transactions().validate(service_.world(), slot, matched); });
  }
  /// 3.1: the service cannot set up the store. Refused: processed before.
  [[nodiscard]] TransactionEvent reject(std::string_view transaction, RejectionReason reason) BANKHOOK_LIFETIMEBOUND {
    return of_transaction(
        transaction, [&](std::uint32_t slot) { return service_.transactions().reject(service_.world(), slot, reason); });
  }

  /// The next delivery of an endless history.
  template <class = void>
  [[nodiscard]] Delivery next() BANKHOOK_LIFETIMEBOUND {
    return channel_.next(service_);
  }
  /// The next `count` deliveries as a range that is walked once; each is made when it is looked at.
  [[nodiscard]] sandbox::Deliveries<Sandbox> deliveries(std::uint64_t count = std::numeric_limits<std::uint64_t>::max()) &
      BANKHOOK_LIFETIMEBOUND {
    return {*this, count};
  }
  /// In `for (... : Sandbox(1).deliveries(9))` the sandbox would be gone before the first delivery.
  sandbox::Deliveries<Sandbox> deliveries(std::uint64_t count = 0) && = delete;
  /// How many events the histories have made; dropped ones count.
  [[nodiscard]] std::uint64_t event_count() const { return channel_.made(); }

 private:
  /// Time passes with each operation, but not with one that is refused.
  template <class Operation>
  auto operate(Operation&& operation) -> decltype(operation()) {
    sandbox::World& world = service_.world();
    const sandbox::Clock clock = world.clock;
    const sandbox::Random random = world.random;
    world.clock.advance(world.random);
    auto result = operation();
    if (!result) {
      world.clock = clock;
      world.random = random;
    }
    return result;
  }

  template <class Operation>
  auto of_member(std::string_view id, Operation&& operation) -> decltype(operation(0U)) {
    const auto handle = service_.world().ids.handle_of(sandbox::Kind::member, id);
    if (!handle || handle->slot >= member_count() || handle->generation != 0)
      return std::unexpected(SandboxError::no_such_member);
    return operate([&] { return operation(handle->slot); });
  }

  ConnectionEvent of_connection(ConnectionEvent (sandbox::Connections::*operation)(sandbox::World&, std::uint32_t),
                                std::string_view id) {
    sandbox::Connections& connections = service_.connections();
    const auto handle = service_.world().ids.handle_of(sandbox::Kind::connection, id);
    if (!handle || !connections.records().made(*handle)) return std::unexpected(SandboxError::no_such_connection);
    if (connections.records().forgotten(*handle)) return std::unexpected(SandboxError::connection_is_gone);
    return operate([&] { return (connections.*operation)(service_.world(), handle->slot); });
  }

  template <class Operation>
  TransactionEvent of_transaction(std::string_view id, Operation&& operation) {
    const auto& records = service_.transactions().records();
    const auto handle = service_.world().ids.handle_of(sandbox::Kind::transaction, id);
    if (!handle || !records.made(*handle)) return std::unexpected(SandboxError::no_such_transaction);
    if (records.forgotten(*handle)) return std::unexpected(SandboxError::transaction_is_forgotten);
    return operate([&] { return operation(handle->slot); });
  }

  sandbox::Service service_;
  sandbox::FaultyChannel channel_;
};

}  // namespace bankhook::inline BANKHOOK_ABI
