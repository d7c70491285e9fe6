// SPDX-License-Identifier: MIT
// Memory whose neighbours fault: text placed at its transitions shows every byte that is read before or after it.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

namespace bankhook::test {

/// Some readable pages between two that are not.
class GuardedPages {
  static constexpr std::size_t page = 4096;

 public:
  /// Bytes that a text may have.
  static constexpr std::size_t size = 16 * page;

  GuardedPages() {
    void* const pages = mmap(nullptr, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<char*>(pages) + page;
    if (mprotect(begin_, size, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;
  ~GuardedPages() { munmap(begin_ - page, size + 2 * page); }

  /// A copy of `text` whose first byte is the first one that may be read.
  [[nodiscard]] std::string_view after_the_guard(std::string_view text) { return put(begin_, text); }
  /// A copy of `text` whose last byte is the last one that may be read, and `after` bytes more.
  [[nodiscard]] std::string_view before_the_guard(std::string_view text, std::size_t after = 0) {
    return put(begin_ + size - after - text.size(), text);
  }

 private:
  static std::string_view put(char* at, std::string_view text) {
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
    return {at, text.size()};
  }

  char* begin_;
};

/// A copy of a text in a block of exactly its size, so that AddressSanitizer sees the first byte beyond.
class ExactCopy {
 public:
  explicit ExactCopy(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
    if (!text.empty()) std::memcpy(bytes_.get(), text.data(), text.size());
  }
  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

}  // namespace bankhook::test
