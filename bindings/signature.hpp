// SPDX-License-Identifier: MIT
// What `inspect.signature` shows of a class: its fields as keywords, with ABSENT for those that may be missing.
#pragma once

#include "annotations.hpp"
#include "library.hpp"
#include "names.hpp"
#include "values.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::python {

/// Whether those are required that the constructor needs, or none.
enum class Keywords : bool { optional, required };

/// `(self, *, id: str, account_hash: str | None) -> None`, as a stub has it.
template <class T>
std::string keyword_signature(Keywords keywords, std::string_view result) {
  std::string text = "(self, *";
  reflect::for_each_field<T>([&]<std::size_t I>() {
    text.append(", ").append(field_names<T>[I]).append(": ").append(field_annotation<T, I, Use::given>());
    if (keywords == Keywords::optional || !is_required<T, I>) text.append(" = ...");
    return true;
  });
  return text.append(") -> ").append(result);
}

/// The class's `__signature__`, which is made when it is asked for: a docstring can state literals only.
template <class T>
pybind11::object signature_of() {
  pybind11::list parameters;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    using Field = reflect::FieldType<T, I>;
    const pybind11::handle name(field_name_objects<T>[I]);
    if constexpr (base::is_maybe_absent<Field>)
      parameters.append(pybind11::make_tuple(name, pybind11::handle(values.absent)));
    else if constexpr (reflect::is_type_tag<Field>)
      parameters.append(pybind11::make_tuple(name, std::string(Field::text())));
    else if constexpr (is_required<T, I>) parameters.append(pybind11::make_tuple(name));
    else parameters.append(pybind11::make_tuple(name, pybind11::ellipsis()));  // the name in the bytes of an unknown event
    return true;
  });
  return pybind11::module_::import("bankhook._records").attr("LateSignature")(pybind11::tuple(parameters));
}

}  // namespace bankhook::python
