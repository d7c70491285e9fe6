// SPDX-License-Identifier: MIT
// Bytes that grow and are given away without a copy: what a column is written into.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::columns {

/// Its memory is aligned for every type of up to 16 bytes, and is not cleared.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { std::free(data_); }

  [[nodiscard]] const char* data() const { return data_; }
  [[nodiscard]] char* data() { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Appends the bytes of `value`.
  template <class T>
  BANKHOOK_INLINE void push(const T& value) {
    std::memcpy(grow(sizeof(T)), &value, sizeof(T));
  }
  BANKHOOK_INLINE void push_zeros(std::size_t size) {
    if (size == sizeof(std::uint64_t)) push(std::uint64_t{0});
    else std::memset(grow(size), 0, size);
  }
  /// Most texts are short: those are copied without a call.
  BANKHOOK_INLINE void append(std::string_view text) {
    const std::size_t size = text.size();
    char* const to = grow(size);
    if (size > 64) std::memcpy(to, text.data(), size);
    else if (size > 32) copy_ends<std::array<char, 32>>(to, text);
    else if (size > 16) copy_ends<std::array<char, 16>>(to, text);
    else if (size >= 8) copy_ends<std::uint64_t>(to, text);
    else if (size >= 4) copy_ends<std::uint32_t>(to, text);
    else if (size > 0) {
      to[0] = text.front();
      to[size / 2] = text[size / 2];
      to[size - 1] = text.back();
    }
  }
  /// The bytes; the next ones get as much memory at once.
  [[nodiscard]] Buffer take() {
    first_capacity_ = std::min(size_ + size_ / 8, std::size_t{1} << 20);
    return std::move(*this);
  }
  /// Changes the last value.
  template <class T, class F>
  void change_last(F&& change) {
    T value;
    std::memcpy(&value, data_ + size_ - sizeof(T), sizeof(T));
    change(value);
    std::memcpy(data_ + size_ - sizeof(T), &value, sizeof(T));
  }

 private:
  /// Copies two words that may overlap: the start and the end of a text that is at least one of them long.
  template <class Word>
  BANKHOOK_INLINE static void copy_ends(char* to, std::string_view text) {
    const std::size_t last = text.size() - sizeof(Word);
    Word start, end;
    std::memcpy(&start, text.data(), sizeof(Word));
    std::memcpy(&end, text.data() + last, sizeof(Word));
    std::memcpy(to, &start, sizeof(Word));
    std::memcpy(to + last, &end, sizeof(Word));
  }
  [[nodiscard]] BANKHOOK_INLINE char* grow(std::size_t bytes) {
    if (bytes > capacity_ - size_) [[unlikely]]
      reserve(size_ + bytes);
    return data_ + std::exchange(size_, size_ + bytes);
  }
  BANKHOOK_COLD void reserve(std::size_t bytes) {
    const std::size_t capacity = std::max({bytes, capacity_ * 2, first_capacity_, std::size_t{256}});
    void* const memory = std::realloc(data_, capacity);
    if (memory == nullptr) base::fail_without_memory();
    data_ = static_cast<char*>(memory);
    capacity_ = capacity;
  }
  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t first_capacity_ = 0;
};

}  // namespace bankhook::inline BANKHOOK_ABI::columns
