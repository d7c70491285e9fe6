// SPDX-License-Identifier: MIT
// Where the tests find their payloads, and how they read them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace bankhook::test {

/// The directory of the shared payloads, tests/data.
[[nodiscard]] inline std::filesystem::path data() { return BANKHOOK_TEST_DATA; }

/// The directory of outside test data; the environment variable of the same name goes before the build's.
[[nodiscard]] inline std::filesystem::path conformance() {
  const char* chosen = std::getenv("BANKHOOK_CONFORMANCE");
  return chosen != nullptr ? chosen : BANKHOOK_CONFORMANCE;
}

/// All bytes of a file. A file that is not there fails the test that asks for it.
[[nodiscard]] inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace bankhook::test
