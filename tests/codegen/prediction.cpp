// SPDX-License-Identifier: MIT
// Run by memcheck, which knows of every byte what it was computed from: no predicted length may come from the payload.
#include <bankhook/base/arena.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/parse.hpp>

#include <codegen/input.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>

namespace bankhook::test { namespace {

/// Texts whose lengths are always the same, and how many of these lengths were computed from the payload.
struct Lengths {
  std::size_t seen = 0;
  std::size_t computed = 0;

  void add(std::string_view text) {
    const std::size_t size = text.size();
    ++seen;
    computed += VALGRIND_CHECK_MEM_IS_DEFINED(&size, sizeof size) != 0;
  }
  void add(const Connection& connection) {
    add(connection.id);
    for (const Account& account : connection.accounts) {
      add(account.id);
      if (account.account_hash) add(*account.account_hash);
    }
  }
};

/// Memory whose contents are unknown makes all unknown that is computed from it, but not what a branch decides: a length
/// that was found is unknown, one that was remembered and then only compared is not.
Lengths lengths_of(std::string payload) {
  const std::size_t size = payload.size();
  payload.append(PaddedView::padding, ' ');  // or the last text, which is read with care, would be another matter
  const PaddedView padded{std::string_view(payload).substr(0, size)};
  Arena arena;
  for (int i = 0; i < 8; ++i) {  // until the lengths are remembered
    arena.reset();
    static_cast<void>(parse_as<BankConnectionsUpdateV2>(padded, arena));
  }
  arena.reset();
  static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(payload.data(), payload.size()));
  const auto event = parse_as<BankConnectionsUpdateV2>(padded, arena);
  Lengths lengths;
  if (event) {
    for (const Connection& connection : event->customer.connections) lengths.add(connection);
    lengths.add(event->connection);
  }
  static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(payload.data(), payload.size()));
  return lengths;
}

}}  // namespace bankhook::test

int main() {
  using namespace bankhook::test;
  if (RUNNING_ON_VALGRIND == 0) return 1;
  const Input input = make_input<bankhook::BankConnectionsUpdateV2>("bank", 1, {.members = 1, .connections = 8});
  const Lengths lengths = lengths_of(input.payloads.front());
  std::printf("%zu of %zu remembered lengths were computed from the payload, see detail::json::read_text()\n",
              lengths.computed, lengths.seen);
  return lengths.seen > 10 && lengths.computed == 0 ? 0 : 1;
}

#else

int main() { std::puts("skipped: built without valgrind/memcheck.h"); }

#endif
