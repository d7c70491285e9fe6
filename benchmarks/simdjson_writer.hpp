// SPDX-License-Identifier: MIT
// How simdjson 4 writes: by hand into its builder, and by the reflection of C++26 where the compiler has it.
#pragma once

#ifdef BANKHOOK_SIMDJSON_REFLECTION
#include "glaze_structs.hpp"
#endif

#include "stream_writer.hpp"

#include <bankhook/bankhook.hpp>

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bankhook::bench {

/// Of the library's structs. Names are constants with their quotes; texts are escaped by the builder.
class SimdjsonWriter {
 public:
  template <class T>
  [[nodiscard]] std::string_view write(const T& event) {
    builder_.clear();
    StreamWriter(*this).put(event);
    std::string_view text;
    return builder_.view().get(text) == simdjson::SUCCESS ? text : std::string_view();
  }

  void text(std::string_view text) { builder_.escape_and_append_with_quotes(text); }
  void integer(std::uint64_t value) { builder_.append(value); }
  void number(std::string_view digits) { builder_.append_raw(digits); }
  void null() { builder_.append_null(); }
  void begin_object() {
    builder_.start_object();
    first_ = true;
  }
  template <auto Name>
  void name() {
    constexpr auto literal = join_literals(FixedString(",\""), Name, FixedString("\":"));
    builder_.append_raw(first_ ? literal.view().substr(1) : literal.view());
    first_ = false;
  }
  void end_object() { builder_.end_object(); }
  void begin_array() { builder_.start_array(); }
  void next() { builder_.append_comma(); }
  void end_array() { builder_.end_array(); }

 private:
  simdjson::builder::string_builder builder_{std::size_t{1} << 16};
  bool first_ = true;
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
