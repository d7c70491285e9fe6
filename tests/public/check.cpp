// SPDX-License-Identifier: MIT
// A program that asks what is wrong with a payload.
#include <bankhook/check.hpp>

#include <string>
#include <string_view>
#include <vector>

int main() {
  constexpr std::string_view payload = R"({"event":"initial_transaction_update","eventType":7})";
  const std::vector<bankhook::Finding> findings = bankhook::diagnose(payload);
  const bankhook::InitialTransactionUpdate event{.event_type = bankhook::TransactionStatus::created};
  const bool names_the_field = bankhook::explain(findings, payload).find("eventType") != std::string::npos;
  return !findings.empty() && names_the_field && !bankhook::check(event).empty() ? 0 : 1;
}
