// SPDX-License-Identifier: MIT
// A machine that has one of everything: each evidence, never, unexpected, a final state, a loop, a way back.
#pragma once

#include <bankhook/machine/machine.hpp>
#include <bankhook/machine/transition.hpp>

#include <cstdint>

namespace door {

enum class State : std::uint8_t { opened, closed, locked, broken };
enum class Trigger : std::uint8_t { build, push, unlock, delete_ };

using enum State;
using enum Trigger;

inline constexpr auto table = [] {
  using enum bankhook::Evidence;
  using namespace bankhook::table_words;
  return bankhook::transitions<State, Trigger>(
      {
          {begin, build, opened, stated, "1"},
          {opened, push, closed, stated, "2"},
          {closed, push, locked, example, "2"},
          {locked, unlock, closed, stated, "3"},
          {closed, unlock, opened, assumed, "3"},
          {opened, unlock, opened, assumed, ""},
          {locked, push, never, stated, "2"},
          {opened, build, never, assumed, "1"},
          {closed, delete_, broken, stated, "4"},
          {locked, delete_, broken, stated, "4", before_is_assumed},
          {broken, push, opened, stated, "5", unexpected},
      },
      {
          {broken, stated, "4"},
      });
}();

inline constexpr auto machine = bankhook::machine<table>;

}  // namespace door
