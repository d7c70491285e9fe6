// SPDX-License-Identifier: MIT
// Asks a target about files, and payloads that are changed at random: bankhook_fuzz COUNT SEED [TARGET [FILE...]].
#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>

#include <fuzz/mutations.hpp>
#include <fuzz/targets.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

/// All bytes of a file, read by C: MemorySanitizer knows what that writes, and not what a compiled C++ stream does.
std::string contents(const char* path) {
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return std::perror(path), std::exit(2), "";
  std::string bytes;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) bytes += static_cast<char>(c);
  static_cast<void>(std::fclose(file));
  return bytes;
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t payloads = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 100'000;
  const std::uint64_t seed = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  const std::string_view name = count > 3 ? arguments[3] : "parse";
  const auto target = std::ranges::find(bankhook::test::targets, name, &bankhook::test::Target::name);
  if (target == bankhook::test::targets.end()) return std::puts("no such target"), 2;
  for (int i = 4; i < count; ++i) {
    if (const std::string wrong = target->wrong(contents(arguments[i])); !wrong.empty())
      return std::printf("%s: %s\n", arguments[i], wrong.c_str()), 1;
  }
  bankhook::test::Mutations mutations(seed);
  std::uint64_t accepted = 0;
  for (std::uint64_t i = 0; i < payloads; ++i) {
    const std::string payload = mutations.next();
    if (const std::string wrong = target->wrong(payload); !wrong.empty()) {
      std::printf("payload %llu of seed %llu: %s\n%s\n", static_cast<unsigned long long>(i),
                  static_cast<unsigned long long>(seed), wrong.c_str(), payload.c_str());
      return 1;
    }
    bankhook::Arena arena;
    accepted += bankhook::parse(payload, arena).has_value();
  }
  std::printf("%llu payloads of seed %llu, %llu of them without error\n", static_cast<unsigned long long>(payloads),
              static_cast<unsigned long long>(seed), static_cast<unsigned long long>(accepted));
  return accepted > 0 && accepted < payloads ? 0 : 1;
}
