// SPDX-License-Identifier: MIT
// Sorting a vector, as std::ranges does it but without its concepts, which cost more to compile than the sorting.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
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

/// An id and where the one that has it stands. What an event names is sorted as these, whatever it is: a sort of each type
/// would cost more to compile than all else that the tracker does with it.
struct Position {
  std::string_view id;
  std::size_t at = 0;

  bool operator<(const Position& other) const {
    const int by_id = id.compare(other.id);
    return by_id != 0 ? by_id < 0 : at < other.at;
  }
};

/// The order of what holds a connection, by the connection's id.
struct ByConnectionId {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return a.connection.id < b.connection.id;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
