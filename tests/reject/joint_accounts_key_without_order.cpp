// SPDX-License-Identifier: MIT
// A key of rows that not every value has a place in: rows with a value that is in no order would be lost.
// expect: give a key that has an order without gaps: no floating-point number
// lines: 20
#include <bankhook/tracking.hpp>

#include <array>
#include <string>
#include <utility>

int main() {
  const std::array<std::pair<std::string, double>, 1> rows{{{"acc-1", 19.9}}};
  const auto id = [](const auto& row) { return row.first; };
#ifdef CONTROL
  const auto key = [](const auto& row) { return static_cast<int>(row.second * 100); };
#else
  const auto key = [](const auto& row) { return row.second; };
#endif
  return bankhook::JointAccounts().deduplicate(rows, id, key).size() == 1 ? 0 : 1;
}
