// SPDX-License-Identifier: MIT
// A user's program, which includes the library or imports it: one payload in, one member out.
#include <iostream>
#include <string_view>
#include <variant>

#if defined(IMPORT_BANKHOOK)
import bankhook;
#else
#include <bankhook/parse.hpp>
#endif

int main() {
  constexpr std::string_view payload = R"({"event":"initial_transaction_update","eventType":"validated",)"
                                       R"("customer":{"id":"cust-1","externalId":"ext-1"},"initialTransaction":{)"
                                       R"("id":"it-1","amount":19.90,"storeExternalId":"store-1","status":"validated",)"
                                       R"("rejectionReason":null,"transactionDate":"2024-02-29","transactionId":null,)"
                                       R"("date":"2024-03-01T10:00:00.000Z"}})";
  bankhook::Arena arena;
  const auto event = bankhook::parse(payload, arena);
  if (!event) {
    std::cerr << to_string(event.error()) << '\n';
    return 1;
  }
  std::cout << std::get<bankhook::InitialTransactionUpdate>(*event).customer.external_id << '\n';
}
