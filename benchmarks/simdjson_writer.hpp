// SPDX-License-Identifier: MIT
// How simdjson 4 writes: by hand into its builder, and by the reflection of C++26 where the compiler has it.
#pragma once

#ifdef BANKHOOK_SIMDJSON_REFLECTION
#include "glaze_structs.hpp"
#endif

#include <bankhook/bankhook.hpp>
#include <bankhook/json/codec_object.hpp>

#include <simdjson.h>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace bankhook::bench {

/// Of the library's structs. Names and quotes are constants, texts are escaped by the builder.
class SimdjsonWriter {
 public:
  template <class T>
  [[nodiscard]] std::string_view write(const T& event) {
    builder_.clear();
    put(event);
    std::string_view text;
    return builder_.view().get(text) == simdjson::SUCCESS ? text : std::string_view();
  }

 private:
  template <reflect::Aggregate T>
  void put(const T& value) {
    bool first = true;
    reflect::for_each_field<T>([&]<std::size_t I>() {
      const auto& field = reflect::field<I>(value);
      if constexpr (base::is_maybe_absent<reflect::FieldType<T, I>>) {
        if (!field) return true;
      }
      constexpr auto name = join_literals(FixedString(",\""), reflect::wire_name<T, I>, FixedString("\":"));
      if (first) builder_.start_object();
      builder_.append_raw(first ? name.view().substr(1) : name.view());
      first = false;
      put(field);
      return true;
    });
    builder_.end_object();
  }
  template <class Optional>
    requires base::is_nullable<Optional> || base::is_maybe_absent<Optional>
  void put(const Optional& value) {
    if (value) put(*value);
    else builder_.append_null();
  }
  template <class T>
  void put(std::span<const T> elements) {
    builder_.start_array();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i > 0) builder_.append_comma();
      put(elements[i]);
    }
    builder_.end_array();
  }
  void put(std::string_view text) { builder_.escape_and_append_with_quotes(text); }
  void put(std::uint64_t number) { builder_.append(number); }
  template <class E>
  void put(const OpenEnum<E>& value) {
    put(value.text());
  }
  template <class T>
  void put(const TypeTag<T>&) {
    put(TypeTag<T>::text());
  }
  void put(const Decimal& value) {
    std::array<char, Decimal::max_printed> text;
    builder_.append_raw(std::string_view(text.data(), value.print(text.data())));
  }
  void put(std::chrono::year_month_day value) {
    std::array<char, 10> text;
    text::print_date(value, text.data());
    put(std::string_view(text.data(), text.size()));
  }
  template <class T>
    requires std::same_as<T, LocalTimestamp> || std::same_as<T, Timestamp>
  void put(const T& value) {
    std::array<char, T::max_printed> text;
    put(std::string_view(text.data(), value.print(text.data())));
  }

  simdjson::builder::string_builder builder_{std::size_t{1} << 16};
};

}  // namespace bankhook::bench

#ifdef BANKHOOK_SIMDJSON_REFLECTION
/// For an optional text 4.6 has two templates, and for a number that is a text none: these win.
namespace simdjson::SIMDJSON_BUILTIN_IMPLEMENTATION::builder {
inline void atom(string_builder& out, const std::optional<std::string_view>& text) {
  if (text) out.escape_and_append_with_quotes(*text);
  else out.append_null();
}
inline void atom(string_builder& out, const glz::raw_json_view& number) { out.append_raw(number.str); }
}  // namespace simdjson::SIMDJSON_BUILTIN_IMPLEMENTATION::builder

namespace bankhook::bench {

/// Of the structs that glaze has, too.
class SimdjsonReflectionWriter {
 public:
  template <class T>
  [[nodiscard]] static glaze::Mirror<T> prepare(const T& event, Arena& arena) {
    return glaze::mirror_of(event, arena);
  }
  template <class Event>
  [[nodiscard]] std::string_view write(const Event& event) {
    builder_.clear();
    simdjson::builder::append(builder_, event);
    std::string_view text;
    return builder_.view().get(text) == simdjson::SUCCESS ? text : std::string_view();
  }

 private:
  simdjson::builder::string_builder builder_{std::size_t{1} << 16};
};

}  // namespace bankhook::bench
#endif
