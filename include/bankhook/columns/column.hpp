// SPDX-License-Identifier: MIT
// A column while it is written: its name, its type as Arrow spells it, and its values up to the end of a batch.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/simd.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace columns {

/// Bytes that grow and are given away without a copy. Their memory is aligned for every type of up to 16 bytes, and is not
/// cleared.
class Buffer {
 public:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<char, Free>;

  [[nodiscard]] std::size_t size() const { return size_; }

  /// Appends the bytes of `value`.
  template <class T>
  BANKHOOK_INLINE void push(const T& value) {
    std::memcpy(grow(sizeof(T)), &value, sizeof(T));
  }
  BANKHOOK_INLINE void push_zeros(std::size_t size) { std::memset(grow(size), 0, size); }
  BANKHOOK_INLINE void append(std::string_view text) { simd::copy_text(text, grow(text.size())); }
  /// The bytes; the next ones get as much memory at once.
  [[nodiscard]] Memory take() {
    first_capacity_ = (std::min)(size_ + size_ / 8, std::size_t{1} << 20);
    size_ = capacity_ = 0;
    return std::move(data_);
  }

 private:
  [[nodiscard]] BANKHOOK_INLINE char* grow(std::size_t bytes) {
    if (bytes > capacity_ - size_) reserve(size_ + bytes);
    return data_.get() + std::exchange(size_, size_ + bytes);
  }
  BANKHOOK_COLD void reserve(std::size_t bytes) {
    const std::size_t capacity = (std::max)({bytes, capacity_ * 2, first_capacity_, std::size_t{256}});
    void* const memory = std::realloc(data_.get(), capacity);
    if (memory == nullptr) base::fail_without_memory();
    static_cast<void>(data_.release());
    data_.reset(static_cast<char*>(memory));
    capacity_ = capacity;
  }

  Memory data_{};
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t first_capacity_ = 0;
};

/// Of the least bit first, in bytes: so Arrow orders a bitmap on every machine.
struct Bitmap {
  Buffer words{};  ///< of 64 bits, without the last one
  std::uint64_t last = 0;

  /// Appends the bit after `length` others.
  BANKHOOK_INLINE void push(std::uint64_t length, bool bit) {
    last |= std::uint64_t{bit} << length % 64;
    if (length % 64 == 63) [[unlikely]]
      push_last();
  }
  void push_last() {
    const std::uint64_t word = std::exchange(last, 0);
    words.push(std::endian::native == std::endian::little ? word : std::byteswap(word));
  }
};

enum class Kind : std::uint8_t { fixed, boolean, text, list, structure };

/// One column, or one that lies within another. The buffers are those of Arrow's columnar format.
struct Column {
  std::string name{};
  std::string format{};
  std::string section{};  ///< of the specification, and what the column means: metadata
  std::string meaning{};
  Kind kind = Kind::fixed;
  std::size_t width = 0;  ///< bytes of a value of fixed width, or of an offset
  bool is_nullable = false;
  bool is_wanted = true;
  std::vector<Column> children{};

  std::int64_t length = 0;
  std::int64_t nulls = 0;
  Bitmap validity{};
  Bitmap booleans{};
  Buffer values{};  ///< of fixed width, or offsets
  Buffer bytes{};   ///< of texts and binaries

  /// The value was written: counts it.
  BANKHOOK_INLINE void count(bool is_valid) {
    if (is_nullable) {
      validity.push(static_cast<std::uint64_t>(length), is_valid);
      nulls += !is_valid;
    }
    ++length;
  }

  BANKHOOK_INLINE void add_fixed(const auto& value) {
    values.push(value);
    count(true);
  }
  void add_boolean(bool value) {
    booleans.push(static_cast<std::uint64_t>(length), value);
    count(true);
  }
  BANKHOOK_INLINE void add_text(std::string_view text) {
    bytes.append(text);
    push_offset();
    count(true);
  }

  /// A null, or, where the column has no nulls because the value around it is null, an empty value.
  void add_null() {
    if (kind == Kind::fixed) values.push_zeros(width);
    else if (kind == Kind::boolean) booleans.push(static_cast<std::uint64_t>(length), false);
    else if (kind != Kind::structure) push_offset();
    else {
      for (Column& child : children) {
        if (child.is_wanted) child.add_null();
      }
    }
    count(false);
  }

  /// The end of the value that was written last, in the bytes or in the child.
  BANKHOOK_INLINE void push_offset() {
    if (values.size() == 0) [[unlikely]]
      values.push_zeros(width);  // there is one more offset than there are values
    const std::size_t end = kind == Kind::list ? static_cast<std::size_t>(children.front().length) : bytes.size();
    if (width == sizeof(std::int64_t)) values.push(static_cast<std::int64_t>(end));
    else values.push(static_cast<std::int32_t>(end));
  }
};

/// Marks a column, and all columns within it, as wanted or not.
inline void want(Column& column, bool is_wanted) {
  column.is_wanted = is_wanted;
  for (Column& child : column.children) want(child, is_wanted);
}

/// Wants the column within `column` that a path of names leads to, with all around it; false if it leads to no column. A
/// list's elements have no name of their own in a path.
[[nodiscard]] inline bool want_path(Column& column, std::string_view path) {
  const std::size_t dot = path.find('.');
  bool is_found = false;
  for (Column& child : column.children) {
    if (column.kind == Kind::list) is_found = want_path(child, path);
    else if (child.name == path) want(child, is_found = true);
    else if (dot != path.npos && child.name == path.substr(0, dot)) is_found |= want_path(child, path.substr(dot + 1));
  }
  if (is_found) column.is_wanted = true;
  return is_found;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::columns
