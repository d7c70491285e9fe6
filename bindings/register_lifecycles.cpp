// SPDX-License-Identifier: MIT
// The lifecycles: every answer of a machine, handed over once as plain Python values.
#include "library.hpp"
#include "records.hpp"
#include "register.hpp"
#include "to_python.hpp"
#include "values.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace bankhook::python {
namespace {

/// Of a list of enumerators.
template <class Values>
pybind11::tuple members_of(const Values& values) {
  pybind11::list members;
  for (const auto value : values) members.append(member_of(value));
  return pybind11::tuple(members);
}

/// A machine as the arguments of bankhook._records.Lifecycle. A row is one object wherever it is referred to.
template <class M>
class Description {
  using State = typename M::State;
  using Trigger = typename M::Trigger;

 public:
  Description() {
    step_class_.find("Step");
    RecordClass<5> transition_class;
    transition_class.find("Transition");
    for (const auto& transition : M::transitions()) {
      rows_.push_back(transition_class.make(member_of(transition.from), member_of(transition.trigger),
                                            member_of(transition.to), member_of(transition.evidence),
                                            steal(text_to_python(transition.section))));
    }
    RecordClass<3> final_class;
    final_class.find("FinalState");
    for (const auto& final_state : M::final_states()) {
      finals_.push_back(final_class.make(member_of(final_state.state), member_of(final_state.evidence),
                                         steal(text_to_python(final_state.section))));
    }
  }

  pybind11::dict arguments() {
    place({});
    for (const State state : M::states()) {
      place(state);
      pybind11::list path;
      for (const auto* transition : M::path_to(state)) path.append(object_of(transition));
      paths_[member_of(state)] = pybind11::tuple(path);
    }
    pybind11::list transitions;
    pybind11::list forbidden;
    for (std::size_t i = 0; i < rows_.size(); ++i) (M::transitions()[i].to ? transitions : forbidden).append(rows_[i]);
    pybind11::list final_states;
    for (const pybind11::object& final_state : finals_) final_states.append(final_state);
    using pybind11::literals::operator""_a;
    return pybind11::dict("states"_a = members_of(M::states()), "triggers"_a = members_of(M::triggers()),
                          "start"_a = member_of(M::start()), "transitions"_a = pybind11::tuple(transitions),
                          "forbidden"_a = pybind11::tuple(forbidden), "final_states"_a = pybind11::tuple(final_states),
                          "steps"_a = steps_, "allowed"_a = allowed_, "reasons"_a = reasons_, "paths"_a = paths_);
  }

 private:
  /// What is answered in one state, or before the first one.
  void place(std::optional<State> from) {
    allowed_[member_of(from)] = members_of(M::allowed(from));
    for (const Trigger trigger : M::triggers()) {
      const pybind11::tuple pair = pybind11::make_tuple(member_of(from), member_of(trigger));
      const auto step = M::step(from, trigger);
      steps_[pair] = step_class_.make(member_of(step.verdict), member_of(step.to), object_of(step.transition),
                                      object_of(step.final_state));
      if (const auto why = M::why_not(from, trigger)) reasons_[pair] = pybind11::str(why->text.data(), why->text.size());
    }
  }

  pybind11::object object_of(const Transition<State, Trigger>* transition) const {
    return transition == nullptr ? pybind11::none() : rows_[static_cast<std::size_t>(transition - M::transitions().data())];
  }
  pybind11::object object_of(const FinalState<State>* final_state) const {
    return final_state == nullptr ? pybind11::none()
                                  : finals_[static_cast<std::size_t>(final_state - M::final_states().data())];
  }

  RecordClass<4> step_class_;
  std::vector<pybind11::object> rows_;
  std::vector<pybind11::object> finals_;
  pybind11::dict steps_;
  pybind11::dict allowed_;
  pybind11::dict reasons_;
  pybind11::dict paths_;
};

template <const auto& table>
void register_lifecycle(pybind11::module_& module, const char* name, const Machine<table>& machine) {
  const pybind11::module_ package = pybind11::module_::import("bankhook._records");
  pybind11::dict arguments = Description<Machine<table>>().arguments();
  using pybind11::literals::operator""_a;
  module.attr(name) =
      package.attr("Lifecycle")("name"_a = name, "mermaid"_a = to_mermaid(machine), "dot"_a = to_dot(machine), **arguments);
}

}  // namespace

void register_lifecycles(pybind11::module_& module) {
  register_lifecycle(module, "transaction_lifecycle", transaction_lifecycle);
  register_lifecycle(module, "connection_lifecycle", connection_lifecycle);
}

}  // namespace bankhook::python
