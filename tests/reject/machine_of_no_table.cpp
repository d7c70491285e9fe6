// SPDX-License-Identifier: MIT
// A machine is made of a transition table and of nothing else: the concept that says so is named.
// expect: TransitionTable
#include <bankhook/machine/machine.hpp>

#include <cstdint>

enum class Lamp : std::uint8_t { off, on };
enum class Act : std::uint8_t { press };

#ifdef CONTROL
constexpr auto lamp_table =
    bankhook::transitions<Lamp, Act>({{Lamp::off, Act::press, Lamp::on, {}, ""}, {Lamp::on, Act::press, Lamp::off, {}, ""}})
        .starting_in(Lamp::off);
#else
constexpr int lamp_table = 2;
#endif

using LampMachine = bankhook::Machine<lamp_table>;

int main() { return sizeof(LampMachine) == 1 ? 0 : 1; }
