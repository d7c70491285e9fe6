// SPDX-License-Identifier: MIT
// A column while it is written: its name, its type as Arrow spells it, and its values up to the end of a batch.
#pragma once

#include <bankhook/columns/buffer.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::columns {

enum class Kind : std::uint8_t { fixed, boolean, text, long_binary, list, structure };

/// One column, or one that lies within another. The buffers are those of Arrow's columnar format.
struct Column {
  std::string name{};
  std::string format{};
  std::string section{};  ///< of the specification, and what the column means: metadata
  std::string meaning{};
  Kind kind = Kind::fixed;
  std::size_t width = 0;  ///< bytes of a value of fixed width
  bool is_nullable = false;
  bool is_wanted = true;
  std::vector<Column> children{};

  std::int64_t length = 0;
  std::int64_t nulls = 0;
  Buffer validity{};  ///< words of 64 bits, without the last one
  Buffer values{};    ///< of fixed width, or offsets
  Buffer bytes{};     ///< of texts
  std::uint64_t last_validity = 0;

  /// The value was written: counts it.
  BANKHOOK_INLINE void count(bool is_valid) {
    if (is_nullable) {
      last_validity |= std::uint64_t{is_valid} << (static_cast<std::uint64_t>(length) % 64);
      nulls += !is_valid;
    }
    ++length;
    if (is_nullable && length % 64 == 0) [[unlikely]]
      push_last_validity();
  }
  /// Of the least bit first, in bytes: so Arrow orders a bitmap on every machine.
  void push_last_validity() {
    const std::uint64_t word = std::exchange(last_validity, 0);
    validity.push(std::endian::native == std::endian::little ? word : std::byteswap(word));
  }

  template <class T>
  BANKHOOK_INLINE void add_fixed(const T& value) {
    values.push(value);
    count(true);
  }
  void add_boolean(bool value) {
    push_bit(value);
    count(true);
  }
  BANKHOOK_INLINE void add_text(std::string_view text) {
    bytes.append(text);
    push_offset();
    count(true);
  }

  /// A null, or, where the column has no nulls because the value around it is null, an empty value.
  void add_null() {
    switch (kind) {
      case Kind::fixed: values.push_zeros(width); break;
      case Kind::boolean: push_bit(false); break;
      case Kind::text:
      case Kind::long_binary:
      case Kind::list: push_offset(); break;
      case Kind::structure:
        for (Column& child : children) {
          if (child.is_wanted) child.add_null();
        }
        break;
    }
    count(false);
  }

  /// The end of the value that was written last, in the bytes or in the child.
  BANKHOOK_INLINE void push_offset() {
    if (values.size() == 0) [[unlikely]]
      push_first_offset();
    const std::size_t end = kind == Kind::list ? static_cast<std::size_t>(children.front().length) : bytes.size();
    if (kind == Kind::long_binary) values.push(static_cast<std::int64_t>(end));
    else values.push(static_cast<std::int32_t>(end));
  }
  /// Offsets have one more than there are values, even in an empty column.
  void push_first_offset() {
    if (kind == Kind::long_binary) values.push(std::int64_t{0});
    else values.push(std::int32_t{0});
  }

 private:
  void push_bit(bool value) {
    if (length % 8 == 0) values.push(std::uint8_t{0});
    if (!value) return;
    values.change_last<std::uint8_t>(
        [&](std::uint8_t& byte) { byte = static_cast<std::uint8_t>(byte | 1U << static_cast<unsigned>(length % 8)); });
  }
};

/// The child with this name, or nullptr.
[[nodiscard]] inline Column* child_of(Column& column, std::string_view name) {
  for (Column& child : column.children) {
    if (child.name == name) return &child;
  }
  return nullptr;
}

/// Marks a column, and all columns within it, as wanted or not.
inline void want(Column& column, bool is_wanted) {
  column.is_wanted = is_wanted;
  for (Column& child : column.children) want(child, is_wanted);
}

/// Wants the column that a path of names leads to, with all around it; false if it leads to no column. A list's elements
/// have no name of their own in a path.
[[nodiscard]] inline bool want_path(Column& root, std::string_view path) {
  Column* column = &root;
  for (;;) {
    column->is_wanted = true;
    while (column->kind == Kind::list) {
      column = &column->children.front();
      column->is_wanted = true;
    }
    const std::size_t dot = path.find('.');
    column = child_of(*column, path.substr(0, dot));
    if (column == nullptr) return false;
    if (dot == path.npos) break;
    path.remove_prefix(dot + 1);
  }
  want(*column, true);
  return true;
}

}  // namespace bankhook::inline BANKHOOK_ABI::columns
