// SPDX-License-Identifier: MIT
// What may not be passed where a view of it is kept: a text that is gone before the view.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <concepts>
#include <string_view>  // and enable_borrowed_range, without the rest of <ranges>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// A text that would be gone before the views into it: `parse(read_file(), arena)` does not compile.
template <class S>
concept TemporaryText = !std::is_lvalue_reference_v<S> && std::convertible_to<S, std::string_view> &&
                        requires(S& text) { text.begin(); } && !std::ranges::enable_borrowed_range<std::remove_cv_t<S>>;

}  // namespace bankhook::inline BANKHOOK_ABI::detail
