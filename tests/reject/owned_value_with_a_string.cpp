// SPDX-License-Identifier: MIT
// An owned value is plain data and views: a string inside would never be destroyed.
// expect: own a value of plain data and views: std::string_view for text
// lines: 20
#include <bankhook/reflect/owned.hpp>

#include <string>
#include <string_view>

struct Note {
#ifdef CONTROL
  std::string_view text;
#else
  std::string text;
#endif
};

int main() {
  const bankhook::Owned<Note> owned(Note{});
  return owned->text.empty() ? 0 : 1;
}
