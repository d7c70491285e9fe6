// SPDX-License-Identifier: MIT
// 2.4: the amount is a number; a literal with text in its place does not compile.
// expect: ThePayloadIsWrong<[^>]*expected_number, 139,
#include <bankhook/events/literal.hpp>

using namespace bankhook::literals;

#ifdef CONTROL
constexpr auto event =
    R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"m","externalId":"c"},"initialTransaction":{"id":"t","amount":19.90,"storeExternalId":"s","status":"created","rejectionReason":null,"transactionDate":"2026-05-03","transactionId":null,"date":"2026-05-04T10:15:30Z"}})"_event;
#else
constexpr auto event =
    R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"m","externalId":"c"},"initialTransaction":{"id":"t","amount":"19.90","storeExternalId":"s","status":"created","rejectionReason":null,"transactionDate":"2026-05-03","transactionId":null,"date":"2026-05-04T10:15:30Z"}})"_event;
#endif

int main() { return event.event == "" ? 1 : 0; }
