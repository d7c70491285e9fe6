// SPDX-License-Identifier: MIT
// The ways in which payloads are damaged, for every test that compares how what is left is read.
#pragma once

#include <bankhook_catch.hpp>

#include <cstddef>
#include <string>
#include <string_view>

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

/// Checks the text with each byte changed to each of the others.
template <class Comparison>
void check_with_bytes_changed(Comparison& comparison, const std::string& name, std::string text,
                              std::string_view replacements) {
  for (char& byte : text) {
    const char original = byte;
    for (const char replacement : replacements) {
      byte = replacement;
      check(comparison, name, text);
    }
    byte = original;
  }
}

/// Checks the text with each byte left out, and with each byte twice.
template <class Comparison>
void check_with_bytes_left_out_or_doubled(Comparison& comparison, const std::string& name, const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string payload = text;
    check(comparison, name, payload.erase(at, 1));
    payload = text;
    check(comparison, name, payload.insert(at, 1, text[at]));
  }
}

}  // namespace bankhook::test
