// SPDX-License-Identifier: MIT
// A program that includes the whole library.
#include <bankhook/bankhook.hpp>

#include <string_view>

constexpr std::string_view payload =
    R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"m","externalId":"c"},)"
    R"("initialTransaction":{"id":"t","amount":19.90,"storeExternalId":"s","status":"created","rejectionReason":null,)"
    R"("transactionDate":"2026-05-03","transactionId":null,"date":"2026-05-04T10:15:30.000Z"}})";

int main() {
  bankhook::Arena arena;
  const auto event = bankhook::parse(payload, arena);
  return event && bankhook::diagnose(bankhook::serialize(*event)).empty() ? 0 : 1;
}
