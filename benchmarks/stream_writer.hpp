// SPDX-License-Identifier: MIT
// From the library's structs into a library that writes one value after the other: one walk for all such libraries.
#pragma once

#include <bankhook/bankhook.hpp>
#include <bankhook/json/codec_object.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook::bench {

/// What is asked of a library: text(view), integer(uint64), number(view) of its digits, null(), begin_object(),
/// name<literal>(), end_object(), begin_array(), next() between two elements, end_array(). Dates are printed by the
/// library: no library has them.
template <class Out>
class StreamWriter {
 public:
  explicit StreamWriter(Out& out) : out_(out) {}

  template <detail::reflect::Aggregate T>
  void put(const T& value) {
    out_.begin_object();
    detail::reflect::for_each_field<T>([&]<std::size_t I>() {
      const auto& field = detail::reflect::field<I>(value);
      if constexpr (detail::base::is_maybe_absent<detail::reflect::FieldType<T, I>>) {
        if (!field) return true;
      }
      out_.template name<detail::reflect::wire_name<T, I>>();
      put(field);
      return true;
    });
    out_.end_object();
  }

 private:
  void put(std::string_view text) { out_.text(text); }
  void put(std::uint64_t value) { out_.integer(value); }
  template <class Optional>
    requires detail::base::is_nullable<Optional> || detail::base::is_maybe_absent<Optional>
  void put(const Optional& value) {
    if (value) put(*value);
    else out_.null();
  }
  template <class E>
  void put(const OpenEnum<E>& value) {
    out_.text(value.text());
  }
  template <class T>
  void put(const TypeTag<T>&) {
    out_.text(TypeTag<T>::text());
  }
  void put(const Decimal& value) {
    std::array<char, Decimal::max_printed> digits;
    out_.number(std::string_view(digits.data(), value.print(digits.data())));
  }
  void put(std::chrono::year_month_day value) {
    std::array<char, 10> text;
    detail::text::print_date(value, text.data());
    out_.text(std::string_view(text.data(), text.size()));
  }
  template <class T>
    requires std::same_as<T, LocalTimestamp> || std::same_as<T, Timestamp>
  void put(const T& value) {
    std::array<char, T::max_printed> text;
    out_.text(std::string_view(text.data(), value.print(text.data())));
  }
  template <class T>
  void put(std::span<const T> elements) {
    out_.begin_array();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i > 0) out_.next();
      put(elements[i]);
    }
    out_.end_array();
  }

  Out& out_;
};

}  // namespace bankhook::bench
