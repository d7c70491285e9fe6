// SPDX-License-Identifier: MIT
// What is stored of one member: its ids and counts, its connections and its transactions, found by their ids.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/reflect/owned.hpp>
#include <bankhook/tracking/digest.hpp>
#include <bankhook/tracking/encoded.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking {

struct MemberRecord {
  Customer customer{};
  nullable<Membership> membership{};
  /// The connection whose event was the last one to be applied with everything that it said.
  nullable<std::string_view> last_connection{};
};
struct ConnectionRecord {
  Connection connection{};
  nullable<OpenEnum<ConnectionEventType>> event_type{};  ///< of its last accepted event; null: none of its own has come
  nullable<OpenEnum<ConnectionState>> state{};
  std::string_view seen{};  ///< digests of its last accepted events

  /// Where its next step starts. One that has had no event of its own is known from lists alone, whatever they said last.
  [[nodiscard]] std::optional<ConnectionState> place() const {
    if (!event_type) return ConnectionState::listed;
    return state ? state->known() : std::nullopt;
  }
  /// Whether it is one of the member's connections now.
  [[nodiscard]] bool is_live() const { return state != ConnectionState::deleted && state != ConnectionState::unlisted; }
};
struct TransactionRecord {
  InitialTransaction initial_transaction{};
  nullable<OpenEnum<TransactionStatus>> state{};
  std::string_view seen{};
};

[[nodiscard]] inline std::string_view id_of(const Owned<ConnectionRecord>& one) { return one->connection.id; }
[[nodiscard]] inline std::string_view id_of(const Encoded<TransactionRecord>& one) { return one.first_text(); }

/// A set of records, each found by its id. A record is replaced in its place, by one with the same id.
template <class Stored>
class Records {
  struct Entry {
    mutable Stored stored;
  };
  struct Hash : IdHash {
    using IdHash::operator();
    std::size_t operator()(const Entry& entry) const { return (*this)(id_of(entry.stored)); }
  };
  struct Equal {
    using is_transparent = void;
    static std::string_view id(const Entry& entry) { return id_of(entry.stored); }
    static std::string_view id(std::string_view id) { return id; }
    template <class Left, class Right>
    bool operator()(const Left& left, const Right& right) const {
      return id(left) == id(right);
    }
  };

 public:
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

  /// The record with this id, or nullptr.
  [[nodiscard]] const Stored* find(std::string_view id) const {
    const auto found = entries_.find(id);
    return found == entries_.end() ? nullptr : &found->stored;
  }
  void put(Stored stored) {
    if (const auto found = entries_.find(id_of(stored)); found != entries_.end()) found->stored = std::move(stored);
    else entries_.insert(Entry{std::move(stored)});
  }
  void remove(std::string_view id) {
    if (const auto found = entries_.find(id); found != entries_.end()) entries_.erase(found);
  }
  template <class Predicate>
  void remove_if(Predicate predicate) {
    std::erase_if(entries_, [&](const Entry& entry) { return predicate(*entry.stored); });
  }
  /// Calls `f` with each record, in no order.
  template <class F>
  void for_each(F f) const {
    for (const Entry& entry : entries_) f(*entry.stored);
  }
  /// All records, in the order of their ids.
  [[nodiscard]] std::vector<const Stored*> in_order() const {
    std::vector<const Stored*> all;
    all.reserve(size());
    for (const Entry& entry : entries_) all.push_back(&entry.stored);
    std::sort(all.begin(), all.end(), [](const Stored* a, const Stored* b) { return id_of(*a) < id_of(*b); });
    return all;
  }
  /// Bytes that it has allocated, about. Looks at each record.
  [[nodiscard]] std::size_t memory() const {
    std::size_t bytes = entries_.bucket_count() * sizeof(void*);
    for (const Entry& entry : entries_) bytes += sizeof(Entry) + 4 * sizeof(void*) + entry.stored.size();
    return bytes;
  }

 private:
  std::unordered_set<Entry, Hash, Equal> entries_;
};

/// Plain data. Live connections and the others are apart: a long history has many of the others, and no event walks them.
/// Transactions are most of what a tracker has, and have no arrays: encoded, they take a third of the bytes.
struct Member {
  Owned<MemberRecord> record{MemberRecord{}};
  Records<Owned<ConnectionRecord>> live{};
  Records<Owned<ConnectionRecord>> gone{};
  Records<Encoded<TransactionRecord>> transactions{};

  [[nodiscard]] const Owned<ConnectionRecord>* find_connection(std::string_view id) const {
    const auto* const found = live.find(id);
    return found != nullptr ? found : gone.find(id);
  }
  void put(const ConnectionRecord& one) {
    Owned<ConnectionRecord> stored(one);
    (one.is_live() ? gone : live).remove(id_of(stored));
    (one.is_live() ? live : gone).put(std::move(stored));
  }
  /// Its connections in the order of their ids, those that are deleted or unlisted, too.
  [[nodiscard]] std::vector<const Owned<ConnectionRecord>*> connections_in_order() const {
    std::vector<const Owned<ConnectionRecord>*> all = live.in_order();
    const auto others = gone.in_order();
    all.insert(all.end(), others.begin(), others.end());
    std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return id_of(*a) < id_of(*b); });
    return all;
  }
  /// Forgets what is not wanted, see `Tracker::forget_unwanted`. Whether anything is left.
  template <class IsWanted>
  bool keep(const IsWanted& is_wanted) {
    const std::string_view id = record->customer.id;
    const auto forget = [&](auto& records, bool is_gone) {
      records.remove_if([&](const ConnectionRecord& one) { return !is_wanted.connection(one.connection.id, id, is_gone); });
    };
    forget(live, false);
    forget(gone, true);
    transactions.remove_if(
        [&](const TransactionRecord& one) { return !is_wanted.transaction(one.initial_transaction.id); });
    return !live.empty() || !gone.empty() || !transactions.empty();
  }
  [[nodiscard]] std::size_t memory() const { return record.size() + live.memory() + gone.memory() + transactions.memory(); }

  /// What queries give back; views this member.
  [[nodiscard]] TrackedMember shown() const { return {record->customer, record->membership}; }
  [[nodiscard]] TrackedConnection shown(const ConnectionRecord& one) const {
    return {one.connection, one.event_type, one.state, record->customer.id};
  }
  [[nodiscard]] TrackedTransaction shown(const TransactionRecord& one) const {
    return {one.initial_transaction, one.state, record->customer};
  }
  /// The same of a record that was looked for; empty for nullptr.
  [[nodiscard]] auto shown_or_nothing(const auto* stored) const {
    return stored == nullptr ? std::nullopt : std::optional(shown(**stored));
  }
  /// The same of some of its records, after what is in `out`.
  template <class Stored, class Shown>
  void show(const std::vector<const Stored*>& records, std::vector<Shown>& out) const {
    for (const Stored* const one : records) out.push_back(shown(**one));
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
