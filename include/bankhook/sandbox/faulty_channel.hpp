// SPDX-License-Identifier: MIT
// The way between the service and the consumer: events become bytes, some are touched, and what that shows is noted.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/enumerators.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/sandbox/delivery.hpp>
#include <bankhook/sandbox/options.hpp>
#include <bankhook/sandbox/service.hpp>
#include <bankhook/sandbox/world.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace sandbox {

/// What a tracker's outcome shows. What is merely assumed is the ordinary way of an event, and shows nothing.
[[nodiscard]] inline Detectable noticed(const Outcome& outcome) {
  if (outcome.repeat) return {.detected_by = DetectedBy::repeat};
  if (outcome.verdict < Verdict::unspecified) return {};
  const Reason::Row& reason = outcome.reason;
  if (const auto* const rule = std::get_if<const Rule*>(&reason))
    return {.detected_by = DetectedBy::rule, .rule = (*rule)->rule};
  return {.detected_by = std::holds_alternative<std::monostate>(reason) ? DetectedBy::nothing : DetectedBy::lifecycle};
}

/// What `diagnose` reports of a payload: the rule for which `parse` rejects it, else the first one that it breaks. It is
/// asked only if reading or `check` found something: to read a payload takes a tenth of the time.
[[nodiscard]] inline Detectable noticed(std::string_view payload, const bankhook::detail::Parsed& parsed) {
  if (bankhook::detail::is_clean(parsed)) return {};
  const std::vector<Finding> findings = diagnose(payload);
  const auto rejected = std::ranges::find(findings, Severity::error, &Finding::severity);
  return {.detected_by = DetectedBy::rule, .rule = (rejected != findings.end() ? *rejected : findings.front()).rule};
}

/// The bounds of an interval for each fault in [0, 2^32), one after the other: whole numbers decide alike everywhere.
[[nodiscard]] constexpr std::array<std::uint64_t, enumerator_count<FaultKind>> bounds_of(const Faults& faults) {
  const auto& [duplicate, reorder, drop, truncate, mutate, future] = faults;
  std::array sums{duplicate, reorder, (std::min)(drop, .99), truncate, mutate, future};
  for (double sum = 0; double& share : sums) share = sum += share > 0 ? (std::min)(share, 1.0) : 0;
  std::array<std::uint64_t, sums.size()> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i)
    bounds[i] = static_cast<std::uint64_t>(sums[i] / (std::max)(sums.back(), 1.0) * 4'294'967'296.0);
  return bounds;
}

/// The id of the connection or the initial transaction that an event is about.
[[nodiscard]] inline std::string id_of(const AnyEvent& event) {
  return std::visit([](const auto& known) { return std::string(bankhook::detail::id_of(known)); }, event);
}

/// Its random numbers are its own: the events are the same whatever happens to them. It keeps at most `lateness` + 1
/// payloads, and with faults a tracker that gets every delivery, and knows little more than the service.
class FaultyChannel {
 public:
  FaultyChannel(std::uint64_t seed, const SandboxOptions& options)
      : bounds_(bounds_of(options.faults)),
        random_(~seed),
        lateness_(options.lateness),
        tracker_({.connections = options.connection_lifecycle, .transactions = options.transaction_lifecycle}) {}

  /// The next delivery; the service makes the next event if one is needed. Views are valid until the next call.
  Delivery next(Service& service) {
    for (;;) {
      if (const auto due = take_due()) return *due;
      const OutgoingEvent outgoing = service.next();
      clean_.clear();
      std::visit([this](const auto& event) { serialize_to(event, clean_); }, outgoing.event);
      const Delivery delivery{.payload = clean_, .original = clean_, .number = made_++};
      if (bounds_.back() == 0) return delivery;
      if (made_ > next_forgetting_) forget(service);
      if (const auto sent = send(outgoing, delivery)) return *sent;
    }
  }

  /// How many events were made.
  [[nodiscard]] std::uint64_t made() const { return made_; }
  /// What has followed the deliveries, if there are faults.
  [[nodiscard]] const Tracker& tracker() const { return tracker_; }

 private:
  struct Waiting {
    Fault fault;
    std::string payload;
  };

  /// The delivery of a new event, or nothing if it is dropped or held back.
  std::optional<Delivery> send(const OutgoingEvent& outgoing, const Delivery& delivery) {
    const std::uint64_t drawn = random_.next() >> 32;
    const auto kind = static_cast<FaultKind>(std::upper_bound(bounds_.begin(), bounds_.end(), drawn) - bounds_.begin());
    const bool is_touched = drawn < bounds_.back() && !(kind == FaultKind::reorder && lateness_ == 0);
    if (!is_touched) return in_place(outgoing.event, delivery);
    Fault fault{.kind = kind, .number = delivery.number};
    touched_ = clean_;
    switch (kind) {
      case FaultKind::duplicate:
        fault.what = "again";
        fault.late_by = random_.one_in(2) ? 0 : random_.below(lateness_ + 1);
        break;
      case FaultKind::reorder:
        fault.what = "late";
        fault.late_by = random_.between(1, lateness_);
        break;
      case FaultKind::drop: fault.what = "dropped"; break;
      case FaultKind::truncate: truncate(random_, touched_, fault); break;
      case FaultKind::mutate: mutate(random_, touched_, fault); break;
      case FaultKind::future: from_future(outgoing.event, random_, touched_, fault); break;
    }
    const bool waits = kind == FaultKind::duplicate || kind == FaultKind::reorder;
    if (waits) waiting_.emplace_back(fault, clean_);
    if (kind == FaultKind::duplicate) return in_place(outgoing.event, delivery);
    if (outgoing.is_first) missing_.insert_or_assign(id_of(outgoing.event), fault);
    if (waits || kind == FaultKind::drop) return std::nullopt;
    Arena arena;
    const bankhook::detail::Parsed parsed = bankhook::detail::parse_and_note(touched_, arena);
    if (parsed) tracker_.apply(*parsed.event);
    fault.detectable = noticed(touched_, parsed);
    return Delivery{.payload = touched_, .original = clean_, .number = delivery.number, .fault = fault};
  }

  /// The delivery as it was meant. An earlier fault shows here if the consumer misses a first event that was touched.
  Delivery in_place(const AnyEvent& event, Delivery delivery) {
    const Outcome outcome = tracker_.apply(event);
    const bool misses_first = std::any_of(outcome.changes.begin(), outcome.changes.end(),
                                          [](const Change& change) { return change.first_event_missing; });
    if (!misses_first) return delivery;
    const auto missing = missing_.find(id_of(event));
    if (missing == missing_.end()) return delivery;
    delivery.fault = missing->second;
    delivery.fault->detectable = noticed(outcome);
    return delivery;
  }

  /// The waiting delivery that is due, the oldest event first.
  std::optional<Delivery> take_due() {
    const auto due = std::find_if(waiting_.begin(), waiting_.end(),
                                  [this](const Waiting& one) { return one.fault.number + one.fault.late_by < made_; });
    if (due == waiting_.end()) return std::nullopt;
    late_ = std::move(due->payload);
    Fault fault = due->fault;
    waiting_.erase(due);
    Arena arena;
    if (const auto event = parse(late_, arena)) fault.detectable = noticed(tracker_.apply(*event));
    return Delivery{.payload = late_, .original = late_, .number = fault.number, .fault = fault};
  }

  /// What later deliveries can be about stays: what the service has, and what waits. Connections that are listed are kept
  /// in any case, because a list without them unlists them.
  struct StillNeeded {
    const Service& service;
    std::set<std::string, std::less<>> waiting{};

    [[nodiscard]] bool member(std::string_view id) const { return service.world.members.find(id).has_value(); }
    [[nodiscard]] bool connection(std::string_view id, std::string_view of, bool is_gone) const {
      return (!is_gone && member(of)) || service.world.connections.find(id) || waiting.contains(id);
    }
    [[nodiscard]] bool transaction(std::string_view id) const {
      return service.world.transactions.find(id) || waiting.contains(id);
    }
  };

  /// Keeps memory flat. Each event adds little, so that as many may come as there is to look at.
  void forget(const Service& service) {
    Arena arena;
    StillNeeded needed{service};
    for (const Waiting& one : waiting_) {
      const AnyEvent event = *parse(one.payload, arena);
      needed.waiting.insert(id_of(event));
      if (const auto* const bank = std::get_if<BankConnectionsUpdateV2>(&event))
        for (const Connection& listed : bank->customer.connections) needed.waiting.emplace(listed.id);
    }
    tracker_.forget_unwanted(needed);
    std::erase_if(missing_, [&](const auto& entry) {
      return !service.world.connections.find(entry.first) && !needed.transaction(entry.first);
    });
    next_forgetting_ = made_ + tracker_.connection_count() + tracker_.transaction_count() + 1'000;
  }

  std::array<std::uint64_t, enumerator_count<FaultKind>> bounds_;
  Random random_;
  std::uint32_t lateness_;
  Tracker tracker_;
  std::unordered_map<std::string, Fault> missing_{};  ///< of first events that were touched
  std::uint64_t made_ = 0;
  std::uint64_t next_forgetting_ = 1'000;
  std::string clean_{};
  std::string touched_{};
  std::string late_{};
  std::vector<Waiting> waiting_{};  ///< in the order of their events
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::sandbox
