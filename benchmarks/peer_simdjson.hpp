// SPDX-License-Identifier: MIT
// simdjson On-Demand reading into the kit's structs: member by member in their order, the quickest way it offers.
#pragma once

#include <bankhook/bankhook.hpp>
#include <bankhook/json/arena_store.hpp>
#include <bankhook/json/codec_object.hpp>

#include <simdjson.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook::bench {

/// Reads one event; texts end up in the parser's buffer, arrays in the arena. What it does not check, and the kit does:
/// that no name is repeated, that what it passes over is JSON, and that nothing follows the document.
class SimdjsonReader {
 public:
  explicit SimdjsonReader(Arena& arena) : store_(arena) {}

  /// By name, each search starting where the last one ended: quickest where members come in the struct's order.
  template <class T, std::size_t I = 0>
  [[nodiscard]] BANKHOOK_INLINE bool read(simdjson::ondemand::object& object, T& out) {
    if constexpr (I < reflect::member_count<T>) {
      constexpr std::string_view name = reflect::wire_name<T, I>.view();
      constexpr bool optional = is_maybe_absent<reflect::MemberType<T, I>>;
      Value value;
      if (object.find_field_unordered(name).get(value) == simdjson::SUCCESS) {
        if (!read(value, reflect::member<I>(out))) return false;
      } else if (!optional) {
        return false;
      }
      return read<T, I + 1>(object, out);
    }
    return true;
  }

 private:
  using Value = simdjson::ondemand::value;

  [[nodiscard]] BANKHOOK_INLINE bool read(Value value, std::string_view& out) {
    return value.get_string().get(out) == simdjson::SUCCESS;
  }

  template <class T>
  [[nodiscard]] BANKHOOK_INLINE bool read(Value value, nullable<T>& out) {
    bool is_null = false;
    if (value.is_null().get(is_null) != simdjson::SUCCESS) return false;
    return is_null || read(value, out.emplace());
  }
  template <class T>
  [[nodiscard]] BANKHOOK_INLINE bool read(Value value, maybe_absent<T>& out) {
    return read(value, out.emplace());
  }
  template <class E>
  [[nodiscard]] bool read(Value value, OpenEnum<E>& out) {
    std::string_view text;
    if (!read(value, text)) return false;
    out = OpenEnum<E>::of(text);
    return true;
  }
  template <class T>
  [[nodiscard]] bool read(Value value, TypeTag<T>&) {
    std::string_view text;
    return read(value, text) && text == TypeTag<T>::text();
  }
  [[nodiscard]] bool read(Value value, std::uint64_t& out) { return value.get_uint64().get(out) == simdjson::SUCCESS; }
  [[nodiscard]] bool read(Value value, Decimal& out) {
    const std::string_view token = value.raw_json_token();
    return text::scan_decimal(token.data(), token.data() + token.size(), out).error == Errc::none;
  }
  [[nodiscard]] bool read(Value value, std::chrono::year_month_day& out) {
    return read_form(value, out, [](std::string_view text) { return text::parse_date(text); });
  }
  template <class T>
    requires std::same_as<T, LocalTimestamp> || std::same_as<T, Timestamp>
  [[nodiscard]] bool read(Value value, T& out) {
    return read_form(value, out, [](std::string_view text) { return T::parse(text); });
  }
  template <class T>
    requires reflect::Aggregate<T>
  [[nodiscard]] BANKHOOK_NOINLINE bool read(Value value, T& out) {
    simdjson::ondemand::object object;
    return value.get_object().get(object) == simdjson::SUCCESS && read(object, out);
  }
  template <class T>
  [[nodiscard]] bool read(Value value, std::span<const T>& out) {
    simdjson::ondemand::array elements;
    if (value.get_array().get(elements) != simdjson::SUCCESS) return false;
    auto array = store_.array<T>(8);
    for (auto element : elements) {
      T* const added = array.add();
      Value held;
      if (added == nullptr || element.get(held) != simdjson::SUCCESS || !read(held, *added)) return false;
    }
    out = array.finish();
    return true;
  }

  template <class T, class Parse>
  [[nodiscard]] bool read_form(Value value, T& out, Parse&& parse) {
    std::string_view text;
    if (!read(value, text)) return false;
    const auto parsed = parse(text);
    if (parsed) out = *parsed;
    return parsed.has_value();
  }

  json::ArenaStore store_;
};

}  // namespace bankhook::bench
