// SPDX-License-Identifier: MIT
// The ways in which payloads are damaged, for every test that compares how what is left is read.
#pragma once

#include <bankhook_catch.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook::test {

/// Larger payloads have nothing more in them, but make these tests slow under a sanitizer.
inline constexpr std::size_t large = 800;

/// Fails with what `comparison` says of the payload, if it says anything.
template <class Comparison>
void check(Comparison& comparison, const std::string& name, std::string_view payload) {
  const std::string disagreement = comparison.disagreement(payload);
  if (disagreement.empty()) return;
  CAPTURE(name, payload);
  FAIL(disagreement);
}

/// Checks the text with each byte changed: to one of the replacements in turn, so that over all samples each of them stands
/// at each kind of place. The fuzzer asks for many more at random.
template <class Comparison>
void check_with_bytes_changed(Comparison& comparison, const std::string& name, std::string text,
                              std::string_view replacements) {
  static std::size_t turn = 0;
  for (char& byte : text) {
    const char original = std::exchange(byte, replacements[turn++ % replacements.size()]);
    check(comparison, name, text);
    byte = original;
  }
}

/// Checks the text with each byte left out or twice, by turns.
template <class Comparison>
void check_with_bytes_left_out_or_doubled(Comparison& comparison, const std::string& name, const std::string& text) {
  static bool doubled = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string payload = text;
    doubled = !doubled;
    check(comparison, name, doubled ? payload.insert(at, 1, text[at]) : payload.erase(at, 1));
  }
}

}  // namespace bankhook::test
