// SPDX-License-Identifier: MIT
// What a consumer can know by the deliveries it got: decides what the specification lets it notice at the next one.
#pragma once

#include <bankhook/events/rules/rules.hpp>
#include <bankhook/sandbox/fault.hpp>
#include <bankhook/sandbox/outgoing_event.hpp>
#include <bankhook/sandbox/replaced_byte.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bankhook::sandbox {

/// A promise of `Detectable` must hold for every consumer, so where touched payloads may have told it something else,
/// nothing is promised. Memory: one entry a connection or transaction that lives or may still be delivered late.
class Knowledge {
 public:
  Knowledge(std::uint32_t members, std::uint64_t lateness) : members_(members), lateness_(lateness) {}

  /// The event `number` was made. Its connection or transaction is followed from now on; where this is not its first event,
  /// others came about by operations as calls, which nobody delivered, and nothing is promised of it.
  void made(const Subject& subject, std::uint64_t number) {
    now_ = number;
    if (subject.role == Role::first) {
      forget_ended_by_call(subject);
      subjects_[key(subject)] = {.begun = number};
    }
    Entry& entry = subjects_.try_emplace(key(subject), Entry{.begun = number, .trusted = false}).first->second;
    if (subject.role == Role::last) {
      entry.over = true;
      over_.emplace_back(number, key(subject));
    }
    for (; !over_.empty() && over_.front().first + 2 * lateness_ + 2 < number; over_.pop_front())
      subjects_.erase(over_.front().second);
  }

  /// An operation was called on what the member has: no event of it is delivered, and all that follows may tell of it.
  void changed_by_call(std::uint32_t member) {
    members_[member].disturbed = now_;
    members_[member].last = never;
    members_[member].altered = ++step_;
  }

  /// The event did not reach the consumer, or not yet, or said nothing: what follows may come without a first event.
  void missed(const Subject& subject, const Fault& fault) {
    Entry* const entry = find(subject);
    if (entry != nullptr && subject.role == Role::first && !entry->known) entry->missing = fault;
  }

  /// The event was delivered in its place. The label of an earlier fault that shows now, if there is one.
  std::optional<Fault> delivered(const Subject& subject, std::uint64_t number, Effect effect) {
    Entry* const entry = find(subject);
    std::optional<Fault> shows;
    if (entry == nullptr) return shows;
    if (effect == Effect::none && may_trust(*entry, subject) && !entry->known && subject.role != Role::first &&
        entry->missing && !is_listed(*entry, subject)) {
      shows = entry->missing;
      shows->detectable = breaks(subject.is_connection ? RuleId::create_comes_first : RuleId::created_comes_first);
    }
    take(*entry, subject, number, effect);
    return shows;
  }

  /// The event is delivered again.
  Detectable repeated(const Subject& subject, std::uint64_t number) {
    Entry* const entry = find(subject);
    if (entry == nullptr) return {};
    const Member& member = members_[subject.member];
    const bool newest = entry->last == number && (!subject.is_connection || member.last == number);
    const bool sure = entry->trusted && entry->taken > member.altered;
    if (newest) return {.detected_by = sure ? DetectedBy::repeat : DetectedBy::nothing};
    return came_late(*entry, subject);
  }

  /// The event is delivered after later ones.
  Detectable late(const Subject& subject, std::uint64_t number) {
    Entry* const entry = find(subject);
    if (entry == nullptr) return {};
    const Detectable detectable = came_late(*entry, subject);
    if (!entry->known) take(*entry, subject, number, Effect::none);
    return detectable;
  }

  /// How many connections and transactions are followed.
  [[nodiscard]] std::size_t followed() const { return subjects_.size(); }

 private:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  struct Entry {
    std::uint64_t begun = 0;
    std::uint64_t last = never;  ///< the event that was taken last
    std::uint64_t taken = 0;     ///< the step at which that was
    Role last_role = Role::first;
    bool known = false;
    bool trusted = true;  ///< no touched payload told something else about it
    bool over = false;    ///< its last event was made, and perhaps told by others: a deleted connection is listed no more
    std::optional<Fault> missing{};  ///< what happened to its first event
  };
  /// The bank events of a member tell of all its connections.
  struct Member {
    std::uint64_t last = never;       ///< the one that was delivered last
    std::uint64_t newest = never;     ///< the newest one that was delivered
    std::uint64_t disturbed = never;  ///< connections begun up to this event may have been told otherwise
    std::uint64_t altered = 0;        ///< the step at which something else was told, perhaps of the member itself
  };

  [[nodiscard]] static std::uint64_t key(const Subject& subject) {
    return subject.handle.number() << 1 | std::uint64_t{subject.is_connection};  // generations stay below 2^31
  }
  [[nodiscard]] Entry* find(const Subject& subject) {
    const auto found = subjects_.find(key(subject));
    return found == subjects_.end() ? nullptr : &found->second;
  }

  [[nodiscard]] bool may_trust(const Entry& entry, const Subject& subject) const {
    const std::uint64_t disturbed = members_[subject.member].disturbed;
    return entry.trusted && (!subject.is_connection || disturbed == never || entry.begun > disturbed);
  }

  /// A slot whose record was ended by an operation as a call is taken again without that a last event was made.
  void forget_ended_by_call(const Subject& subject) {
    if (subject.handle.generation == 0) return;
    Subject before = subject;
    --before.handle.generation;
    const Entry* const entry = find(before);
    if (entry != nullptr && !entry->over) subjects_.erase(key(before));
  }

  /// Whether an event of another connection of the member told of this one.
  [[nodiscard]] bool is_listed(const Entry& entry, const Subject& subject) const {
    const std::uint64_t newest = members_[subject.member].newest;
    return subject.is_connection && newest != never && newest >= entry.begun;
  }

  void take(Entry& entry, const Subject& subject, std::uint64_t number, Effect effect) {
    if (effect == Effect::ignored) return;
    entry.known = true;
    entry.trusted = entry.trusted && effect == Effect::none;
    entry.last = number;
    entry.taken = ++step_;
    entry.last_role = subject.role;
    Member& member = members_[subject.member];
    if (effect == Effect::altered) member.altered = step_;
    if (!subject.is_connection) return;
    const bool in_order = member.newest == never || number > member.newest;
    if (effect == Effect::altered || !in_order) member.disturbed = now_;
    if (in_order) member.newest = number;
    member.last = number;
  }

  /// 3.1: only the first submission creates; 6.2, rule 3: create, then update. What follows a deletion is not shown.
  Detectable came_late(Entry& entry, const Subject& subject) {
    const bool first_again = subject.role == Role::first && entry.known && may_trust(entry, subject);
    const bool contradicts = first_again && (!subject.is_connection || (entry.last_role == Role::later && !entry.over));
    entry.last = never;
    if (subject.is_connection) {
      members_[subject.member].disturbed = now_;
      members_[subject.member].last = never;
    }
    return {.detected_by = contradicts ? DetectedBy::lifecycle : DetectedBy::nothing};
  }

  std::unordered_map<std::uint64_t, Entry> subjects_;
  std::deque<std::pair<std::uint64_t, std::uint64_t>> over_;
  std::vector<Member> members_;
  std::uint64_t lateness_;
  std::uint64_t now_ = 0;   ///< the event that was made last
  std::uint64_t step_ = 0;  ///< how many deliveries were taken
};

}  // namespace bankhook::sandbox
