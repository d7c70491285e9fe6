// SPDX-License-Identifier: MIT
// A program that reads a payload in each way: borrowed, owned, and from an archive.
#include <bankhook/parse.hpp>

#include <cstddef>
#include <string_view>
#include <variant>

constexpr std::string_view payload =
    R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"m","externalId":"c"},)"
    R"("initialTransaction":{"id":"t","amount":19.90,"storeExternalId":"s","status":"created","rejectionReason":null,)"
    R"("transactionDate":"2026-05-03","transactionId":null,"date":"2026-05-04T10:15:30.000Z"}})";

int main() {
  using namespace bankhook;
  Arena arena;
  const auto borrowed = parse_as<InitialTransactionUpdate>(payload, arena);
  const auto document = Document::parse(payload);
  if (!borrowed || !document || std::get<InitialTransactionUpdate>(document->event()) != *borrowed) return 1;
  const Owned<InitialTransactionUpdate> kept(*borrowed);
  if (*kept != *borrowed) return 2;
  std::size_t events = 0;
  for (const auto& line : Lines(payload, arena)) events += line.event.has_value();
  return events == 1 && parse("{", arena).error().code != Errc{} ? 0 : 3;
}
