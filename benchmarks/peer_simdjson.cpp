// SPDX-License-Identifier: MIT
// simdjson On-Demand into the library's structs: by name, fields as they come, and many documents at once; its builders.
#include "peer.hpp"
#ifdef BANKHOOK_SIMDJSON_BUILDER
#include "simdjson_writer.hpp"
#endif

#include <bankhook/bankhook.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/parse_context.hpp>

#include <simdjson.h>

#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace bankhook::bench { namespace {

enum class Fields { by_name, as_they_come };

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
    else return read_as_they_come(object, out);
  }

  /// Each search starts where the last one ended: quickest where members come in the struct's order.
  template <class T, std::size_t I = 0>
  [[nodiscard]] BANKHOOK_INLINE bool read_by_name(Object& object, T& out) {
    if constexpr (I < detail::reflect::field_count<T>) {
      constexpr std::string_view name = detail::reflect::wire_name<T, I>.view();
      Value value;
      if (object.find_field_unordered(name).get(value) == simdjson::SUCCESS) {
        if (!read(value, detail::reflect::field<I>(out))) return false;
      } else if (!detail::base::is_maybe_absent<detail::reflect::FieldType<T, I>>) {
        return false;
      }
      return read_by_name<T, I + 1>(object, out);
    }
    return true;
  }

  /// The size of its name decides which members a field is compared with. Costs nothing where a member is absent, or in
  /// another place.
  template <class T>
  [[nodiscard]] BANKHOOK_INLINE bool read_as_they_come(Object& object, T& out) {
    std::uint32_t seen = 0;
    for (auto result : object) {
      simdjson::ondemand::field field;
      if (std::move(result).get(field) != simdjson::SUCCESS || !read_sized(field, out, seen)) return false;
    }
    return detail::reflect::for_each_field<T>([&]<std::size_t I>() {
      return detail::base::is_maybe_absent<detail::reflect::FieldType<T, I>> || (seen >> I & 1) != 0;
    });
  }
  /// With all sizes of names that there are; the values are compared with the library's, so that none can be missed here.
  template <class T>
  [[nodiscard]] BANKHOOK_INLINE bool read_sized(simdjson::ondemand::field& field, T& out, std::uint32_t& seen) {
    const std::string_view name = name_of(field);
    switch (name.size()) {
      case 2: return read_named<2>(name, field, out, seen);
      case 4: return read_named<4>(name, field, out, seen);
      case 5: return read_named<5>(name, field, out, seen);
      case 6: return read_named<6>(name, field, out, seen);
      case 7: return read_named<7>(name, field, out, seen);
      case 8: return read_named<8>(name, field, out, seen);
      case 9: return read_named<9>(name, field, out, seen);
      case 10: return read_named<10>(name, field, out, seen);
      case 11: return read_named<11>(name, field, out, seen);
      case 12: return read_named<12>(name, field, out, seen);
      case 13: return read_named<13>(name, field, out, seen);
      case 14: return read_named<14>(name, field, out, seen);
      case 15: return read_named<15>(name, field, out, seen);
      case 16: return read_named<16>(name, field, out, seen);
      case 18: return read_named<18>(name, field, out, seen);
      case 21: return read_named<21>(name, field, out, seen);
      case 28: return read_named<28>(name, field, out, seen);
      default: return true;
    }
  }
  template <std::size_t Size, std::size_t I = 0, class T>
  [[nodiscard]] BANKHOOK_INLINE bool read_named(std::string_view name, simdjson::ondemand::field& field, T& out,
                                                std::uint32_t& seen) {
    if constexpr (I < detail::reflect::field_count<T>) {
      constexpr std::string_view own = detail::reflect::wire_name<T, I>.view();
      if constexpr (own.size() == Size) {
        if (std::memcmp(name.data(), own.data(), Size) == 0) {
          seen |= std::uint32_t{1} << I;
          return read(field.value(), detail::reflect::field<I>(out));
        }
      }
      return read_named<Size, I + 1>(name, field, out, seen);
    }
    return true;
  }
  /// As it stands in the text: newer versions know where it ends, in others its quote is looked for, eight bytes at a time.
  template <class Field>
  [[nodiscard]] BANKHOOK_INLINE static std::string_view name_of(const Field& field) {
    if constexpr (requires { field.escaped_key(); }) return field.escaped_key();
    const char* const begin = field.key().raw();
    for (std::size_t size = 0;; size += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, begin + size, sizeof word);
      word ^= 0x2222222222222222;
      const std::uint64_t quotes = (word - 0x0101010101010101) & ~word & 0x8080808080808080;
      if (quotes != 0) return {begin, size + static_cast<std::size_t>(std::countr_zero(quotes)) / 8};
    }
  }

  [[nodiscard]] BANKHOOK_INLINE bool read(Value value, std::string_view& out) {
    return value.get_string().get(out) == simdjson::SUCCESS;
  }

  template <class Optional>
    requires detail::base::is_nullable<Optional> || detail::base::is_maybe_absent<Optional>
  [[nodiscard]] BANKHOOK_INLINE bool read(Value value, Optional& out) {
    bool is_null = false;
    if (value.is_null().get(is_null) != simdjson::SUCCESS) return false;
    return is_null || read(value, out.emplace());
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
    return detail::text::scan_decimal(token.data(), token.data() + token.size(), out).error == Errc::none;
  }
  [[nodiscard]] bool read(Value value, std::chrono::year_month_day& out) {
    return read_form(value, out, [](std::string_view text) { return detail::text::parse_date(text); });
  }
  template <class T>
    requires std::same_as<T, LocalTimestamp> || std::same_as<T, Timestamp>
  [[nodiscard]] bool read(Value value, T& out) {
    return read_form(value, out, [](std::string_view text) { return T::parse(text); });
  }
  template <class T>
    requires detail::reflect::Aggregate<T>
  [[nodiscard]] BANKHOOK_NOINLINE bool read(Value value, T& out) {
    Object object;
    return value.get_object().get(object) == simdjson::SUCCESS && read(object, out);
  }
  template <class T>
  [[nodiscard]] bool read(Value value, std::span<const T>& out) {
    simdjson::ondemand::array elements;
    if (value.get_array().get(elements) != simdjson::SUCCESS) return false;
    detail::json::ArrayBuilder<T> array(arena_, 8);
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
  add_reader<SimdjsonReader<Fields::by_name>>(name, corpus);
  using Reader = SimdjsonReader<Fields::as_they_come>;
  add_reader<Reader>(name + ", by the size of names", corpus);
  with_event_type(corpus, [&]<class T>() {
    measure("parse", name + ", iterate_many", corpus, [&corpus] {
      return
          [&corpus, reader = std::make_unique<Reader>(corpus)] { return reader->template read_many<T>(corpus.archive()); };
    });
  });
}

#ifdef BANKHOOK_SIMDJSON_BUILDER
void write(const std::string& name, const Corpus& corpus, const std::shared_ptr<const Values>& values) {
  add_writer<SimdjsonWriter>(name, corpus, values);
#ifdef BANKHOOK_SIMDJSON_REFLECTION
  add_writer<SimdjsonReflectionWriter>(name + ", reflection", corpus, values);
#endif
}
constexpr const char* written = "nothing; by reflection, null for what is absent";
#else
constexpr auto write = nullptr;  // older ones have no writer
constexpr const char* written = "";
#endif

const bool enrolled = enroll(
    {.name = "simdjson",
     .version = BANKHOOK_PEER_VERSION,
     .how = "On-Demand; each member looked for by name, or the fields as they come, by the size of their names; from "
            "version 4 on its builder, by hand, with GCC 16 by reflection, too",
     .unchecked = "repeated names, the grammar of what is skipped, what follows the document",
     .written = written,
     .read = read,
     .write = write});

}}  // namespace bankhook::bench
