// SPDX-License-Identifier: MIT
// The way between the service and the consumer: events become bytes, and some of them are touched on the way.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/sandbox/consumer.hpp>
#include <bankhook/sandbox/delivery.hpp>
#include <bankhook/sandbox/fault_distribution.hpp>
#include <bankhook/sandbox/mutation.hpp>
#include <bankhook/sandbox/service.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// Its random numbers are its own: the events are the same whatever happens to them. It keeps at most `lateness` + 1
/// payloads, and with faults a consumer that knows little more than the service. A template so that only users of a
/// sandbox compile it.
template <class = void>
class BasicFaultyChannel {
 public:
  BasicFaultyChannel(std::uint64_t seed, const SandboxOptions& options)
      : distribution_(options.faults), random_(~seed), lateness_(options.lateness), consumer_(options) {}

  /// The next delivery; the service makes the next event if one is needed. Views are valid until the next call.
  Delivery next(Service& service) {
    for (;;) {
      if (const auto held = take_due()) return *held;
      const OutgoingEvent outgoing = service.next();
      const std::uint64_t number = made_++;
      clean_.clear();
      std::visit([this](const auto& event) { serialize_to(event, clean_); }, outgoing.event);
      if (distribution_.none()) return {.payload = clean_, .original = clean_, .number = number};
      if (consumer_.is_full()) consumer_.forget_unwanted(StillNeeded(service, held_));
      if (const auto delivery = send(outgoing, number)) return *delivery;
    }
  }

  /// How many events were made.
  [[nodiscard]] std::uint64_t made() const { return made_; }
  /// What has followed the deliveries, if there are faults.
  [[nodiscard]] const Consumer& consumer() const { return consumer_; }

 private:
  struct Held {
    bool waits = false;
    std::uint64_t due = 0;  ///< delivered once this event was made
    Fault fault;
    std::string payload;
  };
  /// What happened to the first event of a connection or transaction.
  struct Missing {
    std::uint32_t generation = 0;
    Fault fault;
  };

  /// What later deliveries can be about: what the service has, and what waits. Connections that are listed are kept in any
  /// case, because a list without them unlists them.
  class StillNeeded {
   public:
    StillNeeded(const Service& service, const std::vector<Held>& held) : service_(service) {
      for (const Held& one : held) {
        if (!one.waits) continue;
        const auto event = parse(one.payload, arena_);
        if (event) std::visit([this](const auto& known) { this->add(known); }, *event);
      }
    }
    [[nodiscard]] bool member(std::string_view id) const { return service_.has_member(id); }
    [[nodiscard]] bool connection(std::string_view id, std::string_view member, bool is_gone) const {
      return (!is_gone && service_.has_member(member)) || service_.has_connection(id) || waiting_.contains(id);
    }
    [[nodiscard]] bool transaction(std::string_view id) const {
      return service_.has_transaction(id) || waiting_.contains(id);
    }

   private:
    void add(const BankConnectionsUpdateV2& event) {
      waiting_.insert(event.connection.id);
      for (const Connection& connection : event.customer.connections) waiting_.insert(connection.id);
    }
    void add(const InitialTransactionUpdate& event) { waiting_.insert(event.initial_transaction.id); }
    void add(const UnknownEvent&) {}

    const Service& service_;
    Arena arena_;
    std::set<std::string_view> waiting_;
  };

  /// The delivery of a new event, or nothing if it is dropped or held back.
  std::optional<Delivery> send(const OutgoingEvent& outgoing, std::uint64_t number) {
    const Delivery delivery{.payload = clean_, .original = clean_, .number = number};
    if (outgoing.subject.role == Role::first) missing_.erase(key(outgoing.subject));
    const auto kind = distribution_.draw(random_);
    if (!kind || (*kind == FaultKind::reorder && lateness_ == 0)) return in_place(outgoing, delivery);
    Fault fault{.kind = *kind, .number = number};
    switch (*kind) {
      case FaultKind::duplicate:
        fault.what = "again";
        fault.late_by = random_.one_in(2) ? 0 : random_.below(lateness_ + 1);
        hold(fault);
        return in_place(outgoing, delivery);
      case FaultKind::reorder:
        fault.what = "late";
        fault.late_by = random_.between(1, lateness_);
        hold(fault);
        note_missing(outgoing.subject, fault);
        return std::nullopt;
      case FaultKind::drop:
        fault.what = "dropped";
        note_missing(outgoing.subject, fault);
        return std::nullopt;
      default: return touched(outgoing, delivery, fault);
    }
  }

  /// The delivery as it was meant. An earlier fault shows here if the consumer misses a first event that was touched.
  Delivery in_place(const OutgoingEvent& outgoing, Delivery delivery) {
    const Detectable seen = consumer_.take(outgoing.event);
    if (!consumer_.misses_first()) return delivery;
    const auto missing = missing_.find(key(outgoing.subject));
    if (missing == missing_.end() || missing->second.generation != outgoing.subject.handle.generation) return delivery;
    delivery.fault = missing->second.fault;
    delivery.fault->detectable = seen;
    return delivery;
  }

  /// The delivery with its bytes changed.
  Delivery touched(const OutgoingEvent& outgoing, Delivery delivery, Fault fault) {
    touched_ = clean_;
    const Mutation mutation = fault.kind == FaultKind::truncate ? truncate(random_, touched_)
                              : fault.kind == FaultKind::mutate ? mutate(outgoing.event, random_, touched_)
                                                                : from_future(outgoing.event, random_, touched_);
    fault.what = mutation.what;
    fault.offset = mutation.offset;
    fault.field = mutation.field;
    note_missing(outgoing.subject, fault);
    fault.detectable = consumer_.take_damaged(touched_);
    delivery.payload = touched_;
    delivery.fault = fault;
    return delivery;
  }

  /// Two subjects share a key if one took the slot of the other.
  [[nodiscard]] static std::uint64_t key(const Subject& subject) {
    return std::uint64_t{subject.handle.slot} << 1 | std::uint64_t{subject.is_connection};
  }
  void note_missing(const Subject& subject, const Fault& fault) {
    if (subject.role == Role::first) missing_[key(subject)] = {subject.handle.generation, fault};
  }

  /// Keeps the clean payload until as many more events were made as `fault` says.
  void hold(const Fault& fault) {
    auto free = std::find_if(held_.begin(), held_.end(), [](const Held& held) { return !held.waits; });
    if (free == held_.end()) free = held_.emplace(free);
    free->waits = true;
    free->due = fault.number + fault.late_by;
    free->fault = fault;
    free->payload = clean_;
  }

  /// The held delivery that is due, the oldest event first.
  std::optional<Delivery> take_due() {
    Held* next = nullptr;
    for (Held& held : held_) {
      if (held.waits && held.due < made_ && (next == nullptr || held.fault.number < next->fault.number)) next = &held;
    }
    if (next == nullptr) return std::nullopt;
    next->waits = false;
    next->fault.detectable = consumer_.take(std::string_view(next->payload));
    return Delivery{
        .payload = next->payload, .original = next->payload, .number = next->fault.number, .fault = next->fault};
  }

  FaultDistribution distribution_;
  Random random_;
  std::uint32_t lateness_;
  Consumer consumer_;
  std::unordered_map<std::uint64_t, Missing> missing_;  ///< of first events that were touched
  std::uint64_t made_ = 0;
  std::string clean_;
  std::string touched_;
  std::vector<Held> held_;
};
using FaultyChannel = BasicFaultyChannel<>;

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
