// SPDX-License-Identifier: MIT
// The version of the kit; the build reads it from here.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <string_view>

namespace bankhook {

inline constexpr std::string_view version = "0.1.0";

}  // namespace bankhook
