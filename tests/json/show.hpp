// SPDX-License-Identifier: MIT
// How a failed comparison shows an error.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/error.hpp>

#include <ostream>

namespace bankhook {

inline std::ostream& operator<<(std::ostream& out, Errc code) { return out << name_of(code); }

inline std::ostream& operator<<(std::ostream& out, const Error& error) {
  return out << error.code << " at " << error.offset << (error.or_null ? ", or null" : "") << " [" << error.field << "]";
}

}  // namespace bankhook
