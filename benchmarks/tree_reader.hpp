// SPDX-License-Identifier: MIT
// From the document tree of a library into the library's structs: one walk for all libraries that make one.
#pragma once

#include <bankhook/bankhook.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/parse_context.hpp>

#include <array>
#include <charconv>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook::bench {

/// The shortest decimal that is this number: what was read as binary floating point comes back as it was written.
[[nodiscard]] inline bool read_decimal(double number, Decimal& out) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  const auto parsed = Decimal::parse({digits.data(), end});
  if (parsed) out = *parsed;
  return error == std::errc() && parsed.has_value();
}

/// What is asked of a library: `Tree::Node`, a reference to a value, and
///   text(node, view&), integer(node, uint64&), decimal(node, Decimal&): false where the value is something else
///   is_null(node), is_object(node), is_array(node), size(node), for_each(node, f): f says whether to go on
///   Tree::Members(node).find(name, node&): quick where members are asked for in their order
/// Texts are views into the tree. Dates and times are read by the library: no library has them.
template <class Tree>
class TreeReader {
 public:
  using Node = typename Tree::Node;

  template <detail::reflect::Aggregate T>
  [[nodiscard]] bool read(Node node, T& out) {
    if (!Tree::is_object(node)) return false;
    typename Tree::Members members(node);
    return detail::reflect::for_each_field<T>([&]<std::size_t I>() {
      constexpr std::string_view name = detail::reflect::wire_name<T, I>.view();
      Node value{};
      if (!members.find(name, value)) return detail::base::is_maybe_absent<detail::reflect::FieldType<T, I>>;
      return read(value, detail::reflect::field<I>(out));
    });
  }

  /// Forgets the arrays that were read.
  void reset() { arena_.reset(); }

 private:
  [[nodiscard]] static bool read(Node node, std::string_view& out) { return Tree::text(node, out); }
  [[nodiscard]] static bool read(Node node, std::uint64_t& out) { return Tree::integer(node, out); }
  [[nodiscard]] static bool read(Node node, Decimal& out) { return Tree::decimal(node, out); }
  template <class Optional>
    requires detail::base::is_nullable<Optional> || detail::base::is_maybe_absent<Optional>
  [[nodiscard]] bool read(Node node, Optional& out) {
    return Tree::is_null(node) || read(node, out.emplace());
  }
  template <class E>
  [[nodiscard]] static bool read(Node node, OpenEnum<E>& out) {
    std::string_view text;
    if (!Tree::text(node, text)) return false;
    out = OpenEnum<E>::of(text);
    return true;
  }
  template <class T>
  [[nodiscard]] static bool read(Node node, TypeTag<T>&) {
    std::string_view text;
    return Tree::text(node, text) && text == TypeTag<T>::text();
  }
  [[nodiscard]] static bool read(Node node, std::chrono::year_month_day& out) {
    return read_form(node, out, [](std::string_view text) { return detail::text::parse_date(text); });
  }
  template <class T>
    requires std::same_as<T, LocalTimestamp> || std::same_as<T, Timestamp>
  [[nodiscard]] static bool read(Node node, T& out) {
    return read_form(node, out, [](std::string_view text) { return T::parse(text); });
  }
  template <class T>
  [[nodiscard]] bool read(Node node, std::span<const T>& out) {
    if (!Tree::is_array(node)) return false;
    detail::json::ArrayBuilder<T> array(arena_, Tree::size(node));
    const bool fine = Tree::for_each(node, [&](Node element) {
      T* const added = array.add();
      return added != nullptr && read(element, *added);
    });
    out = array.finish();
    return fine;
  }

  template <class T, class Parse>
  [[nodiscard]] static bool read_form(Node node, T& out, Parse&& parse) {
    std::string_view text;
    if (!Tree::text(node, text)) return false;
    const auto parsed = parse(text);
    if (parsed) out = *parsed;
    return parsed.has_value();
  }

  Arena arena_;
};

/// `Tree::Members` over members that lie in a row: compares with the next one, and searches only where that is another.
/// `key(*iterator)` is its name, `value(*iterator)` its value.
template <class Iterator, class Node, auto key, auto value>
class MembersInARow {
 public:
  MembersInARow(Iterator begin, Iterator end) : begin_(begin), next_(begin), end_(end) {}

  [[nodiscard]] bool find(std::string_view name, Node& out) {
    auto at = next_;
    if (at == end_ || key(*at) != name) {
      for (at = begin_; at != end_ && key(*at) != name;) ++at;
      if (at == end_) return false;
    }
    out = value(*at);
    next_ = ++at;
    return true;
  }

 private:
  Iterator begin_, next_, end_;
};

}  // namespace bankhook::bench
