// SPDX-License-Identifier: MIT
// A value becomes text: the entrance to the writer.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/write/sink.hpp>

#include <string>

namespace bankhook::inline BANKHOOK_ABI::json {

/// Appends `value`, of any type with a Codec, to `sink` as minified JSON; false if it does not fit.
template <class T>
[[nodiscard]] constexpr bool write(const T& value, Sink& sink) {
  return sink.has_room(Codec<T>::fixed) && Codec<T>::template write<FixedString("")>(sink, value, 0);
}

/// Appends `value` to `out`, which grows where it has to.
template <class T>
constexpr void write(const T& value, std::string& out) {
  append(out, [&](Sink& sink) { return write(value, sink); });
}

/// The same, while the program runs.
template <class T>
BANKHOOK_ENTRY void write_now(const T& value, std::string& out) {
  write(value, out);
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
