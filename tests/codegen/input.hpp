// SPDX-License-Identifier: MIT
// What the compiled reader and writer are looked at with: payloads of the seeded sandbox, the same on every machine.
#pragma once

#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/sandbox/sandbox.hpp>

#include <json/oracle.hpp>
#include <varying.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::test {

/// Payloads of one kind of event.
struct Input {
  std::string kind;
  std::vector<std::string> payloads;
  std::vector<std::string> written{};  ///< what the writer makes of them; none where that is the payloads themselves
};

/// The first `count` payloads of events of type `Event`, out of a history in which members have their connections.
template <class Event>
Input make_input(const char* kind, std::size_t count, const SandboxOptions& options) {
  constexpr std::uint64_t settled = 40;  // deliveries a connection, until about as many are there as will be
  Sandbox sandbox(20260301, options);
  for (std::uint64_t i = 0; i < settled * options.members * options.connections; ++i) static_cast<void>(sandbox.next());
  Input input{kind, {}, {}};
  while (input.payloads.size() < count) {
    const std::string_view payload = sandbox.next().payload;
    const std::string_view first_member = payload.substr(0, payload.find(','));
    if (first_member.find(TypeTag<Event>::text()) != std::string_view::npos) input.payloads.emplace_back(payload);
  }
  return input;
}

/// `json`, which is minified, as printed for people: a line for each field and element, two spaces a level.
inline std::string indented(std::string_view json) {
  std::string text;
  std::size_t level = 0;
  const auto begin_line = [&] { text.append(1, '\n').append(2 * level, ' '); };
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    const bool is_empty = i + 1 < json.size() && (json[i + 1] == ']' || json[i + 1] == '}');
    if (!in_string && (c == '}' || c == ']') && json[i - 1] != '{' && json[i - 1] != '[') --level, begin_line();
    text += c;
    if (c == '\\') text += json[++i];
    else if (c == '"') in_string = !in_string;
    else if (in_string) continue;
    else if ((c == '{' || c == '[') && !is_empty) ++level, begin_line();
    else if (c == ',') begin_line();
    else if (c == ':') text += ' ';
  }
  return text;
}

/// `json` with the fields of each object sorted by their names; shuffled if there is a `random`.
inline std::string reordered(std::string_view json, std::mt19937_64* random) {
  const auto reorder = [&](auto&& self, Json& value) -> void {
    for (Json& item : value.items) self(self, item);
    for (JsonMember& field : value.fields) self(self, field.value);
    if (random == nullptr) std::ranges::sort(value.fields, {}, &JsonMember::name);
    else std::ranges::shuffle(value.fields, *random);
  };
  Json value = *read_json(json);
  reorder(reorder, value);
  return write_json(value);
}
inline std::string sorted(std::string_view json) { return reordered(json, nullptr); }
inline std::string shuffled(std::string_view json) {
  static std::mt19937_64 random(20260301);
  return reordered(json, &random);
}

/// `json` with fields that are not listed.
inline std::string with_unlisted(std::string_view json) {
  constexpr std::string_view place = R"(,"externalId":)";
  std::string text(json);
  for (std::size_t at = 0; (at = text.find(place, at)) != text.npos; at += 2 * place.size())
    text.insert(at, R"(,"added":["one",2])");
  return text;
}

/// The payloads in another form, with the same values.
inline Input varied(const Input& input, const char* form, std::string (*vary)(std::string_view)) {
  Input other{input.kind + ", " + form, {}, input.payloads};
  for (const std::string& payload : input.payloads) other.payloads.push_back(vary(payload));
  return other;
}

/// `count` payloads of each variety of texts, none of which has the length of those around it.
inline Input varying(const char* kind, std::size_t count, std::string (bench::VaryingEvents::*make)()) {
  Input input{std::string(kind) + ", varying", {}, {}};
  for (const bench::Variety& variety : bench::varieties) {
    bench::VaryingEvents events(variety);
    for (std::size_t i = 0; i < count; ++i) input.payloads.push_back((events.*make)());
  }
  input.written = input.payloads;
  return input;
}

/// Everyday bank events (1.8 KB), heavy ones (21 KB), initial transactions (0.4 KB), some of them in other forms, and all
/// three with texts that vary.
inline std::vector<Input> make_inputs() {
  using Bank = BankConnectionsUpdateV2;
  std::vector<Input> inputs;
  inputs.push_back(make_input<Bank>("bank, everyday", 300, {.members = 10, .connections = 3}));
  inputs.push_back(make_input<Bank>("bank, heavy", 50, {.members = 1, .connections = 24, .accounts = 16}));
  inputs.push_back(make_input<InitialTransactionUpdate>("transaction", 500, {.members = 10, .connections = 1}));
  inputs.push_back(varied(inputs[0], "indented", indented));
  inputs.push_back(varied(inputs[0], "with unlisted fields", with_unlisted));
  inputs.push_back(varying("bank, everyday", 75, &bench::VaryingEvents::everyday));
  const Input everyday = inputs.back();
  inputs.push_back(varied(everyday, "with blanks", bench::spaced));
  inputs.push_back(varied(everyday, "sorted", sorted));
  inputs.push_back(varied(everyday, "shuffled", shuffled));
  inputs.push_back(varying("bank, heavy", 10, &bench::VaryingEvents::heavy));
  inputs.push_back(varying("transaction", 125, &bench::VaryingEvents::transaction));
  const Input transactions = inputs.back();
  inputs.push_back(varied(transactions, "with blanks", bench::spaced));
  inputs.push_back(varied(transactions, "sorted", sorted));
  inputs.push_back(varied(everyday, "indented", indented));
  return inputs;
}

}  // namespace bankhook::test
