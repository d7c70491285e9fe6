// SPDX-License-Identifier: MIT
// Events and their parts become bytes: minified JSON, members in the specification's order, absent ones left out.
#pragma once

#include <bankhook/events/codec_event.hpp>
#include <bankhook/json/write/write.hpp>

#include <string>

namespace bankhook {

/// Appends `value` (an event, any event, a resource, or any struct of members that JSON can hold) to `out`.
/// Allocates nothing once `out` has the capacity. Text must be UTF-8; what `parse` gave is.
template <class T>
constexpr void serialize_to(const T& value, std::string& out) {
  json::write(value, out);
}

/// `value` as a new string; see `serialize_to`.
template <class T>
[[nodiscard]] constexpr std::string serialize(const T& value) {
  std::string out;
  serialize_to(value, out);
  return out;
}

}  // namespace bankhook
