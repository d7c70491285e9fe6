// SPDX-License-Identifier: MIT
// Elements of an array are copied to memory in which none is yet: one that assigns in a way of its own would find none.
// expect: write an element that is trivially copyable: views and plain data
// lines: 20
#include <bankhook/reflect/owned.hpp>

#include <span>

struct Mark {
#ifndef CONTROL
  Mark& operator=(const Mark& other) {
    value = other.value;
    return *this;
  }
#endif

  int value = 0;
};
struct Marks {
  std::span<const Mark> all;
};

int main() {
  const bankhook::Owned<Marks> kept(Marks{});
  return static_cast<int>(kept->all.size());
}
