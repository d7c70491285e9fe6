// SPDX-License-Identifier: MIT
// The table of records against a map: what is put, replaced and removed, in any order.
#include <bankhook_catch.hpp>

#include <bankhook/tracking/records.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <string_view>

namespace {

struct Named {
  std::string name;
  int value = 0;

  [[nodiscard]] std::size_t size() const { return name.size(); }
};
[[maybe_unused]] std::string_view id_of(const Named& one) { return one.name; }

using Records = bankhook::detail::tracking::Records<Named>;

/// Whether both hold the same, each found by its name and seen in the order of the names.
bool are_equal(const Records& records, const std::map<std::string, int>& expected) {
  const auto all = records.in_order();
  bool same = records.size() == expected.size() && all.size() == expected.size();
  auto next = all.begin();
  for (const auto& [name, value] : expected) {
    if (!same) return false;
    const Named* const found = records.find(std::string_view(name));
    same = found != nullptr && found == *next++ && found->value == value;
  }
  return same;
}

}  // namespace

TEST_CASE("records hold what a map would, whatever is put and removed") {
  std::mt19937 random(7);
  Records records;
  std::map<std::string, int> expected;
  std::size_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = "id" + std::to_string(random() % 600);
    const bool grows = i / 4'000 % 2 == 0;
    if (random() % 4 != 0 ? grows : !grows) {
      records.put(std::string_view(name), {name, i});
      expected[name] = i;
    } else {
      records.remove(std::string_view(name));
      expected.erase(name);
    }
    most = std::max(most, expected.size());
    if (i % 100 == 0) REQUIRE(are_equal(records, expected));
  }
  CHECK(most > 400);
  const std::size_t before = records.memory();
  records.remove_if([](const Named& one) { return one.value % 8 != 0; });
  std::erase_if(expected, [](const auto& one) { return one.second % 8 != 0; });
  CHECK(are_equal(records, expected));
  records.remove_if([](const Named&) { return true; });
  CHECK((records.empty() && records.memory() < before / 16));
}
