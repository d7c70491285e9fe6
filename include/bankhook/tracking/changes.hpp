// SPDX-License-Identifier: MIT
// Changes in the terms of the domain: what is different once an event is taken, or in another tracker.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI {

/// What changes. Everything that can differ between the tracked state and an event has its own kind. The three that are
/// missing come from `Tracker::diff` alone: no event removes a member or a transaction.
enum class ChangeKind : std::uint8_t {
  // a member (2.1)
  member_added,
  member_changed,     ///< its externalId
  counts_changed,     ///< connectionsOn or connectionsOff
  programme_changed,  ///< shoppingHubId or shoppingHubExternalId
  member_missing,     ///< the other tracker does not have it
  // a connection (2.2)
  connection_added,           ///< seen for the first time, or again by an event of its own after its delete
  connection_removed,         ///< by its own delete
  connection_unlisted,        ///< no longer among all connections of the member (2.1), without a delete of its own
  connection_listed_again,    ///< among them again, in the state it had
  connection_event_received,  ///< its last eventType is another one than before
  connection_moved,           ///< to another member; the specification knows no such thing
  error_raised,               ///< before it had neither errorCode nor errorMessage
  error_changed,              ///< another code or another message
  error_cleared,
  error_message_changed,  ///< its errorMessage, when one of the three above reports its errorCode
  consent_moved,          ///< consentExpiresAt, which may come and go
  connection_changed,     ///< any other field of it
  connection_missing,     ///< the other tracker does not have it
  // an account (2.3)
  account_added,
  account_removed,
  account_changed,     ///< its accountHash
  accounts_reordered,  ///< the same accounts in another order, or one of them more or less often
  // an initial transaction (2.4)
  transaction_added,
  transaction_status_changed,
  transaction_event_received,  ///< its last eventType is another one than before, its status is not
  transaction_moved,           ///< to another member; the specification knows no such thing
  transaction_changed,         ///< any other field of it
  transaction_missing,         ///< the other tracker does not have it
};

/// A value before or after a change; empty if it is null, absent, or was not tracked before.
using ChangeValue = std::variant<std::monostate, std::string_view, std::uint64_t, Decimal, std::chrono::year_month_day,
                                 LocalTimestamp, Timestamp>;

/// One change. Views of ids and values live as long as the event and the tracker's state: until the tracker changes
/// again. `field` has static storage.
struct Change {
  ChangeKind kind{};
  std::string_view id{};         ///< of the member, connection, account or transaction that changes
  std::string_view parent_id{};  ///< an account's connection; a connection's or a transaction's member; a member has none
  /// Wire name of the field that differs: `consentExpiresAt`; `status` for an added or missing transaction. Empty if a
  /// whole object is added or removed. `before` and `after` are the values of this field.
  std::string_view field{};
  ChangeValue before{};
  ChangeValue after{};
  /// For `connection_added` and `transaction_added`: its create or created has not come, so it was missed or is late.
  bool first_event_missing = false;

  bool operator==(const Change&) const = default;
};

static_assert(std::is_trivially_copyable_v<Change> && std::is_trivially_destructible_v<Change>);

/// The changes of one event, in the order member, connection or transaction of the event, the member's other connections.
/// Up to three lie inside, more of them allocate.
class Changes {
 public:
  Changes() {}  // NOLINT(modernize-use-equals-default): what is not used is not made
  Changes(const Changes& other) : many_(other.many_), size_(other.size_) { copy_few(other); }
  Changes(Changes&& other) noexcept : many_(std::move(other.many_)), size_(std::exchange(other.size_, 0)) {
    copy_few(other);
  }
  Changes& operator=(Changes other) noexcept {
    many_ = std::move(other.many_);
    size_ = other.size_;
    copy_few(other);
    return *this;
  }
  ~Changes() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const Change* begin() const BANKHOOK_LIFETIMEBOUND { return data(); }
  [[nodiscard]] const Change* end() const BANKHOOK_LIFETIMEBOUND { return data() + size_; }
  [[nodiscard]] const Change& operator[](std::size_t index) const BANKHOOK_LIFETIMEBOUND { return data()[index]; }
  /// Whether there is a change of this kind.
  [[nodiscard]] bool contains(ChangeKind kind) const {
    return std::any_of(begin(), end(), [kind](const Change& change) { return change.kind == kind; });
  }

  BANKHOOK_NOINLINE void add(const Change& change) {
    if (size_ < inline_capacity) {
      std::construct_at(few_ + size_, change);
    } else {
      if (size_ == inline_capacity) many_.assign(few_, few_ + inline_capacity);
      many_.push_back(change);
    }
    ++size_;
  }
  /// Forgets them all.
  void clear() {
    many_.clear();
    size_ = 0;
  }

  friend bool operator==(const Changes& left, const Changes& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end());
  }

 private:
  static constexpr std::size_t inline_capacity = 3;

  [[nodiscard]] const Change* data() const { return size_ > inline_capacity ? many_.data() : few_; }
  void copy_few(const Changes& other) {
    if (size_ <= inline_capacity) std::uninitialized_copy_n(other.few_, size_, few_);
  }

  union {
    Change few_[inline_capacity];
  };
  std::vector<Change> many_;
  std::size_t size_ = 0;
};

}  // namespace bankhook::inline BANKHOOK_ABI
