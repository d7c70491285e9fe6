// SPDX-License-Identifier: MIT
// What differs between two resources, in the terms of the domain: field by field, without any of the library's helpers.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/tracking/changes.hpp>

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace bankhook::test {

using Kinds = std::multiset<ChangeKind>;

inline Kinds differences_of_transaction(const std::string& before_json, const std::string& after_json) {
  Arena arena;
  const auto before = *parse_as<InitialTransaction>(before_json, arena);
  const auto after = *parse_as<InitialTransaction>(after_json, arena);
  Kinds kinds;
  const auto changed = [&](bool differs) {
    if (differs) kinds.insert(ChangeKind::transaction_changed);
  };
  changed(before.amount != after.amount);
  changed(before.store_external_id != after.store_external_id);
  changed(before.place_id != after.place_id);
  changed(before.store_name != after.store_name);
  if (before.status != after.status) kinds.insert(ChangeKind::transaction_status_changed);
  changed(before.rejection_reason != after.rejection_reason);
  changed(before.transaction_date != after.transaction_date);
  changed(before.transaction_id != after.transaction_id);
  changed(before.date != after.date);
  return kinds;
}

inline std::map<std::string, std::string> hashes_by_id(std::span<const Account> accounts) {
  std::map<std::string, std::string> hashes;
  for (const Account& account : accounts) {
    hashes.emplace(account.id, account.account_hash ? "=" + std::string(*account.account_hash) : "");
  }
  return hashes;
}

inline void add_account_kinds(std::span<const Account> before, std::span<const Account> after, Kinds& kinds) {
  const auto left = hashes_by_id(before);
  const auto right = hashes_by_id(after);
  const std::size_t kinds_before = kinds.size();
  for (const auto& [id, hash] : left) {
    if (!right.contains(id)) kinds.insert(ChangeKind::account_removed);
    else if (right.at(id) != hash) kinds.insert(ChangeKind::account_changed);
  }
  for (const auto& [id, hash] : right) {
    if (!left.contains(id)) kinds.insert(ChangeKind::account_added);
  }
  bool is_same = before.size() == after.size();
  for (std::size_t i = 0; is_same && i < before.size(); ++i) is_same = before[i] == after[i];
  if (!is_same && kinds.size() == kinds_before) kinds.insert(ChangeKind::accounts_reordered);
}

inline void add_connection_kinds(const Connection& before, const Connection& after, Kinds& kinds) {
  const bool was_in_error = before.error_code || before.error_message;
  const bool is_in_error = after.error_code || after.error_message;
  const ChangeKind kind = !was_in_error ? ChangeKind::error_raised
                          : is_in_error ? ChangeKind::error_changed
                                        : ChangeKind::error_cleared;
  const bool code = before.error_code != after.error_code;
  if (code) kinds.insert(kind);
  if (before.error_message != after.error_message) kinds.insert(code ? ChangeKind::error_message_changed : kind);
  if (before.bank != after.bank) kinds.insert(ChangeKind::connection_changed);
  if (before.transactions_eligible_from_date != after.transactions_eligible_from_date)
    kinds.insert(ChangeKind::connection_changed);
  if (before.consent_expires_at != after.consent_expires_at) kinds.insert(ChangeKind::consent_moved);
  add_account_kinds(before.accounts, after.accounts, kinds);
}

inline Kinds differences_of_connection(const std::string& before_json, const std::string& after_json) {
  Arena arena;
  Kinds kinds;
  add_connection_kinds(*parse_as<Connection>(before_json, arena), *parse_as<Connection>(after_json, arena), kinds);
  return kinds;
}

inline Kinds kinds_of_new_connection(const Connection& connection) {
  Kinds kinds{ChangeKind::connection_added};
  Connection before = connection;
  before.error_code = std::nullopt;
  before.error_message = std::nullopt;
  before.accounts = {};
  add_connection_kinds(before, connection, kinds);
  return kinds;
}

}  // namespace bankhook::test
