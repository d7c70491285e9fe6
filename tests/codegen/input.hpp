// SPDX-License-Identifier: MIT
// What the compiled reader and writer are looked at with: payloads of the seeded sandbox, the same on every machine.
#pragma once

#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/reflect/type_tag.hpp>
#include <bankhook/sandbox/sandbox.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::test {

/// Payloads of one kind of event.
struct Input {
  const char* kind;
  std::vector<std::string> payloads;
};

/// The first `count` payloads of events of type `Event`, out of a history in which members have their connections.
template <class Event>
Input make_input(const char* kind, std::size_t count, const SandboxOptions& options) {
  constexpr std::uint64_t settled = 40;  // deliveries a connection, until about as many are there as will be
  Sandbox sandbox(20260301, options);
  for (std::uint64_t i = 0; i < settled * options.members * options.connections; ++i) static_cast<void>(sandbox.next());
  Input input{kind, {}};
  while (input.payloads.size() < count) {
    const std::string_view payload = sandbox.next().payload;
    const std::string_view first_member = payload.substr(0, payload.find(','));
    if (first_member.find(TypeTag<Event>::text()) != std::string_view::npos) input.payloads.emplace_back(payload);
  }
  return input;
}

/// Everyday bank events (1.8 KB), heavy ones (21 KB), initial transactions (0.4 KB).
inline std::vector<Input> make_inputs() {
  using Bank = BankConnectionsUpdateV2;
  std::vector<Input> inputs;
  inputs.push_back(make_input<Bank>("bank, everyday", 300, {.members = 10, .connections = 3}));
  inputs.push_back(make_input<Bank>("bank, heavy", 50, {.members = 1, .connections = 24, .accounts = 16}));
  inputs.push_back(make_input<InitialTransactionUpdate>("transaction", 500, {.members = 10, .connections = 1}));
  return inputs;
}

}  // namespace bankhook::test
