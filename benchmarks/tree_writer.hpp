// SPDX-License-Identifier: MIT
// From the library's structs into the document tree of a library, which then prints it: one walk for all such libraries.
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

/// What is asked of a library: `Tree::Node`, an owned value or a handle, and
///   text(view), integer(uint64), decimal(Decimal), null(): a value
///   object(size), array(size): an empty one; add(object, name, node), append(array, node): put into it
/// Dates are printed by the library: no library has them.
template <class Tree>
class TreeWriter {
 public:
  using Node = typename Tree::Node;

  explicit TreeWriter(Tree& tree) : tree_(tree) {}

  template <detail::reflect::Aggregate T>
  [[nodiscard]] Node make(const T& value) {
    Node object = tree_.object(detail::reflect::field_count<T>);
    detail::reflect::for_each_field<T>([&]<std::size_t I>() {
      const auto& held = detail::reflect::field<I>(value);
      if constexpr (detail::base::is_maybe_absent<detail::reflect::FieldType<T, I>>) {
        if (!held) return true;
      }
      tree_.add(object, detail::reflect::wire_name<T, I>.view(), make(held));
      return true;
    });
    return object;
  }

 private:
  [[nodiscard]] Node make(std::string_view text) { return tree_.text(text); }
  [[nodiscard]] Node make(std::uint64_t value) { return tree_.integer(value); }
  [[nodiscard]] Node make(const Decimal& value) { return tree_.decimal(value); }
  template <class T>
  [[nodiscard]] Node make(const nullable<T>& value) {
    return value ? make(*value) : tree_.null();
  }
  template <class T>
  [[nodiscard]] Node make(const maybe_absent<T>& value) {
    return make(*value);
  }
  template <class E>
  [[nodiscard]] Node make(const OpenEnum<E>& value) {
    return tree_.text(value.text());
  }
  template <class T>
  [[nodiscard]] Node make(const TypeTag<T>&) {
    return tree_.text(TypeTag<T>::text());
  }
  [[nodiscard]] Node make(std::chrono::year_month_day value) {
    std::array<char, 10> text;
    detail::text::print_date(value, text.data());
    return tree_.text({text.data(), text.size()});
  }
  template <class T>
    requires std::same_as<T, LocalTimestamp> || std::same_as<T, Timestamp>
  [[nodiscard]] Node make(const T& value) {
    std::array<char, T::max_printed> text;
    return tree_.text(std::string_view(text.data(), value.print(text.data())));
  }
  template <class T>
  [[nodiscard]] Node make(std::span<const T> elements) {
    Node array = tree_.array(elements.size());
    for (const T& element : elements) tree_.append(array, make(element));
    return array;
  }

  Tree& tree_;
};

}  // namespace bankhook::bench
