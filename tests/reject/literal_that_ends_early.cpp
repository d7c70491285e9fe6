// SPDX-License-Identifier: MIT
// A literal that ends early does not compile; the fault and its offset are named.
// expect: ThePayloadIsWrong<[^>]*truncated, 12,
#include <bankhook/events/literal.hpp>

using namespace bankhook::literals;

#ifdef CONTROL
constexpr auto event = R"({"event":"x"})"_event;
#else
constexpr auto event = R"({"event":"x")"_event;
#endif

int main() { return event.event == "" ? 1 : 0; }
