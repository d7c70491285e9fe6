// SPDX-License-Identifier: MIT
// A pass that looks at each byte once: what the memory, and on two threads the machine, allow.
#pragma once

#include <algorithm>
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
  return count + static_cast<std::size_t>(std::ranges::count(text, '"'));
}

}  // namespace bankhook::bench
