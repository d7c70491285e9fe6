// SPDX-License-Identifier: MIT
// What the system and the build say of themselves.
#include "machine.hpp"

#include <fstream>
#include <string>
#include <string_view>
#include <thread>

namespace bankhook::bench {
namespace {

constexpr const char* processors = "/proc/cpuinfo";

/// What stands after `key` and `separator` in the first such line of the file, without quotes.
std::string value_in(const char* file, std::string_view key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    line.erase(0, line.find(separator) + 1);
    line.erase(0, line.find_first_not_of(" \""));
    return line.substr(0, line.find_last_not_of(" \"") + 1);
  }
  return "unknown";
}

}  // namespace

Machine this_machine() {
  const unsigned cores = std::thread::hardware_concurrency();
  return {.compiler = BANKHOOK_BENCH_COMPILER,
          .flags = BANKHOOK_BENCH_FLAGS,
          .system = value_in("/etc/os-release", "PRETTY_NAME", '='),
          .processor = value_in(processors, "model name", ':') + " (family " + value_in(processors, "cpu family", ':') +
                       " model " + value_in(processors, "model\t", ':') + "), " + std::to_string(cores) + " cores"};
}

}  // namespace bankhook::bench
