// SPDX-License-Identifier: MIT
// The name of the map-provider place field, in the environment of a process (2.4, Note).
#include "library.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace bankhook::python {
namespace {

/// Why this cannot be the field's name; null if it can.
const char* fault_of(std::string_view name) {
  const auto& names = reflect::wire_names<InitialTransaction>;
  const auto other = std::ranges::find(names, name);
  const bool is_utf8 = text::find_invalid_utf8(name.data(), name.data() + name.size()) == name.data() + name.size();
  if (name.empty() || name.size() > LateName::max_size || !is_utf8) return "expected 1 to 56 bytes of UTF-8";
  if (!std::ranges::none_of(name, json::detail::needs_escape)) return "expected a name that JSON writes without escapes";
  if (other != names.end() && other != names.begin() + place_id_index) return "expected a name that no other field has";
  return nullptr;
}

}  // namespace

const char* take_place_id_name() {
  const char* const name = std::getenv("BANKHOOK_PLACE_ID");
  if (name == nullptr) return nullptr;
  const char* const fault = fault_of(name);
  if (fault == nullptr) set_place_id_name(name);
  return fault;
}

}  // namespace bankhook::python
