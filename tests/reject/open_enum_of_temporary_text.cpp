// SPDX-License-Identifier: MIT
// An unknown value is a view of its text, which must not be gone before it.
// expect: keep_it_in_a_variable_because_it_is_gone_before_what_views_it
// lines: 20
#include <bankhook/domain/initial_transaction.hpp>

#include <string>

std::string text() { return "refunded"; }

int main() {
#ifdef CONTROL
  const std::string kept = text();
  const auto status = bankhook::OpenEnum<bankhook::TransactionStatus>::of(kept);
#else
  const auto status = bankhook::OpenEnum<bankhook::TransactionStatus>::of(text());
#endif
  return status.is_known() ? 1 : 0;
}
