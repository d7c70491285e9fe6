// SPDX-License-Identifier: MIT
// A literal with text after its payload does not compile.
// expect: ThePayloadIsWrong<[^>]*trailing_text, 14,
#include <bankhook/events/literal.hpp>

using namespace bankhook::literals;

#ifdef CONTROL
constexpr auto event = R"({"event":"x"} )"_event;
#else
constexpr auto event = R"({"event":"x"} {})"_event;
#endif

int main() { return event.event == "" ? 1 : 0; }
