// SPDX-License-Identifier: MIT
// What the memory allows: copying the bytes, and looking at each of them once.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace bankhook::bench {

/// How many quotes there are. Vectors of the compiler's, of a size that every processor has: -O2 gets its best, too.
[[nodiscard]] inline std::size_t count_quotes(std::string_view text) {
  using Block [[gnu::vector_size(16)]] = unsigned char;
  constexpr std::size_t most_blocks = 255;  // what a lane can count to
  std::size_t count = 0;
  while (text.size() >= sizeof(Block)) {
    Block counts{};
    for (std::size_t i = 0; i < most_blocks && text.size() >= sizeof(Block); ++i) {
      Block block;
      std::memcpy(&block, text.data(), sizeof block);
      counts -= reinterpret_cast<Block>(block == '"');
      text.remove_prefix(sizeof block);
    }
    for (std::size_t lane = 0; lane < sizeof(Block); ++lane) count += counts[lane];
  }
  for (const char c : text) count += c == '"';
  return count;
}

}  // namespace bankhook::bench
