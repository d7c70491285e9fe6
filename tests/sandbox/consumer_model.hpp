// SPDX-License-Identifier: MIT
// An oracle: what any consumer can notice of lost, late and repeated deliveries, without keeping what an event contains.
#pragma once

#include <sandbox/subject.hpp>

#include <bankhook/events/rules/rules.hpp>
#include <bankhook/sandbox/delivery.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace bankhook::test {

/// What a payload does to a consumer that keeps what events contain.
enum class Effect : std::uint8_t {
  none,     ///< it contains what the original contains
  altered,  ///< it is an event that contains something else
  ignored,  ///< it is not one of the listed events
};

/// It knows the subject of each event and never looks inside one. A prediction must hold for every consumer: where damaged
/// payloads may have contained something else, nothing is predicted.
class ConsumerModel {
 public:
  /// The event `number` was made.
  void made(const Subject& subject, std::uint64_t number) {
    now_ = number;
    if (subject.role == Role::first) entries_[key(subject)] = {.begun = number};
    if (subject.role == Role::last) entry(subject).is_over = true;
  }

  /// The event `number` did not reach the consumer, or not yet, or was ignored: what follows may come without a first
  /// event.
  void missed(const Subject& subject, std::uint64_t number) {
    if (subject.role == Role::first && !entry(subject).is_known) entry(subject).missing = number;
  }

  /// The event was delivered in its place. The number of a first event that is missed now, if there is one.
  std::optional<std::uint64_t> delivered(const Subject& subject, std::uint64_t number, Effect effect) {
    Entry& known = entry(subject);
    const bool is_missed =
        effect == Effect::none && may_trust(known, subject) && !known.is_known && subject.role != Role::first;
    const auto missing = is_missed ? known.missing : std::nullopt;
    take(known, subject, number, effect);
    return missing;
  }

  /// The event is delivered again.
  DetectedBy repeated(const Subject& subject, std::uint64_t number) {
    Entry& known = entry(subject);
    const Member& member = members_[subject.member];
    const bool is_newest = known.last == number && (!subject.is_connection || member.last == number);
    const bool is_sure = known.is_trusted && known.taken > member.altered;
    if (is_newest) return is_sure ? DetectedBy::repeat : DetectedBy::nothing;
    return came_late(known, subject);
  }

  /// The event is delivered after later ones.
  DetectedBy late(const Subject& subject, std::uint64_t number) {
    Entry& known = entry(subject);
    const DetectedBy noticed = came_late(known, subject);
    if (!known.is_known) take(known, subject, number, Effect::none);
    return noticed;
  }

 private:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  struct Entry {
    std::uint64_t begun = 0;
    std::uint64_t last = never;  ///< the event that was taken last
    std::uint64_t taken = 0;     ///< the step at which that was
    Role last_role = Role::first;
    bool is_known = false;
    bool is_trusted = true;  ///< no damaged payload contained something else about it
    bool is_over = false;    ///< its last event was made, and others may show it: a deleted connection is not listed
    std::optional<std::uint64_t> missing{};  ///< its first event, if that was touched
  };
  /// The bank events of a member list all its connections.
  struct Member {
    std::uint64_t last = never;       ///< the one that was delivered last
    std::uint64_t newest = never;     ///< the newest one that was delivered
    std::uint64_t disturbed = never;  ///< connections begun up to this event may have been shown otherwise
    std::uint64_t altered = 0;        ///< the step at which something else was contained, perhaps of the member itself
  };

  [[nodiscard]] static std::pair<bool, std::string> key(const Subject& subject) {
    return {subject.is_connection, subject.id};
  }
  [[nodiscard]] Entry& entry(const Subject& subject) { return entries_.at(key(subject)); }

  [[nodiscard]] bool may_trust(const Entry& known, const Subject& subject) {
    const std::uint64_t disturbed = members_[subject.member].disturbed;
    return known.is_trusted && (!subject.is_connection || disturbed == never || known.begun > disturbed);
  }
  void take(Entry& known, const Subject& subject, std::uint64_t number, Effect effect) {
    if (effect == Effect::ignored) return;
    known.is_known = true;
    known.is_trusted = known.is_trusted && effect == Effect::none;
    known.last = number;
    known.taken = ++step_;
    known.last_role = subject.role;
    Member& member = members_[subject.member];
    if (effect == Effect::altered) member.altered = step_;
    if (!subject.is_connection) return;
    const bool is_in_order = member.newest == never || number > member.newest;
    if (effect == Effect::altered || !is_in_order) member.disturbed = now_;
    if (is_in_order) member.newest = number;
    member.last = number;
  }

  /// 3.1: only the first submission creates; 6.2, rule 3: create, then update. What follows a deletion is not shown.
  DetectedBy came_late(Entry& known, const Subject& subject) {
    const bool is_first_again = subject.role == Role::first && known.is_known && may_trust(known, subject);
    const bool is_after_an_update = known.last_role == Role::later && !known.is_over;
    known.last = never;
    if (subject.is_connection) {
      members_[subject.member].disturbed = now_;
      members_[subject.member].last = never;
    }
    const bool is_excluded = is_first_again && (!subject.is_connection || is_after_an_update);
    return is_excluded ? DetectedBy::lifecycle : DetectedBy::nothing;
  }

  std::map<std::pair<bool, std::string>, Entry> entries_;
  std::map<std::string, Member> members_;
  std::uint64_t now_ = 0;   ///< the event that was made last
  std::uint64_t step_ = 0;  ///< how many deliveries were taken
};

}  // namespace bankhook::test
