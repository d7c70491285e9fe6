// SPDX-License-Identifier: MIT
// Sorting a vector, as std::ranges does it but without its concepts, which cost more to compile than the sorting.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <algorithm>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking {

template <class T>
void sort(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
}
template <class T, class Less>
void sort(std::vector<T>& values, Less less) {
  std::sort(values.begin(), values.end(), less);
}

/// Of neighbours that are the same, the first one stays.
template <class T, class Same>
void remove_repeated(std::vector<T>& values, Same same) {
  values.erase(std::unique(values.begin(), values.end(), same), values.end());
}

/// The order of what holds a connection, by the connection's id.
struct ByConnectionId {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return a.connection.id < b.connection.id;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
