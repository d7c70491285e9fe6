// SPDX-License-Identifier: MIT
// A literal without the event's name does not compile; the field that is missing is named.
// expect: ThePayloadIsWrong<[^>]*missing_field, 17, [^>]*>[^>]*"event"
#include <bankhook/events/literal.hpp>

using namespace bankhook::literals;

#ifdef CONTROL
constexpr auto event = R"({"event":"x","type":"created"})"_event;
#else
constexpr auto event = R"({"type":"created"})"_event;
#endif

int main() { return event.event == "" ? 1 : 0; }
