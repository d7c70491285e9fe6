// SPDX-License-Identifier: MIT
// Changes in the terms of the domain: what is different once an event is taken, or in another tracker.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/enumerators.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>
#include <bankhook/tracking/member.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// How something changes. What an event or another tracker no longer has differs in whether anybody said so.
enum class ChangeKind : std::uint8_t {
  added,         ///< seen for the first time; a connection also by an event of its own after its delete
  changed,       ///< in the field that is named
  removed,       ///< a connection by its own delete; an account that its connection no longer has
  unlisted,      ///< a connection that is no longer among all of its member (2.1), without a delete of its own
  listed_again,  ///< a connection that was unlisted and is one of its member's again
  reordered,     ///< accounts of a connection: in another order, or one that is there twice more or less often or otherwise
  missing,       ///< the other tracker does not have it; only `Tracker::diff` says so, and no event removes these
};

/// What it is that changes.
enum class ChangeSubject : std::uint8_t {
  member,       ///< 2.1, with its counts and its programme
  connection,   ///< 2.2
  account,      ///< 2.3
  transaction,  ///< 2.4
};

/// A value before or after a change; empty if it is null, absent, or was not tracked before.
using ChangeValue = std::variant<std::monostate, std::string_view, std::uint64_t, Decimal, std::chrono::year_month_day,
                                 LocalTimestamp, Timestamp>;

/// One change. Views of ids and values live as long as the `Changes` that it is in, or a copy of them. `field` has static
/// storage.
struct Change {
  ChangeKind kind{};
  ChangeSubject subject{};
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

namespace detail { namespace tracking {

/// The wire name of the field that `Pointer` names.
template <auto Pointer>
inline constexpr std::string_view field_name = reflect::name_of_field<Pointer>.view();

[[nodiscard]] constexpr bool is_empty(const ChangeValue& value) { return std::holds_alternative<std::monostate>(value); }

/// What a change of a field is called, where that says more than what it is a field of.
struct FieldLabel {
  ChangeSubject subject{};
  std::string_view field{};
  std::string_view changed{};
  std::string_view raised = changed;   ///< if it had no value before
  std::string_view cleared = changed;  ///< if it has none afterwards
};
inline constexpr FieldLabel field_labels[] = {
    {ChangeSubject::member, field_name<&Membership::connections_on>, "counts_changed"},
    {ChangeSubject::member, field_name<&Membership::connections_off>, "counts_changed"},
    {ChangeSubject::member, field_name<&Membership::shopping_hub_id>, "programme_changed"},
    {ChangeSubject::member, field_name<&Membership::shopping_hub_external_id>, "programme_changed"},
    {ChangeSubject::connection, field_name<&BankConnectionsUpdateV2::event_type>, "connection_event_received"},
    {ChangeSubject::connection, field_name<&Connection::error_code>, "error_changed", "error_raised", "error_cleared"},
    {ChangeSubject::connection, field_name<&Connection::error_message>, "error_message_changed", "error_message_raised",
     "error_message_cleared"},
    {ChangeSubject::connection, field_name<&Connection::consent_expires_at>, "consent_moved"},
    {ChangeSubject::transaction, field_name<&InitialTransaction::status>, "transaction_status_changed"},
};

inline constexpr std::size_t kind_count = enumerator_count<ChangeKind>;
/// `account_added` and the like: for each subject, that of each kind. Zeros follow each.
inline constexpr auto joined_labels = [] {
  std::array<std::array<char, 32>, enumerator_count<ChangeSubject> * kind_count> labels{};
  auto* label = labels.data();
  for (const std::string_view subject : enumerator_names<ChangeSubject>) {
    for (const std::string_view kind : enumerator_names<ChangeKind>) {
      char* const joint = std::copy(subject.begin(), subject.end(), (label++)->data());
      *joint = '_';
      std::copy(kind.begin(), kind.end(), joint + 1);
    }
  }
  return labels;
}();
static_assert(std::all_of(joined_labels.begin(), joined_labels.end(), [](const auto& label) { return label.back() == 0; }));

}}  // namespace detail::tracking

/// What a change is called, for people and for counting: `connection_added`, `transaction_status_changed`; an error is
/// raised if its errorCode or errorMessage had no value, and cleared if it has none any more. Static storage.
[[nodiscard]] constexpr std::string_view label_of(const Change& change) {
  using namespace detail::tracking;
  if (change.kind == ChangeKind::changed) {
    for (const FieldLabel& one : field_labels) {
      if (one.subject != change.subject || one.field != change.field) continue;
      return is_empty(change.before) ? one.raised : is_empty(change.after) ? one.cleared : one.changed;
    }
  }
  if (change.kind == ChangeKind::reordered) return "accounts_reordered";
  return joined_labels[static_cast<std::size_t>(change.subject) * kind_count + static_cast<std::size_t>(change.kind)]
      .data();
}

/// 7: whether a connection thereby has an error that it did not have: an errorCode, or an errorMessage, or another one.
[[nodiscard]] constexpr bool raises_error(const Change& change) {
  const bool is_error = change.field == detail::tracking::field_name<&Connection::error_code> ||
                        change.field == detail::tracking::field_name<&Connection::error_message>;
  return is_error && change.subject == ChangeSubject::connection && !detail::tracking::is_empty(change.after);
}

/// The status that a transaction thereby has and did not have: it changed to it, or was added with it. Empty for any other
/// change. The view lives as long as those of the change.
[[nodiscard]] constexpr std::optional<std::string_view> status_reached(const Change& change) {
  const auto* const status = std::get_if<std::string_view>(&change.after);
  const bool is_status = change.field == detail::tracking::field_name<&InitialTransaction::status>;
  if (status == nullptr || !is_status || change.subject != ChangeSubject::transaction) return std::nullopt;
  return *status;
}

/// The changes of one event, in the order member, connection or transaction of the event, the member's other connections.
/// They own their texts: nothing that they show views an event or a tracker.
class Changes {
 public:
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const Change* begin() const BANKHOOK_LIFETIMEBOUND { return all_.data(); }
  [[nodiscard]] const Change* end() const BANKHOOK_LIFETIMEBOUND { return all_.data() + size(); }
  [[nodiscard]] const Change& operator[](std::size_t index) const BANKHOOK_LIFETIMEBOUND { return all_[index]; }
  /// Whether there is a change with this label.
  [[nodiscard]] bool contains(std::string_view label) const {
    return std::any_of(begin(), end(), [label](const Change& change) { return label_of(change) == label; });
  }

  /// Adds a change whose texts live until `own_texts`, after which nothing is added.
  BANKHOOK_NOINLINE void add(const Change& change) {
    if (empty()) all_.reserve(4);
    all_.push_back(change);
  }
  /// Copies all texts after the last change.
  void own_texts() {
    std::size_t bytes = 0;
    for_each_text([&](const std::string_view& text) { bytes += text.size(); });
    if (bytes == 0) return;
    auto texts = std::make_shared_for_overwrite<char[]>(bytes);
    char* out = texts.get();
    for_each_text([&](std::string_view& text) {
      const char* const start = out;
      out = std::copy(text.begin(), text.end(), out);
      text = {start, text.size()};
    });
    texts_ = std::move(texts);
  }

  template <std::same_as<Changes> T>
  friend bool operator==(const T& left, const T& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end());
  }

 private:
  void for_each_text(auto f) {
    for (Change& change : all_) {
      f(change.id);
      f(change.parent_id);
      for (ChangeValue* const value : {&change.before, &change.after}) {
        if (auto* const text = std::get_if<std::string_view>(value)) f(*text);
      }
    }
  }

  std::vector<Change> all_;
  std::shared_ptr<char[]> texts_;  ///< copies share them: nobody changes them
};

}}  // namespace bankhook::BANKHOOK_ABI
