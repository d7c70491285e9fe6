// SPDX-License-Identifier: MIT
// Bytes are read, and a wide text has none that are JSON.
// expect: what_is_read_is_text_or_bytes_beside_each_other
// lines: 20
#include <bankhook/parse.hpp>

int main() {
  bankhook::Arena arena;
#ifdef CONTROL
  return bankhook::parse("{}", arena).has_value() ? 1 : 0;
#else
  return bankhook::parse(L"{}", arena).has_value() ? 1 : 0;
#endif
}
