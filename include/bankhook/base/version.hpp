// SPDX-License-Identifier: MIT
// The version of the library; the build reads it from here.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <string_view>

/// For `#if`: major * 10000 + minor * 100 + patch of `bankhook::library_version`.
#define BANKHOOK_VERSION 100

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Major, minor and patch.
inline constexpr std::string_view library_version = "0.1.0";

}}  // namespace bankhook::BANKHOOK_ABI
