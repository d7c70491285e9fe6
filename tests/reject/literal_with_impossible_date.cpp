// SPDX-License-Identifier: MIT
// 2.4: the date of the transaction is one of the calendar; a literal with 30 February does not compile.
// expect: ThePayloadIsWrong<[^>]*nonexistent_date_time, 228,
#include <bankhook/events/literal.hpp>

using namespace bankhook::literals;

#ifdef CONTROL
constexpr auto event =
    R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"m","externalId":"c"},"initialTransaction":{"id":"t","amount":19.90,"storeExternalId":"s","status":"created","rejectionReason":null,"transactionDate":"2024-02-29","transactionId":null,"date":"2026-05-04T10:15:30Z"}})"_event;
#else
constexpr auto event =
    R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"m","externalId":"c"},"initialTransaction":{"id":"t","amount":19.90,"storeExternalId":"s","status":"created","rejectionReason":null,"transactionDate":"2026-02-30","transactionId":null,"date":"2026-05-04T10:15:30Z"}})"_event;
#endif

int main() { return event.event == "" ? 1 : 0; }
