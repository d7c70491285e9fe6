// SPDX-License-Identifier: MIT
// A literal with a repeated field does not compile; the fault and its offset are named.
// expect: ThePayloadIsWrong<[^>]*repeated_field, 13, [^>]*>[^>]*"event"
#include <bankhook/events/literal.hpp>

using namespace bankhook::literals;

#ifdef CONTROL
constexpr auto event = R"({"event":"x","more":"x"})"_event;
#else
constexpr auto event = R"({"event":"x","event":"x"})"_event;
#endif

int main() { return event.event == "" ? 1 : 0; }
