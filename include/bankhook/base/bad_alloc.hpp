// SPDX-License-Identifier: MIT
// Memory that ran out, as a result: for functions that C calls, through which no exception may pass.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <new>

namespace bankhook::inline BANKHOOK_ABI::base {

/// Calls `f` and returns true, or false if it ran out of memory. Without exceptions, the program has ended then.
template <class F>
bool has_memory_for(F&& f) {
#if defined(__cpp_exceptions)
  try {
    f();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
#else
  f();
  return true;
#endif
}

}  // namespace bankhook::inline BANKHOOK_ABI::base
