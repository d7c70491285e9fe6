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
  transaction_changed,  ///< any other field of it
  transaction_missing,  ///< the other tracker does not have it
};

/// A value before or after a change; empty if it is null, absent, or was not tracked before.
using ChangeValue = std::variant<std::monostate, std::string_view, std::uint64_t, Decimal, std::chrono::year_month_day,
                                 LocalTimestamp, Timestamp>;

/// One change. Views of ids and values live as long as the `Changes` that it is in, or a copy of them. `field` has static
/// storage.
struct Change {
  ChangeKind kind{};
  std::string_view id{};         ///< of the member, connection, account or transaction that changes
  std::string_view parent_id{};  ///< an account's connection; a connection's or a transaction's member; a member has none
  /// Wire name of the field that differs: `consentExpiresAt`; `status` for an added or missing transaction. Empty if a
  /// whole object is added or removed. `before` and `after` are the values of this field.
  std::string_view field{};
  ChangeValue before{};
  ChangeValue after{};
  /// For the first event of a connection or transaction: it is no create or created, which was missed or is late.
  bool first_event_missing = false;

  bool operator==(const Change&) const = default;
};

static_assert(std::is_trivially_copyable_v<Change> && std::is_trivially_destructible_v<Change>);

/// The changes of one event, in the order member, connection or transaction of the event, the member's other connections.
/// They own their texts: nothing that they show views an event or a tracker. Copies share them.
class Changes {
 public:
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const Change* begin() const BANKHOOK_LIFETIMEBOUND { return all_.data(); }
  [[nodiscard]] const Change* end() const BANKHOOK_LIFETIMEBOUND { return all_.data() + all_.size(); }
  [[nodiscard]] const Change& operator[](std::size_t index) const BANKHOOK_LIFETIMEBOUND { return all_[index]; }
  /// Whether there is a change of this kind.
  [[nodiscard]] bool contains(ChangeKind kind) const {
    return std::any_of(begin(), end(), [kind](const Change& change) { return change.kind == kind; });
  }

  /// Adds a change whose texts live until `own_texts`.
  BANKHOOK_NOINLINE void add(const Change& change) {
    if (all_.empty()) all_.reserve(4);
    all_.push_back(change);
  }
  /// Copies all texts into memory of its own.
  void own_texts() {
    std::size_t bytes = 0;
    for_each_text([&](std::string_view& text) { bytes += text.size(); });
    if (bytes == 0) return;
    auto memory = std::make_shared_for_overwrite<char[]>(bytes);
    char* out = memory.get();
    for_each_text([&](std::string_view& text) {
      const char* const start = out;
      out = std::copy(text.begin(), text.end(), out);
      text = {start, text.size()};
    });
    texts_ = std::move(memory);
  }

  friend bool operator==(const Changes& left, const Changes& right) { return left.all_ == right.all_; }

 private:
  template <class F>
  void for_each_text(F f) {
    for (Change& change : all_) {
      f(change.id);
      f(change.parent_id);
      for (ChangeValue* const value : {&change.before, &change.after}) {
        if (auto* const text = std::get_if<std::string_view>(value)) f(*text);
      }
    }
  }

  std::vector<Change> all_;
  std::shared_ptr<const char[]> texts_;
};

}  // namespace bankhook::inline BANKHOOK_ABI
