// SPDX-License-Identifier: MIT
// Shared by the tests of text: what a value prints, text without a byte to spare, and seeded choices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>

namespace bankhook::test {

/// Whether `value` prints `expected` and nothing else.
template <class T>
constexpr bool prints(const T& value, std::string_view expected) {
  char buffer[T::max_printed]{};
  return std::string_view(buffer, value.print(buffer)) == expected;
}

/// Whether `text` is read and printed as it was written.
template <class T>
constexpr bool reads_as_written(std::string_view text) {
  const auto value = T::parse(text);
  return value && prints(*value, text);
}

/// A copy of `text` in memory of exactly its size: AddressSanitizer sees every byte that is read outside.
class ExactText {
 public:
  explicit ExactText(std::string_view text) : size_(text.size()), bytes_(new char[text.size()]) {
    std::copy_n(text.data(), size_, bytes_.get());
  }
  [[nodiscard]] const char* begin() const { return bytes_.get(); }
  [[nodiscard]] const char* end() const { return bytes_.get() + size_; }
  [[nodiscard]] std::string_view view() const { return {begin(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<char[]> bytes_;
};

/// The same choices in every run and on every platform (the distributions of the standard library promise neither).
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : engine_(seed) {}

  /// One of `least` to `most`.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    const std::uint64_t count = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;
    const std::uint64_t chosen = count == 0 ? engine_() : engine_() % count;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + chosen);
  }
  bool coin() { return between(0, 1) == 1; }
  /// An integer of any length in bits up to 64, so that short ones are not rare.
  std::int64_t any_length() { return static_cast<std::int64_t>(engine_()) >> between(0, 63); }
  char one_of(std::string_view characters) {
    return characters[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(characters.size()) - 1))];
  }
  std::string digits(std::int64_t count) {
    std::string text;
    while (count-- > 0) text += one_of("0123456789");
    return text;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace bankhook::test
