// SPDX-License-Identifier: MIT
// A record in fewer bytes than its struct has: transactions are most of what a tracker holds.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace tracking {

/// Stands for a size that takes more than a byte, and for a value that is not listed: these follow.
inline constexpr std::uint8_t longer = 0xFF;

/// Gives the parts of `value` and their sizes to `code`, which counts, writes or reads them: of a text its size and its
/// bytes, of an enumerator a byte, of an optional a byte and its value, of anything plain its own bytes.
template <class T>
BANKHOOK_INLINE void walk(T& value, auto& code) {
  if constexpr (reflect::Text<T>) {
    std::size_t size = value.size();
    auto first = static_cast<std::uint8_t>(size < longer ? size : longer);
    code(first, 1);
    if (first == longer) code(size, sizeof size);
    else size = first;
    code(value, size);
  } else if constexpr (reflect::OpenEnumeration<T>) {
    static_assert(enumerator_count<typename T::enum_type> <= longer);
    std::string_view text = value.text();
    std::uint8_t number = value.is_known() ? static_cast<std::uint8_t>(*value.known()) : longer;
    code(number, 1);
    if (number == longer) walk(text, code);
    value = number == longer ? T::of(text) : T(static_cast<typename T::enum_type>(number));
  } else if constexpr (reflect::OptionalValue<T>) {
    bool has_value = value.has_value();
    code(has_value, sizeof has_value);
    if (has_value) walk(value ? *value : value.emplace(), code);
  } else if constexpr (reflect::HasParts<T>) {
    static_assert(!reflect::Array<T>, "write a record without arrays: of these no count is stored");
    reflect::for_each_part(value, [&](auto& part) { return walk(part, code), true; });
  } else {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>, "write a record of views and plain data");
    code(value, sizeof value);
  }
}

struct Count {
  std::size_t size = 0;
  void operator()(const auto& /*part*/, std::size_t bytes) { size += bytes; }
};
struct Write {
  char* out;
  void operator()(const auto& part, std::size_t bytes) { std::memcpy(std::exchange(out, out + bytes), &part, bytes); }
  void operator()(std::string_view& text, std::size_t bytes) { simd::copy_text(text, std::exchange(out, out + bytes)); }
};
struct Read {
  const char* in;
  void operator()(auto& part, std::size_t bytes) { std::memcpy(&part, std::exchange(in, in + bytes), bytes); }
  void operator()(std::string_view& text, std::size_t bytes) { text = {std::exchange(in, in + bytes), bytes}; }
};

/// A deep copy of a `T` without arrays, as `Owned<T>` is one, in less memory: it is made a `T` again each time it is looked
/// at, which takes less time than fetching more memory would. An empty one, or one that was moved from, is `T{}`.
template <class T>
class Encoded {
 public:
  Encoded() = default;
  explicit Encoded(T value) {
    Count count;
    walk(value, count);
    bytes_.reset(new char[count.size]);
    Write write{bytes_.get()};
    walk(value, write);
  }
  Encoded(const Encoded& other) : Encoded(*other) {}
  Encoded(Encoded&&) noexcept = default;
  Encoded& operator=(Encoded other) noexcept { return bytes_.swap(other.bytes_), *this; }
  ~Encoded() = default;

  /// The value; its views live as long as this, wherever it is moved to.
  [[nodiscard]] T operator*() const BANKHOOK_LIFETIMEBOUND { return first<T>(); }
  /// The value, or the text that it begins with.
  template <class Part>
  [[nodiscard]] BANKHOOK_INLINE Part first() const BANKHOOK_LIFETIMEBOUND {
    Part value{};
    read(value);
    return value;
  }
  /// How many bytes the block has.
  [[nodiscard]] std::size_t size() const {
    T value{};
    return static_cast<std::size_t>(read(value) - bytes_.get());
  }

 private:
  const char* read(auto& value) const {
    Read code{bytes_.get()};
    if (bytes_) walk(value, code);
    return code.in;
  }

  std::unique_ptr<char[]> bytes_;
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::tracking
