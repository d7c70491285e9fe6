// SPDX-License-Identifier: MIT
// The entrance of libFuzzer: the target that BANKHOOK_FUZZ names, and changes that know what an event looks like.
#include <fuzz/mutations.hpp>
#include <fuzz/targets.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

using bankhook::test::Target;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

const Target& chosen() {
  static const Target& target = [] -> const Target& {
    const char* const name = std::getenv("BANKHOOK_FUZZ");
    const auto found =
        std::ranges::find(bankhook::test::targets, std::string_view(name == nullptr ? "" : name), &Target::name);
    if (found != bankhook::test::targets.end()) return *found;
    std::fputs("BANKHOOK_FUZZ has to name a target:", stderr);
    for (const Target& one : bankhook::test::targets) std::fprintf(stderr, " %s", std::string(one.name).c_str());
    std::exit(2);
  }();
  return target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string wrong = chosen().wrong({reinterpret_cast<const char*>(data), size});
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", std::string(chosen().name).c_str(), wrong.c_str());
  std::abort();
}

/// Half of the changes are libFuzzer's own: bytes, words of the dictionary, and what comparisons ask for.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  static bankhook::test::Mutations mutations(seed);
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  std::string text = size == 0 || seed % 64 == 1 ? mutations.next() : std::string(reinterpret_cast<char*>(data), size);
  for (unsigned left = 1 + seed / 2 % 3; left > 0 && !text.empty(); --left) mutations.change(text);
  text.resize(std::min(text.size(), most));
  if (!text.empty()) std::memcpy(data, text.data(), text.size());
  return text.size();
}
