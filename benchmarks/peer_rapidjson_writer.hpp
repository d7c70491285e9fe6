// SPDX-License-Identifier: MIT
// RapidJSON's writer fed from the kit's structs.
#pragma once

#include <bankhook/bankhook.hpp>
#include <bankhook/json/codec_object.hpp>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace bankhook::bench {

/// Writes events into a buffer that is kept. Dates and amounts are printed by the kit: the library has none.
class RapidjsonWriter {
 public:
  /// The text of `event`; valid until the next call.
  [[nodiscard]] std::string_view write(const AnyEvent& event) {
    buffer_.Clear();
    writer_.Reset(buffer_);
    std::visit([&](const auto& held) { put(held); }, event);
    return {buffer_.GetString(), buffer_.GetSize()};
  }

 private:
  void put(std::string_view text) { writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size())); }
  void put(std::uint64_t value) { writer_.Uint64(value); }
  template <class T>
  void put(const nullable<T>& value) {
    if (value) put(*value);
    else writer_.Null();
  }
  template <class T>
  void put(const maybe_absent<T>& value) {
    put(*value);
  }
  template <class E>
  void put(const OpenEnum<E>& value) {
    put(value.text());
  }
  template <class T>
  void put(const TypeTag<T>&) {
    put(TypeTag<T>::text());
  }
  void put(const Decimal& value) {
    std::array<char, Decimal::max_printed> digits;
    const char* const end = value.print(digits.data());
    writer_.RawValue(digits.data(), static_cast<std::size_t>(end - digits.data()), rapidjson::kNumberType);
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
  void put(const UnknownEvent& event) { writer_.RawValue(event.raw.data(), event.raw.size(), rapidjson::kObjectType); }
  template <class T>
  void put(std::span<const T> elements) {
    writer_.StartArray();
    for (const T& element : elements) put(element);
    writer_.EndArray();
  }
  template <reflect::Aggregate T>
    requires(!std::same_as<T, UnknownEvent>)
  void put(const T& value) {
    writer_.StartObject();
    reflect::for_each_member<T>([&]<std::size_t I>() {
      const auto& held = reflect::member<I>(value);
      if constexpr (is_maybe_absent<reflect::MemberType<T, I>>) {
        if (!held) return true;
      }
      constexpr std::string_view name = reflect::wire_name<T, I>.view();
      writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
      put(held);
      return true;
    });
    writer_.EndObject();
  }

  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_;
};

}  // namespace bankhook::bench
