// SPDX-License-Identifier: MIT
// The way between the service and the consumer: events become bytes, and some of them are touched on the way.
#pragma once

#include <bankhook/events/serialize.hpp>
#include <bankhook/sandbox/delivery.hpp>
#include <bankhook/sandbox/fault_distribution.hpp>
#include <bankhook/sandbox/knowledge.hpp>
#include <bankhook/sandbox/mutation.hpp>
#include <bankhook/sandbox/outgoing_event.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::sandbox {

/// Its random numbers are its own: the events are the same whatever happens to them. Holds at most `lateness` + 1 payloads.
class FaultyChannel {
 public:
  FaultyChannel(std::uint64_t seed, const SandboxOptions& options)
      : distribution_(options.faults),
        random_(~seed),
        lateness_(options.lateness),
        knowledge_(distribution_.none() ? 0 : options.members, options.lateness) {}

  /// The next delivery; `make` gives the next event where one is needed. Views are valid until the next call.
  template <class Make>
  Delivery next(Make&& make) {
    for (;;) {
      if (const auto held = take_due()) return *held;
      const OutgoingEvent outgoing = make();
      const std::uint64_t number = made_++;
      clean_.clear();
      std::visit([this](const auto& event) { serialize_to(event, clean_); }, outgoing.event);
      if (distribution_.none()) return {.payload = clean_, .original = clean_, .number = number};
      knowledge_.made(outgoing.subject, number);
      if (const auto delivery = send(outgoing, number)) return *delivery;
    }
  }

  /// An operation was called on what the member has.
  void changed_by_call(std::uint32_t member) {
    if (!distribution_.none()) knowledge_.changed_by_call(member);
  }

  /// How many events were made.
  [[nodiscard]] std::uint64_t made() const { return made_; }

 private:
  struct Held {
    bool waits = false;
    std::uint64_t due = 0;  ///< delivered once this event was made
    Subject subject;
    Fault fault;
    std::string payload;
  };

  /// The delivery of a new event, or nothing if it is dropped or held back.
  std::optional<Delivery> send(const OutgoingEvent& outgoing, std::uint64_t number) {
    const Delivery delivery{.payload = clean_, .original = clean_, .number = number};
    const auto kind = distribution_.draw(random_);
    if (!kind || (*kind == FaultKind::reorder && lateness_ == 0)) return in_place(outgoing, delivery);
    Fault fault{.kind = *kind, .number = number};
    switch (*kind) {
      case FaultKind::duplicate:
        fault.what = "again";
        fault.late_by = random_.one_in(2) ? 0 : random_.below(lateness_ + 1);
        hold(outgoing.subject, fault);
        return in_place(outgoing, delivery);
      case FaultKind::reorder:
        fault.what = "late";
        fault.late_by = random_.between(1, lateness_);
        hold(outgoing.subject, fault);
        knowledge_.missed(outgoing.subject, fault);
        return std::nullopt;
      case FaultKind::drop:
        fault.what = "dropped";
        knowledge_.missed(outgoing.subject, fault);
        return std::nullopt;
      default: return touched(outgoing, delivery, fault);
    }
  }

  Delivery in_place(const OutgoingEvent& outgoing, Delivery delivery) {
    delivery.fault = knowledge_.delivered(outgoing.subject, delivery.number, Effect::none);
    return delivery;
  }

  /// The delivery with its bytes changed.
  Delivery touched(const OutgoingEvent& outgoing, Delivery delivery, Fault fault) {
    touched_ = clean_;
    const Mutation mutation = fault.kind == FaultKind::truncate ? truncate(random_, touched_)
                              : fault.kind == FaultKind::mutate ? mutate(outgoing, random_, touched_)
                                                                : from_future(outgoing, random_, touched_);
    fault.what = mutation.what;
    fault.offset = mutation.offset;
    fault.field = mutation.field;
    fault.detectable = mutation.detectable;
    if (mutation.effect == Effect::ignored) knowledge_.missed(outgoing.subject, fault);
    else static_cast<void>(knowledge_.delivered(outgoing.subject, delivery.number, mutation.effect));
    delivery.payload = touched_;
    delivery.fault = fault;
    return delivery;
  }

  /// Keeps the clean payload until as many more events were made as `fault` says.
  void hold(const Subject& subject, const Fault& fault) {
    auto free = std::ranges::find(held_, false, &Held::waits);
    if (free == held_.end()) free = held_.emplace(free);
    free->waits = true;
    free->due = fault.number + fault.late_by;
    free->subject = subject;
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
    const std::uint64_t number = next->fault.number;
    const bool again = next->fault.kind == FaultKind::duplicate;
    next->fault.detectable = again ? knowledge_.repeated(next->subject, number) : knowledge_.late(next->subject, number);
    return Delivery{.payload = next->payload, .original = next->payload, .number = number, .fault = next->fault};
  }

  FaultDistribution distribution_;
  Random random_;
  std::uint32_t lateness_;
  Knowledge knowledge_;
  std::uint64_t made_ = 0;
  std::string clean_;
  std::string touched_;
  std::vector<Held> held_;
};

}  // namespace bankhook::sandbox
