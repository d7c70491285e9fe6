// SPDX-License-Identifier: MIT
// RapidJSON reading into the kit's structs: a document parsed in situ and walked in the members' order.
#pragma once

#include <bankhook/bankhook.hpp>
#include <bankhook/json/arena_store.hpp>
#include <bankhook/json/codec_object.hpp>

#include <rapidjson/document.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace bankhook::bench {

/// Reads one event. In situ is its quickest way for values that keep their texts; it overwrites the payload, which is
/// therefore copied first, into a buffer that is kept (as are its pools). Numbers are kept as text and read by the kit,
/// so that amounts stay exact. What it does not check, and the kit does: UTF-8 and repeated names.
class RapidjsonReader {
 public:
  explicit RapidjsonReader(Arena& arena) : store_(arena), values_(std::size_t{1} << 20), stack_(std::size_t{1} << 16) {}

  template <class T>
  [[nodiscard]] bool read(std::string_view payload, T& out) {
    if (text_.size() < payload.size() + 1) text_.resize(2 * payload.size() + 1);
    std::memcpy(text_.data(), payload.data(), payload.size());
    text_[payload.size()] = '\0';
    Pool values(values_.data(), values_.size());
    Pool stack(stack_.data(), stack_.size());
    rapidjson::GenericDocument<rapidjson::UTF8<>, Pool, Pool> document(&values, stack_.size() / 2, &stack);
    constexpr unsigned flags = rapidjson::kParseInsituFlag | rapidjson::kParseNumbersAsStringsFlag;
    document.template ParseInsitu<flags>(text_.data());
    return !document.HasParseError() && read(static_cast<const Value&>(document), out);
  }

 private:
  using Pool = rapidjson::MemoryPoolAllocator<>;
  using Value = rapidjson::GenericValue<rapidjson::UTF8<>, Pool>;

  [[nodiscard]] static bool read(const Value& value, std::string_view& out) {
    if (!value.IsString()) return false;
    out = {value.GetString(), value.GetStringLength()};
    return true;
  }
  template <class T>
  [[nodiscard]] bool read(const Value& value, nullable<T>& out) {
    return value.IsNull() || read(value, out.emplace());
  }
  template <class T>
  [[nodiscard]] bool read(const Value& value, maybe_absent<T>& out) {
    return read(value, out.emplace());
  }
  template <class E>
  [[nodiscard]] static bool read(const Value& value, OpenEnum<E>& out) {
    std::string_view text;
    if (!read(value, text)) return false;
    out = OpenEnum<E>::of(text);
    return true;
  }
  template <class T>
  [[nodiscard]] static bool read(const Value& value, TypeTag<T>&) {
    std::string_view text;
    return read(value, text) && text == TypeTag<T>::text();
  }
  [[nodiscard]] static bool read(const Value& value, std::uint64_t& out) {
    std::string_view text;
    return read(value, text) && text::scan_integer(text.data(), text.data() + text.size(), out).error == Errc::none;
  }
  [[nodiscard]] static bool read(const Value& value, Decimal& out) {
    return read_form(value, out, [](std::string_view text) { return Decimal::parse(text); });
  }
  [[nodiscard]] static bool read(const Value& value, std::chrono::year_month_day& out) {
    return read_form(value, out, [](std::string_view text) { return text::parse_date(text); });
  }
  template <class T>
    requires std::same_as<T, LocalTimestamp> || std::same_as<T, Timestamp>
  [[nodiscard]] static bool read(const Value& value, T& out) {
    return read_form(value, out, [](std::string_view text) { return T::parse(text); });
  }
  /// In order as long as the names come so; from there on each member is looked for.
  template <reflect::Aggregate T>
  [[nodiscard]] bool read(const Value& value, T& out) {
    if (!value.IsObject()) return false;
    auto at = value.MemberBegin();
    return reflect::for_each_member<T>([&]<std::size_t I>() {
      constexpr std::string_view name = reflect::wire_name<T, I>.view();
      constexpr bool optional = is_maybe_absent<reflect::MemberType<T, I>>;
      if (at == value.MemberEnd() || std::string_view(at->name.GetString(), at->name.GetStringLength()) != name) {
        if (optional) return true;
        at = value.FindMember(Value(rapidjson::StringRef(name.data(), name.size())));
      }
      return at != value.MemberEnd() && read((at++)->value, reflect::member<I>(out));
    });
  }
  template <class T>
  [[nodiscard]] bool read(const Value& value, std::span<const T>& out) {
    if (!value.IsArray()) return false;
    auto array = store_.array<T>(value.Size());
    for (const Value& element : value.GetArray()) {
      T* const added = array.add();
      if (added == nullptr || !read(element, *added)) return false;
    }
    out = array.finish();
    return true;
  }

  template <class T, class Parse>
  [[nodiscard]] static bool read_form(const Value& value, T& out, Parse&& parse) {
    std::string_view text;
    if (!read(value, text)) return false;
    const auto parsed = parse(text);
    if (parsed) out = *parsed;
    return parsed.has_value();
  }

  json::ArenaStore store_;
  std::vector<char> text_;
  std::vector<char> values_;
  std::vector<char> stack_;
};

}  // namespace bankhook::bench
