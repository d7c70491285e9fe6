// SPDX-License-Identifier: MIT
// What `inspect.signature` shows of a class: its fields as keywords, with ABSENT for those that may be missing.
#pragma once

#include "library.hpp"
#include "names.hpp"
#include "values.hpp"

#include <cstddef>

namespace bankhook::python {

/// The class's `__signature__`, which is made when it is asked for: a docstring can state literals only.
template <class T>
pybind11::object signature_of() {
  pybind11::list parameters;
  reflect::for_each_member<T>([&]<std::size_t I>() {
    using Member = reflect::MemberType<T, I>;
    const pybind11::handle name(member_name_objects<T>[I]);
    if constexpr (base::is_maybe_absent<Member>)
      parameters.append(pybind11::make_tuple(name, pybind11::handle(values.absent)));
    else if constexpr (reflect::is_type_tag<Member>)
      parameters.append(pybind11::make_tuple(name, std::string(Member::text())));
    else if constexpr (is_required<T, I>) parameters.append(pybind11::make_tuple(name));
    else parameters.append(pybind11::make_tuple(name, pybind11::ellipsis()));  // the name in the bytes of an unknown event
    return true;
  });
  return pybind11::module_::import("bankhook._records").attr("LateSignature")(pybind11::tuple(parameters));
}

}  // namespace bankhook::python
