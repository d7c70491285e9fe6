// SPDX-License-Identifier: MIT
// A program that asks a lifecycle, and proves a table of its own.
#include <bankhook/machine.hpp>

#include <string_view>

namespace {
enum class Door : unsigned char { open, closed };
enum class Act : unsigned char { opening, closing };

constexpr auto table = [] {
  using enum Door;
  using enum Act;
  using enum bankhook::Evidence;
  using namespace bankhook::table_words;
  return bankhook::transitions<Door, Act>(
      {{begin, opening, open, stated, "1"}, {open, closing, closed, stated, "1"}, {closed, opening, open, stated, "2"}});
}();
constexpr auto door = bankhook::machine<table>;
static_assert(door.step(Door::open, Act::closing).to == Door::closed);
}  // namespace

int main() {
  const std::string_view picture = to_mermaid(bankhook::transaction_lifecycle);
  return picture.find("validated") != std::string::npos && !bankhook::connection_lifecycle.transitions().empty() ? 0 : 1;
}
