// SPDX-License-Identifier: MIT
// Typed signatures: kept by name for the stub, and without their types in front of docstrings.
#include "stub_signatures.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <utility>

namespace bankhook::python {
namespace {

/// Lives as long as the tables of functions, which are made before the module is.
struct Notes {
  std::deque<std::string> docstrings;
  std::map<const char*, std::string> signatures;
  std::map<std::string, std::string> by_name;
};

Notes& notes() {
  static Notes all;
  return all;
}

/// Where the parameter that starts at `from` ends: at a comma or the closing parenthesis outside of brackets and quotes.
std::size_t end_of_parameter(std::string_view text, std::size_t from) {
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = from; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (depth == 0 && (c == ',' || c == ')')) return i;
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
  }
  return text.size();
}

/// `report: str = "all"` becomes `report="all"`, and `self` what CPython calls it.
std::string untyped(std::string_view parameter) {
  if (parameter == "self") return "$self";
  if (parameter == "cls") return "$type";
  const std::size_t value = parameter.find(" = ");
  std::string text(parameter.substr(0, std::min(parameter.find(':'), value)));
  return value == parameter.npos ? text : text.append("=").append(parameter.substr(value + 3));
}

/// `($self, event, /)` for `(self, event: AnyEvent, /) -> Outcome`. An object is always given by position.
std::string text_signature(std::string_view typed) {
  std::string text = "(";
  bool is_method = false;
  bool has_slash = false;
  for (std::size_t at = 1; at < typed.size() && typed[at] != ')';) {
    const std::size_t end = end_of_parameter(typed, at);
    const std::string parameter = untyped(typed.substr(at, end - at));
    is_method |= parameter.starts_with('$');
    has_slash |= parameter == "/";
    text.append(text.size() > 1 ? ", " : "").append(parameter);
    at = typed[end] == ',' ? end + 2 : end;
  }
  if (is_method && !has_slash) text.insert(std::min(text.find(','), text.size()), ", /");
  return text + ')';
}

}  // namespace

const char* docstring(std::string_view name, std::string_view signature, std::string_view doc) {
  std::string text(name);
  text.append(text_signature(signature)).append("\n--\n\n").append(doc);
  const char* const kept = notes().docstrings.emplace_back(std::move(text)).c_str();
  notes().signatures.emplace(kept, signature);
  return kept;
}

void note_bound(std::string name, const char* docstring) {
  const auto found = notes().signatures.find(docstring);
  if (found != notes().signatures.end()) note_signature(std::move(name), found->second);
}

void note_signature(std::string name, std::string signature) {
  notes().by_name.emplace(std::move(name), std::move(signature));
}

pybind11::dict noted_signatures() {
  pybind11::dict all;
  for (const auto& [name, signature] : notes().by_name) all[pybind11::str(name)] = signature;
  return all;
}

}  // namespace bankhook::python
