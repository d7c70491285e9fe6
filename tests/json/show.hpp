// SPDX-License-Identifier: MIT
// How a failed comparison shows an error.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/error.hpp>

#include <array>
#include <cstddef>
#include <ostream>
#include <string_view>
#include <utility>

namespace bankhook {

/// The name of a code as it is written in the source.
[[nodiscard]] inline std::string_view name_of(Errc code) {
  static constexpr auto names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, sizeof...(I)>{bankhook::enumerator_name<Errc, I>...};
  }(std::make_index_sequence<bankhook::enumerator_count<Errc>>());
  return names[static_cast<std::size_t>(code)];
}

inline std::ostream& operator<<(std::ostream& out, Errc code) { return out << name_of(code); }

inline std::ostream& operator<<(std::ostream& out, const Error& error) {
  return out << error.code << " at " << error.offset << (error.or_null ? ", or null" : "") << " [" << error.member << "]";
}

}  // namespace bankhook
