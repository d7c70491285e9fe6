// SPDX-License-Identifier: MIT
// simdjson On-Demand into the library's structs: by name, field by field in two ways, and many documents at once.
#include "peer.hpp"

#include <bankhook/bankhook.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/read/parse_context.hpp>

#include <simdjson.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace bankhook::bench {
namespace {

enum class Fields { by_name, as_they_come, by_size };

/// Texts end up in the parser's buffer, arrays in the arena.
template <Fields Way>
class SimdjsonReader {
 public:
  explicit SimdjsonReader(const Corpus&) {
    // All peers are measured on one thread; the library has others only where it was built so.
    [](auto& parser) {
      if constexpr (requires { parser.threaded; }) parser.threaded = false;
    }(parser_);
  }

  /// The events are followed by readable bytes: nothing is copied.
  template <class T>
  [[nodiscard]] const T* read(std::string_view event) {
    const simdjson::padded_string_view padded(event.data(), event.size(), event.size() + simdjson::SIMDJSON_PADDING);
    simdjson::ondemand::document document;
    if (parser_.iterate(padded).get(document) != simdjson::SUCCESS) return nullptr;
    return read_document<T>(document);
  }

  /// How many of the documents in `archive` are a `T`.
  template <class T>
  [[nodiscard]] std::size_t read_many(std::string_view archive) {
    constexpr std::size_t batch = std::size_t{1} << 18;
    simdjson::ondemand::document_stream stream;
    if (parser_.iterate_many(archive.data(), archive.size(), batch).get(stream) != simdjson::SUCCESS) return 0;
    std::size_t fine = 0;
    for (auto document : stream) {
      const T* const event = read_document<T>(document);
      keep(event);
      fine += event != nullptr;
    }
    return fine;
  }

 private:
  using Value = simdjson::ondemand::value;
  using Object = simdjson::ondemand::object;

  template <class T, class Document>
  [[nodiscard]] const T* read_document(Document&& document) {
    arena_.reset();
    T& out = held_.fresh<T>();
    Object object;
    return document.get_object().get(object) == simdjson::SUCCESS && read(object, out) ? &out : nullptr;
  }

  template <class T>
  [[nodiscard]] BANKHOOK_INLINE bool read(Object& object, T& out) {
    if constexpr (Way == Fields::by_name) return read_by_name(object, out);
    else if constexpr (Way == Fields::as_they_come) return read_as_they_come(object, out);
    else return read_by_size(object, out);
  }

  /// Each search starts where the last one ended: quickest where members come in the struct's order.
  template <class T, std::size_t I = 0>
  [[nodiscard]] BANKHOOK_INLINE bool read_by_name(Object& object, T& out) {
    if constexpr (I < reflect::field_count<T>) {
      constexpr std::string_view name = reflect::wire_name<T, I>.view();
      Value value;
      if (object.find_field_unordered(name).get(value) == simdjson::SUCCESS) {
        if (!read(value, reflect::field<I>(out))) return false;
      } else if (!base::is_maybe_absent<reflect::FieldType<T, I>>) {
        return false;
      }
      return read_by_name<T, I + 1>(object, out);
    }
    return true;
  }

  /// Each field is compared with the member after the last one first. Costs nothing where a member is absent.
  template <class T>
  [[nodiscard]] BANKHOOK_INLINE bool read_as_they_come(Object& object, T& out) {
    constexpr auto all = std::make_index_sequence<reflect::field_count<T>>();
    std::uint32_t seen = 0;
    std::size_t next = 0;
    for (auto result : object) {
      simdjson::ondemand::field field;
      if (std::move(result).get(field) != simdjson::SUCCESS) return false;
      bool fine = true;
      const auto take = [&]<std::size_t I>() {
        if (!(field.key() == reflect::wire_name<T, I>.view())) return false;
        fine = read(field.value(), reflect::field<I>(out));
        seen |= std::uint32_t{1} << I;
        next = I + 1;
        return true;
      };
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        const std::size_t from = next;
        return ((I >= from && take.template operator()<I>()) || ...) ||
               ((I < from && take.template operator()<I>()) || ...);
      }(all);
      if (!fine) return false;
    }
    return reflect::for_each_field<T>(
        [&]<std::size_t I>() { return base::is_maybe_absent<reflect::FieldType<T, I>> || (seen >> I & 1) != 0; });
  }

  /// The size of a member's name decides which names it is compared with.
  template <class T>
  [[nodiscard]] BANKHOOK_INLINE bool read_by_size(Object& object, T& out) {
    std::uint32_t seen = 0;
    for (auto result : object) {
      simdjson::ondemand::field field;
      if (std::move(result).get(field) != simdjson::SUCCESS) return false;
      const std::string_view name = name_of(field);
      bool fine = true;
      reflect::for_each_field<T>([&]<std::size_t I>() {
        constexpr std::string_view own = reflect::wire_name<T, I>.view();
        if (name.size() != own.size() || std::memcmp(name.data(), own.data(), own.size()) != 0) return true;
        fine = read(field.value(), reflect::field<I>(out));
        seen |= std::uint32_t{1} << I;
        return false;
      });
      if (!fine) return false;
    }
    return reflect::for_each_field<T>(
        [&]<std::size_t I>() { return base::is_maybe_absent<reflect::FieldType<T, I>> || (seen >> I & 1) != 0; });
  }
  /// As it stands in the text: newer versions know where it ends.
  template <class Field>
  [[nodiscard]] BANKHOOK_INLINE static std::string_view name_of(const Field& field) {
    if constexpr (requires { field.escaped_key(); }) return field.escaped_key();
    const char* const begin = field.key().raw();
    return {begin, static_cast<const char*>(std::memchr(begin, '"', 256))};
  }

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
    Object object;
    return value.get_object().get(object) == simdjson::SUCCESS && read(object, out);
  }
  template <class T>
  [[nodiscard]] bool read(Value value, std::span<const T>& out) {
    simdjson::ondemand::array elements;
    if (value.get_array().get(elements) != simdjson::SUCCESS) return false;
    json::ArrayBuilder<T> array(arena_, 8);
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

  simdjson::ondemand::parser parser_;
  Arena arena_;
  HeldEvents held_;
};

void read(const std::string& name, const Corpus& corpus) {
  using Reader = SimdjsonReader<Fields::by_name>;
  add_reader<Reader>(name, corpus);
  add_reader<SimdjsonReader<Fields::as_they_come>>(name + ", field by field", corpus);
  add_reader<SimdjsonReader<Fields::by_size>>(name + ", by the size of names", corpus);
  with_event_type(corpus, [&]<class T>() {
    measure("parse", name + ", iterate_many", corpus, [&corpus] {
      return
          [&corpus, reader = std::make_unique<Reader>(corpus)] { return reader->template read_many<T>(corpus.archive()); };
    });
  });
}

const bool enrolled = enroll(
    {.name = "simdjson",
     .version = BANKHOOK_PEER_VERSION,
     .how = "On-Demand; each member looked for by name, or the fields as they come, by their order or by the size of names",
     .unchecked = "repeated names, the grammar of what is skipped, what follows the document",
     .written = {},
     .read = read});

}  // namespace
}  // namespace bankhook::bench
