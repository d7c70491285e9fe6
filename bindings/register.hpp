// SPDX-License-Identifier: MIT
// The subjects of the module, each registered by its own file.
#pragma once

#include <pybind11/pybind11.h>

namespace bankhook::python {

/// Enumerations and the objects that stand for values.
void register_values(pybind11::module_& module);
/// `transaction_lifecycle` and `connection_lifecycle`.
void register_lifecycles(pybind11::module_& module);
/// The classes of the structs of spec sections 2 and 6, and of what a tracker's queries return.
void register_classes(pybind11::module_& module);
/// `parse` and `restore`.
void register_parse(pybind11::module_& module);
/// `_Sandbox`, which bankhook.Sandbox holds, and its choices.
void register_sandbox(pybind11::module_& module);
/// The functions that give the map-provider place field its name.
void register_place_id(pybind11::module_& module);
/// `select`.
void register_select(pybind11::module_& module);
/// What reads archives.
void register_lines(pybind11::module_& module);
/// `json_schema` and `asyncapi`.
void register_schema(pybind11::module_& module);
/// `check`, `diagnose`, `explain` and `rules`.
void register_rules(pybind11::module_& module);
/// `fields`, and the classes that have them.
void register_fields(pybind11::module_& module);
/// `_excerpts`, `_path`, `_written` and `_escaped`, with which the package's Python code shows findings and values.
void register_excerpts(pybind11::module_& module);
/// `_read`, with which the integrations read what they are given.
void register_wire(pybind11::module_& module);
/// `is_clean`, and what `diagnose_lines` and `Tracker.apply_lines` add up.
void register_batches(pybind11::module_& module);
/// The tables of archives, with which `tables` answers.
void register_tables(pybind11::module_& module);
/// `Tracker`.
void register_tracker(pybind11::module_& module);
/// `_MemberState`, which inboxes and Spark keep.
void register_member_state(pybind11::module_& module);
/// What `JointAccounts` rests on.
void register_joint_accounts(pybind11::module_& module);
/// `_signatures`, which the stub is written from; after all others.
void register_stub(pybind11::module_& module);

}  // namespace bankhook::python
