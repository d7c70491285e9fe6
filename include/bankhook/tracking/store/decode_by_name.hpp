// SPDX-License-Identifier: MIT
// Packed bytes whose layout is not the current one: each field is found by its name.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/tracking/store/decode.hpp>
#include <bankhook/tracking/store/layout.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace bankhook::tracking {

/// Why bytes cannot be read by name.
enum class LayoutError : std::uint8_t {
  content,        ///< they do not match their layout
  missing_field,  ///< a required field is missing or null
  other_type,     ///< a field has a type that cannot become the current one
};

/// Reads bytes as their layout says, into the current structs. A field that is no longer known is skipped. A field that the
/// bytes do not have becomes null, absent or an empty array; if it can be none of these, that is an error, unless its
/// struct names it in `fields_added_later` or `missing_is_default` is set: then it gets the value that the struct declares.
/// A plain value can be read as an optional one and an optional value, if present, as a plain one; a text and an
/// enumeration can be read as each other. Texts view the bytes and the layout; arrays lie in the arena.
class NamedUnpacker {
 public:
  NamedUnpacker(const Layout& layout, Arena& arena) : layout_(layout), arena_(arena) {}

  bool missing_is_default = false;

  /// Why the last `read` was false.
  [[nodiscard]] LayoutError error() const { return error_; }

  /// Reads a value of type `type`.
  template <class T>
  [[nodiscard]] bool read(CheckedReader& in, std::uint32_t type, T& out) {
    const Packing packing = layout_[type].packing;
    if (packing == Packing::optional) return read_optional(in, type, out);
    if constexpr (base::is_nullable<T> || base::is_maybe_absent<T>) return read(in, type, out.emplace());
    else if constexpr (reflect::is_open_enum<T> || std::same_as<T, std::string_view> || detail::PackedAsText<T>) {
      return read_text(in, type, out);
    } else if constexpr (std::is_enum_v<T>) return read_enumerator(in, type, out);
    else if constexpr (reflect::detail::is_span<T>) return read_array(in, type, out);
    else if constexpr (is_scalar<T>) {
      if (packing != scalar<T>) return fails(LayoutError::other_type);
      return takes(decode(in, out, nullptr));
    } else return read_fields(in, type, out, [&](std::uint32_t field) { return skip(in, field); });
  }

  /// Reads a structure; `other(field)` reads or skips what `T` does not have.
  template <class T, class Other>
  [[nodiscard]] bool read_fields(CheckedReader& in, std::uint32_t structure, T& out, Other&& other) {
    if (layout_[structure].packing != Packing::structure) return fails(LayoutError::other_type);
    std::array<bool, reflect::member_count<T>> seen{};
    const bool fine = layout_.for_each_field(structure, [&](std::uint32_t field) {
      bool is_known = false;
      bool is_read = false;
      reflect::for_each_member<T>([&]<std::size_t I>() {
        if (reflect::member_name<T, I> != layout_[field].name) return true;
        is_known = true;
        is_read = takes(!seen[I]) && read(in, field, reflect::member<I>(out));
        seen[I] = true;
        return false;
      });
      return is_known ? is_read : other(field);
    });
    return fine && reflect::for_each_member<T>([&]<std::size_t I>() {
             return seen[I] || may_miss<T, I>() || missing_is_default || fails(LayoutError::missing_field);
           });
  }

  /// Skips a value of any type.
  [[nodiscard]] bool skip(CheckedReader& in, std::uint32_t type) {
    std::uint64_t number = 0;
    std::string_view text;
    switch (layout_[type].packing) {
      case Packing::text: return takes(detail::decode_text(in, text));
      case Packing::number: return takes(detail::decode_number(in, number));
      case Packing::decimal: return skip_scalar<Decimal>(in);
      case Packing::date: return skip_scalar<std::chrono::year_month_day>(in);
      case Packing::local_timestamp: return skip_scalar<LocalTimestamp>(in);
      case Packing::timestamp: return skip_scalar<Timestamp>(in);
      case Packing::one_of:
      case Packing::any_of: return read_text(in, type, text);
      case Packing::optional: return skip_optional(in, type);
      case Packing::array: return skip_array(in, type);
      case Packing::structure: return layout_.for_each_field(type, [&](std::uint32_t field) { return skip(in, field); });
      case Packing::name: break;
    }
    return fails(LayoutError::content);
  }

  /// How many items an array has: no more than the bytes can hold, so a wrong count allocates no memory.
  [[nodiscard]] bool read_count(CheckedReader& in, std::uint32_t array, std::uint64_t& count) {
    if (layout_[array].packing != Packing::array) return fails(LayoutError::other_type);
    return takes(detail::decode_number(in, count) && count <= in.rest() / layout_[array + 1].size);
  }

 private:
  template <class T, std::size_t I>
  [[nodiscard]] static consteval bool may_miss() {
    if constexpr (requires { T::fields_added_later; }) {
      for (const std::string_view name : T::fields_added_later) {
        if (name == reflect::member_name<T, I>) return true;
      }
    }
    using Field = reflect::MemberType<T, I>;
    return base::is_nullable<Field> || base::is_maybe_absent<Field> || reflect::detail::is_span<Field> ||
           reflect::is_type_tag<Field>;
  }

  template <class T>
  static constexpr Packing scalar = std::unsigned_integral<T>                      ? Packing::number
                                    : std::same_as<T, Decimal>                     ? Packing::decimal
                                    : std::same_as<T, std::chrono::year_month_day> ? Packing::date
                                    : std::same_as<T, LocalTimestamp>              ? Packing::local_timestamp
                                    : std::same_as<T, Timestamp>                   ? Packing::timestamp
                                                                                   : Packing::structure;
  template <class T>
  static constexpr bool is_scalar = scalar<T> != Packing::structure;

  [[nodiscard]] bool fails(LayoutError error) {
    error_ = error;
    return false;
  }
  [[nodiscard]] bool takes(bool is_fine) { return is_fine || fails(LayoutError::content); }

  template <class T>
  [[nodiscard]] bool skip_scalar(CheckedReader& in) {
    T value{};
    return takes(decode(in, value, nullptr));
  }
  [[nodiscard]] bool skip_optional(CheckedReader& in, std::uint32_t type) {
    maybe_absent<std::string_view> text;
    if (layout_[type + 1].packing == Packing::text) return takes(detail::decode_optional(in, text, nullptr));
    bool is_there = false;
    return takes(detail::decode_unsigned(in, is_there)) && (!is_there || skip(in, type + 1));
  }
  [[nodiscard]] bool skip_array(CheckedReader& in, std::uint32_t type) {
    std::uint64_t count = 0;
    if (!read_count(in, type, count)) return false;
    for (; count > 0; --count) {
      if (!skip(in, type + 1)) return false;
    }
    return true;
  }

  /// Reads a value that was optional when it was stored.
  template <class T>
  [[nodiscard]] bool read_optional(CheckedReader& in, std::uint32_t type, T& out) {
    const std::uint32_t inner = type + 1;
    std::uint64_t size = 0;  // of a text and one, or whether there is a value
    if (!takes(detail::decode_number(in, size))) return false;
    if constexpr (base::is_nullable<T> || base::is_maybe_absent<T>) {
      out.reset();
      return size == 0 || read_inner(in, inner, size, out.emplace());
    } else return size == 0 ? fails(LayoutError::missing_field) : read_inner(in, inner, size, out);
  }
  template <class T>
  [[nodiscard]] bool read_inner(CheckedReader& in, std::uint32_t inner, std::uint64_t size, T& out) {
    if (layout_[inner].packing != Packing::text) return takes(size == 1) && read(in, inner, out);
    std::string_view text;
    return takes(detail::decode_bytes(in, size - 1, text)) && assign(text, out);
  }

  /// Reads an enumeration by the names that it had when it was stored, or a text.
  template <class T>
  [[nodiscard]] bool read_text(CheckedReader& in, std::uint32_t type, T& out) {
    const Layout::Type& then = layout_[type];
    std::string_view text;
    if (then.packing == Packing::text) return takes(detail::decode_text(in, text)) && assign(text, out);
    if (then.packing != Packing::one_of && then.packing != Packing::any_of) return fails(LayoutError::other_type);
    std::uint64_t number = 0;
    if (!takes(detail::decode_number(in, number))) return false;
    if (then.packing == Packing::one_of) ++number;
    else if (number == 0) return takes(detail::decode_text(in, text)) && assign(text, out);
    return takes(number < then.end - type) && assign(layout_[type + static_cast<std::uint32_t>(number)].name, out);
  }
  template <class T>
  [[nodiscard]] bool read_enumerator(CheckedReader& in, std::uint32_t type, T& out) {
    OpenEnum<T> open;
    if (!read_text(in, type, open)) return false;
    out = open.known().value_or(T());
    return takes(open.is_known());
  }
  template <class T>
  [[nodiscard]] bool assign(std::string_view text, T& out) {
    if constexpr (reflect::is_open_enum<T>) out = T::of(text);
    else if constexpr (std::same_as<T, std::string_view>) out = text;
    else if constexpr (detail::PackedAsText<T>) return takes(T::scan(text, out = T()));
    else if constexpr (base::is_nullable<T> || base::is_maybe_absent<T>) return assign(text, out.emplace());
    else return fails(LayoutError::other_type);
    return true;
  }

  template <class T>
  [[nodiscard]] bool read_array(CheckedReader& in, std::uint32_t type, std::span<const T>& out) {
    std::uint64_t count = 0;
    if (!read_count(in, type, count)) return false;
    auto* const items = static_cast<T*>(arena_.allocate(static_cast<std::size_t>(count) * sizeof(T), alignof(T)));
    if (items == nullptr) return fails(LayoutError::content);
    std::uninitialized_value_construct_n(items, count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!read(in, type + 1, items[i])) return false;
    }
    out = {items, static_cast<std::size_t>(count)};
    return true;
  }

  const Layout& layout_;
  Arena& arena_;
  LayoutError error_ = LayoutError::content;
};

}  // namespace bankhook::tracking
