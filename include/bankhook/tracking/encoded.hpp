// SPDX-License-Identifier: MIT
// A struct of texts, enumerations and plain values in one block of bytes, several times smaller than the struct.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// Written instead of a text's size or an enumerator: the size follows, or a text.
inline constexpr std::size_t escape = 0xFF;

/// Gives the bytes of `value` to `put(start, count)`, part by part. A text takes its size and its bytes, an enumerator one
/// byte, an optional one byte and its value, anything plain its own bytes.
template <class T, class Put>
BANKHOOK_INLINE void encode(const T& value, Put& put) {
  const auto put_byte = [&](std::size_t number) {
    const auto byte = static_cast<char>(number);
    put(&byte, 1);
  };
  if constexpr (reflect::Text<T>) {
    const std::size_t size = value.size();
    put_byte(std::min(size, escape));
    if (size >= escape) put(&size, sizeof size);
    put(value.data(), size);
  } else if constexpr (reflect::OpenEnumeration<T>) {
    const auto known = value.known();
    put_byte(known ? static_cast<std::size_t>(*known) : escape);
    if (!known) encode(value.text(), put);
  } else if constexpr (reflect::HasParts<T>) {
    static_assert(!reflect::Array<T> && !reflect::Alternatives<T>, "an_encoded_struct_has_no_arrays_and_no_variants");
    if constexpr (reflect::OptionalValue<T>) put_byte(value.has_value());
    reflect::for_each_part(value, [&](const auto& part) { return encode(part, put), true; });
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "an_encoded_value_is_plain");
    put(&value, sizeof value);
  }
}
template <class T>
[[nodiscard]] std::size_t encoded_size(const T& value) {
  std::size_t size = 0;
  auto count = [&](const void*, std::size_t bytes) { size += bytes; };
  encode(value, count);
  return size;
}

/// Reads what `encode` wrote and returns the position after it. Texts view the bytes.
template <class T>
const char* decode(const char* in, T& out) {
  if constexpr (reflect::Text<T>) {
    std::size_t size = static_cast<unsigned char>(*in++);
    if (size == escape) {
      std::memcpy(&size, in, sizeof size);
      in += sizeof size;
    }
    out = {in, size};
    return in + size;
  } else if constexpr (reflect::OpenEnumeration<T>) {
    const std::size_t known = static_cast<unsigned char>(*in++);
    std::string_view text;
    if (known == escape) in = decode(in, text);
    out = known == escape ? T::of(text) : T(static_cast<typename T::enum_type>(known));
    return in;
  } else if constexpr (reflect::OptionalValue<T>) {
    out.reset();
    return *in++ == 0 ? in : decode(in, out.emplace());
  } else if constexpr (reflect::HasParts<T>) {
    reflect::for_each_part(out, [&](auto& part) { return in = decode(in, part), true; });
    return in;
  } else {
    std::memcpy(&out, in, sizeof out);
    return in + sizeof out;
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// A deep copy of a `T` without arrays, as `Owned<T>` is one, in fewer bytes: it is made a `T` again each time it is looked
/// at. A moved-from one may only be assigned or destroyed. Construction throws std::bad_alloc if memory runs out.
template <class T>
class Encoded {
 public:
  explicit Encoded(const T& value) : bytes_(std::make_unique_for_overwrite<char[]>(detail::encoded_size(value))) {
    char* out = bytes_.get();
    auto write = [&](const void* bytes, std::size_t count) {
      if (count != 0) std::memcpy(out, bytes, count);
      out += count;
    };
    detail::encode(value, write);
  }
  Encoded(const Encoded& other) : Encoded(*other) {}
  Encoded(Encoded&&) noexcept = default;
  Encoded& operator=(const Encoded& other) { return *this = Encoded(other); }
  Encoded& operator=(Encoded&&) noexcept = default;
  ~Encoded() = default;

  /// The value; its texts live as long as this, wherever it is moved to.
  [[nodiscard]] T operator*() const {
    T value{};
    detail::decode(bytes_.get(), value);
    return value;
  }
  /// The first text of a struct that begins with one.
  [[nodiscard]] std::string_view first_text() const {
    std::string_view text;
    detail::decode(bytes_.get(), text);
    return text;
  }
  /// How many bytes it has allocated.
  [[nodiscard]] std::size_t size() const { return detail::encoded_size(**this); }

 private:
  std::unique_ptr<char[]> bytes_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
