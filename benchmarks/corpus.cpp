// SPDX-License-Identifier: MIT
// How the corpora come about: histories of a sandbox, and operations that make its heavy members.
#include "corpus.hpp"

#include <bankhook/bankhook.hpp>
#include <bankhook/sandbox.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bankhook::bench {
namespace {

constexpr std::uint64_t seed = 20260301;

Corpus of_history(std::string_view name, std::string_view event, std::size_t size) {
  constexpr std::uint32_t members = 10'000;
  Sandbox sandbox(seed, {.members = members, .connections = 3, .accounts = 4});
  while (sandbox.event_count() < 10 * members)
    static_cast<void>(sandbox.next());  // until the members have their connections
  CorpusMaker corpus(name);
  while (corpus.size() < size) {
    const Delivery delivery = sandbox.next();
    if (delivery.payload.find(event) < 16) corpus.add(delivery.payload);
  }
  return std::move(corpus).finish();
}

/// A member of the sandbox with 20 connections of 10 accounts each, up to three of which are desynchronised.
std::vector<std::string> make_heavy_member(Sandbox& sandbox, std::size_t index) {
  std::vector<std::string> connections;
  while (connections.size() < 20) {
    const auto created = sandbox.create_connection(sandbox.member(index).id);
    connections.emplace_back(created->connection.id);
    while (sandbox.create_accounts(connections.back())) continue;  // each call adds some, up to the most
  }
  for (std::size_t i = 0; i < index % 4; ++i) static_cast<void>(sandbox.desynchronise(connections[i * 5]));
  return connections;
}

Corpus of_heavy_members(std::string_view name, std::size_t size) {
  constexpr std::size_t members = 300;
  Sandbox sandbox(seed, {.members = members, .connections = 20, .accounts = 10});
  std::vector<std::vector<std::string>> connections;
  for (std::size_t i = 0; i < members; ++i) connections.push_back(make_heavy_member(sandbox, i));
  CorpusMaker corpus(name);
  for (std::size_t i = 0; corpus.size() < size; ++i) {
    const std::string& connection = connections[i % members][i * 7 % 20];
    auto event = sandbox.desynchronise(connection);
    if (!event) event = sandbox.resynchronise(connection);
    corpus.add(serialize(*event));
  }
  return std::move(corpus).finish();
}

}  // namespace

Corpus CorpusMaker::finish() && {
  corpus_.bytes.append(Corpus::spare, ' ');
  const char* begin = corpus_.bytes.data();
  for (const std::size_t size : sizes_) {
    corpus_.events.emplace_back(begin, size);
    begin += size + 1;
  }
  return std::move(corpus_);
}

std::vector<Corpus> make_corpora(std::size_t size) {
  std::vector<Corpus> corpora;
  corpora.push_back(of_history("bank, everyday", TypeTag<BankConnectionsUpdateV2>::text(), size));
  corpora.push_back(of_heavy_members("bank, heavy", size));
  corpora.push_back(of_history("transaction", TypeTag<InitialTransactionUpdate>::text(), size));
  return corpora;
}

}  // namespace bankhook::bench
