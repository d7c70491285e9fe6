// SPDX-License-Identifier: MIT
// A literal with half of a surrogate pair does not compile.
// expect: ThePayloadIsWrong<[^>]*lone_surrogate, 18,
#include <bankhook/events/literal.hpp>

using namespace bankhook::literals;

#ifdef CONTROL
constexpr auto event = R"({"event":"x","a":"\ud83d\ude00"})"_event;
#else
constexpr auto event = R"({"event":"x","a":"\ud83d"})"_event;
#endif

int main() { return event.event == "" ? 1 : 0; }
