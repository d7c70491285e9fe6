// SPDX-License-Identifier: MIT
// Payloads to fuzz the reader with: valid ones in any layout, and what a few random changes make of them.
#pragma once

#include <codegen/input.hpp>

#include <varying.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::test {

/// Makes payloads of all kinds, the same for a seed on every machine.
class Mutations {
 public:
  explicit Mutations(std::uint64_t seed) : random_(seed) {
    for (const bench::Variety& variety : bench::varieties) {
      bench::VaryingEvents events(variety);
      for (int i = 0; i < 64; ++i) {
        seeds_.push_back(events.transaction());
        if (std::string event = events.everyday(); event.size() < 1500) seeds_.push_back(std::move(event));
      }
    }
  }

  /// A seed, most of them in another layout or order, with up to four changes.
  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    const std::uint64_t form = below(12);
    if (form % 3 == 0) text = with_unlisted(text);
    if (form < 4) text = reordered(text, form < 2 ? nullptr : &random_);
    if (form % 4 == 1) text = indented(text);
    if (form % 4 == 2) text = bench::spaced(text);
    for (std::size_t left = below(5); left > 0 && !text.empty(); --left) change(text);
    text.resize(std::min<std::size_t>(text.size(), 8000));
    return text;
  }

  /// One change of a text that is not empty.
  void change(std::string& text) {
    const std::size_t at = place(text);
    const std::size_t size =
        std::min<std::size_t>(1 + below(below(2) == 0 ? 3 : 80), text.size() - std::min(at, text.size()));
    switch (below(7)) {
      case 0: text[below(text.size())] = any_byte(); break;
      case 1: text.erase(std::min(at, text.size()), size); break;
      case 2: text.resize(at); break;
      case 3: text.insert(place(text), std::string(text, std::min(at, text.size()), size)); break;
      case 4: swap_fields(text, at); break;
      default: text.insert(at, insertion()); break;
    }
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  /// A place in the text, mostly right after a token's end: that is where readers differ.
  std::size_t place(const std::string& text) {
    const std::size_t at = below(text.size());
    if (below(4) == 0) return at;
    const std::size_t token = text.find_first_of(R"(,:{}[]")", at);
    return token == text.npos ? at : token + below(2);
  }

  char any_byte() {
    constexpr std::string_view common = "\"\"\\,:{}[] \n\t0123456789-+.eETZnulltrfase/";
    return below(8) == 0 ? static_cast<char>(below(256)) : common[below(common.size())];
  }

  /// White space of up to three blocks, a value, a field, or what makes a text longer or harder to read.
  std::string insertion() {
    constexpr std::array<std::string_view, 16> pieces{
        R"(,"added":null)", R"("added":[1,{"a":"b"}],)", R"(,"id":"again")", "null", R"("\u00e9")", "\xC3\xA9", R"(\u0041)",
        R"(\ud83d\ude00)",  "\xF0\x9F\x98\x80",          "\xE2\x82",         "{}",   "[]",          R"(\")",    R"(\)",
        R"("","")",         R"(,"\u0069d":"escaped")"};
    switch (below(4)) {
      case 0: return std::string(below(97), below(3) == 0 ? '\n' : ' ');
      case 1: return "\n" + std::string(below(40), below(4) == 0 ? '\t' : ' ');
      case 2: return std::string(below(130), 'x');
      default: return std::string(pieces[below(pieces.size())]);
    }
  }

  /// Lets two parts between commas change their places.
  static void swap_fields(std::string& text, std::size_t at) {
    const std::size_t first = text.find(',', at);
    const std::size_t second = first == text.npos ? first : text.find(',', first + 1);
    const std::size_t third = second == text.npos ? second : text.find(',', second + 1);
    if (third == text.npos) return;
    const auto begin = text.begin();
    const auto to = [&](std::size_t place) { return begin + static_cast<std::ptrdiff_t>(place); };
    std::rotate(to(first), to(second), to(third));
  }

  std::mt19937_64 random_;
  std::vector<std::string> seeds_;
};

}  // namespace bankhook::test
