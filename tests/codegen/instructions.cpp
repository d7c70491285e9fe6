// SPDX-License-Identifier: MIT
// Parses and serializes each kind of event once per call of `counted`, which callgrind counts the instructions of.
#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>

#include <codegen/build.hpp>
#include <codegen/input.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::test { namespace {

/// The compiler takes it for read, so that it has to be made.
template <class T>
void used(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// The payloads of an input, their values, and what is kept from event to event.
struct Bench {
  const Input& input;
  std::vector<AnyEvent> events;
  Arena values;
  Arena arena;
  std::string out;
};

void parse_all(Bench& bench) {
  for (const std::string& payload : bench.input.payloads) {
    bench.arena.reset();
    const auto event = parse(payload, bench.arena);
    used(event);
  }
}

void serialize_all(Bench& bench) {
  for (const AnyEvent& event : bench.events) {
    bench.out.clear();
    serialize_to(event, bench.out);
    used(bench.out);
  }
}

/// Takes in the values; whether each of them is written as it was read.
bool prepare(Bench& bench) {
  const Input& input = bench.input;
  const auto& written = input.written.empty() ? input.payloads : input.written;
  for (std::size_t i = 0; i < input.payloads.size(); ++i) {
    const auto event = parse(input.payloads[i], bench.values);
    if (!event || serialize(*event) != written[i]) return false;
    bench.events.push_back(*event);
  }
  return true;
}

}}  // namespace bankhook::test

/// Callgrind is given this function's name: it starts counting on entry and dumps on return.
extern "C" [[gnu::noinline]] void counted(void (*work)(bankhook::test::Bench&), bankhook::test::Bench& bench) {
  work(bench);
}

/// Prints a line for each call of `counted`: `GNU 12, libstdc++ 12, -O2 | parse: transaction | 500 payloads, 200408 bytes`.
int main() {
  using namespace bankhook::test;
  for (const Input& input : make_inputs()) {
    Bench bench{.input = input, .events = {}, .values = {}, .arena = {}, .out = {}};
    if (!prepare(bench)) return 1;
    std::size_t bytes = 0;
    for (const std::string& payload : input.payloads) bytes += payload.size();
    const auto count = [&](const char* name, void (*work)(Bench&)) {
      work(bench);  // warm: memory is there, lengths are remembered
      counted(work, bench);
      std::printf("%s | %s: %s | %zu payloads, %zu bytes\n", build, name, input.kind.c_str(), input.payloads.size(), bytes);
    };
    count("parse", parse_all);
    if (input.written.empty()) count("serialize", serialize_all);
  }
}
