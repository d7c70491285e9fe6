// SPDX-License-Identifier: MIT
// The block of an Owned is aligned as operator new aligns, so no element of an array may need more; the sentence says so.
// expect: write an element without an alignment of its own
// lines: 20
#include <bankhook/reflect/owned.hpp>

#include <cstdint>
#include <span>

#ifdef CONTROL
struct Lane {
#else
struct alignas(64) Lane {
#endif
  std::int64_t value = 0;
};
struct Lanes {
  std::span<const Lane> all;
};

int main() {
  const bankhook::Owned<Lanes> kept(Lanes{});
  return static_cast<int>(kept->all.size());
}
