// SPDX-License-Identifier: MIT
// Bytes that grow and are given away without a copy: what a column is written into.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <algorithm>
#include <cstddef>
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
  void push(const T& value) {
    std::memcpy(grow(sizeof(T)), &value, sizeof(T));
  }
  void append(std::string_view text) {
    if (!text.empty()) std::memcpy(grow(text.size()), text.data(), text.size());
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
  [[nodiscard]] char* grow(std::size_t bytes) {
    if (bytes > capacity_ - size_) [[unlikely]]
      reserve(size_ + bytes);
    return data_ + std::exchange(size_, size_ + bytes);
  }
  BANKHOOK_COLD void reserve(std::size_t bytes) {
    const std::size_t capacity = std::max({bytes, capacity_ * 2, std::size_t{256}});
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
};

}  // namespace bankhook::inline BANKHOOK_ABI::columns
