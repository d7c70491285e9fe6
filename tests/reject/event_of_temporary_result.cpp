// SPDX-License-Identifier: MIT
// What parses a document and takes its event in one line would have views of what is gone: the result needs a name.
// expect: keep_it_in_a_variable_because_it_is_gone_before_what_views_it
// lines: 20
#include <bankhook/events/parse.hpp>

int main() {
#ifdef CONTROL
  const auto document = bankhook::Document::parse(R"({"event":"x"})");
  const bankhook::AnyEvent& event = document->event();
#else
  const bankhook::AnyEvent& event = bankhook::Document::parse(R"({"event":"x"})")->event();
#endif
  return static_cast<int>(event.index()) - 2;
}
