// SPDX-License-Identifier: MIT
// A document is moved, never copied after one's back: it owns a payload and all that was decoded of it.
// expect: (use of deleted function|call to implicitly-deleted copy constructor|call to deleted constructor)
// lines: 20
#include <bankhook/events/parse.hpp>

#include <utility>

int main() {
  auto document = bankhook::Document::parse(R"({"event":"x"})");
  if (!document) return 1;
#ifdef CONTROL
  const bankhook::Document other = std::move(*document);
#else
  const bankhook::Document other = *document;
#endif
  return other.raw().empty() ? 1 : 0;
}
