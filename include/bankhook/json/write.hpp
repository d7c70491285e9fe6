// SPDX-License-Identifier: MIT
// A value becomes text: the entrance to the writer.
#pragma once

#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/sink.hpp>

#include <string>

namespace bankhook::json {

/// Appends `value`, of any type with a Codec, to `out` as minified JSON.
template <class T>
constexpr void write(const T& value, std::string& out) {
  append(out, [&](Sink& sink) {
    return sink.has_room(Codec<T>::fixed) && Codec<T>::template write<FixedString("")>(sink, value, 0);
  });
}

}  // namespace bankhook::json
