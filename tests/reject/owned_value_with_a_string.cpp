// SPDX-License-Identifier: MIT
// An owned value is plain data and views: a string inside would never be destroyed.
// expect: an_owned_value_is_plain_data_and_views
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
