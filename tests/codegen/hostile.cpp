// SPDX-License-Identifier: MIT
// What payloads cost that are made to be costly, once per call of `counted`, beside ordinary payloads of the same size.
#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/explain.hpp>

#include <codegen/build.hpp>
#include <codegen/input.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::test { namespace {

constexpr std::size_t size = 100'000;

constexpr std::string_view bank =
    R"({"event":"bank_connections_update_v2","eventType":"update","customer":{"id":"member-0001","externalId":"cust-1",)"
    R"("connectionsOn":1,"connectionsOff":0,"connections":[)";
constexpr std::string_view connection =
    R"({"id":"conn-0001","errorCode":null,"errorMessage":null,"bank":"Banque Exemple",)"
    R"("transactionsEligibleFromDate":"2026-01-15","consentExpiresAt":"2027-03-01 09:30:00.0000",)"
    R"("accounts":[{"id":"acc-0001","accountHash":"9f2c51c0a7d84be3a0f5d1"},{"id":"acc-0002","accountHash":null}]})";
constexpr std::string_view transaction =
    R"("eventType":"created","customer":{"id":"member-0001","externalId":"cust-1"},"initialTransaction":{"id":"it-0001",)"
    R"("amount":19.90,"storeExternalId":"store-17","status":"created","rejectionReason":null,"transactionDate":"2026-05-03",)"
    R"("transactionId":null,"date":"2026-05-04T10:15:30.000Z"}})";
const std::string name = R"({"event":"initial_transaction_update",)";

/// `begin` and as many `parts` as there is room for.
std::string filled(std::string_view begin, std::string_view part) {
  std::string text(begin);
  while (text.size() + part.size() <= size) text += part;
  return text;
}

std::string ordinary() {
  std::string text(bank);
  while (text.size() + 3 * connection.size() < size) text.append(connection).append(",");
  return text.append(connection).append(R"(]},"connection":)").append(connection) +
         R"(,"shoppingHubId":"hub-0001","shoppingHubExternalId":"programme-1"})";
}

/// The same with its name at its end.
std::string with_late_name(std::string text) {
  const std::string_view first = R"("event":"bank_connections_update_v2",)";
  text.erase(1, first.size());
  return text.insert(text.size() - 1, R"(,"event":"bank_connections_update_v2")");
}

/// The same with the other event's name in a field that is not listed, before its own.
std::string with_name_inside(std::string text, std::string_view other) {
  return text.insert(1, std::string(R"("added":{"event":")").append(other).append(R"("},)"));
}

/// A fault that comes to light only at the end.
std::string spoiled(std::string text) {
  const std::size_t at = text.rfind(R"("id":")");
  return text.replace(at, 6, R"("id":1)"), text.replace(text.find('"', at + 6), 1, "");
}

/// Fields that no table lists, named by `name_of(number)`.
template <class NameOf>
std::string unlisted(NameOf&& name_of) {
  std::string text = name;
  for (std::size_t i = 0; text.size() + 400 < size; ++i) text.append("\"").append(name_of(i)).append("\":0,");
  return text.append(transaction);
}

/// Transactions, one a line, whose fields are sorted in one and in reverse order in the next: none follows the field that
/// it followed before.
std::string opposite_orders() {
  const std::string one = sorted(name + std::string(transaction));
  Json value = *read_json(one);
  const auto reverse = [](auto&& self, Json& json) -> void {
    std::ranges::reverse(json.fields);
    for (JsonMember& field : json.fields) self(self, field.value);
  };
  reverse(reverse, value);
  return filled("", one + "\n" + write_json(value) + "\n");
}

template <class F>
void for_each_line(std::string_view text, F&& f) {
  for (std::size_t end = 0; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) f(text.substr(0, end));
}

void read_line(std::string_view line, Arena& arena) {
  arena.reset();
  if (!parse(line, arena)) std::abort();
}

/// `begin` followed by ten digits.
std::string numbered(std::string_view begin, std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string(begin).append(10 - digits.size(), '0').append(digits);
}

}}  // namespace bankhook::test

/// Callgrind is given this function's name: it starts counting on entry and dumps on return.
extern "C" [[gnu::noinline]] void counted(void (*work)(std::string_view), std::string_view payload) { work(payload); }

/// Prints a line for each call of `counted`: `GNU 12, libstdc++ 12, -O2 | commas | 100000 bytes, rejected`.
int main() {
  using namespace bankhook;
  using namespace bankhook::test;
  constexpr auto read = [](std::string_view payload) {
    static Arena arena;
    arena.reset();
    if (!parse(payload, arena)) static_cast<void>(diagnose(payload));
  };
  constexpr auto read_strictly = [](std::string_view payload) {
    static Arena arena;
    arena.reset();
    const detail::Parsed parsed = detail::parse_and_note(payload, arena);
    if (!parsed || detail::may_break(*parsed.event, parsed.has_notes, Evidence::stated))
      static_cast<void>(diagnose(payload));
  };
  constexpr auto explain_all = [](std::string_view payload) { static_cast<void>(explain(diagnose(payload), payload)); };
  // Lines: with one reader as it learns, with one that has forgotten all orders, and each with a new one.
  constexpr auto read_lines = [](std::string_view payload) {
    static Arena arena;
    for_each_line(payload, [](std::string_view line) { read_line(line, arena); });
  };
  constexpr auto read_lines_unlearned = [](std::string_view payload) {
    static Arena arena;
    for_each_line(payload, [](std::string_view line) {
      detail::json::remembered_in(arena).next_indices.fill(UINT8_MAX);
      read_line(line, arena);
    });
  };
  constexpr auto read_lines_by_new_readers = [](std::string_view payload) {
    for_each_line(payload, [](std::string_view line) {
      Arena arena;
      read_line(line, arena);
    });
  };
  // Names that are compared with the listed `initialTransaction`, because they have its size, and others.
  const std::string meeting = unlisted([](std::size_t i) { return numbered("initialT", i * 7919); });
  const std::string other = unlisted([](std::size_t i) { return numbered("otherTex", i * 7919) + "t"; });
  const std::string escapes = filled(name + "\"x\":\"", "\\\\") + "\"," + std::string(transaction);
  std::mt19937_64 random(1);
  const std::string shuffled_bank = reordered(ordinary(), &random);
  const std::string sorted_transaction = sorted(name + std::string(transaction));
  const std::vector<std::pair<std::string_view, std::string>> payloads{
      {"ordinary", ordinary()},
      {"another order", sorted(ordinary())},
      {"orders that change", shuffled_bank},
      {"orders that change, another name inside", with_name_inside(shuffled_bank, "initial_transaction_update")},
      {"ordinary, one fault at the end", spoiled(ordinary())},
      {"name at the end", with_late_name(ordinary())},
      {"name at the end, another name inside", with_name_inside(with_late_name(ordinary()), "initial_transaction_update")},
      {"name at the end, one fault", with_late_name(spoiled(ordinary()))},
      {"small", name + std::string(transaction)},
      {"small, sorted", sorted_transaction},
      {"small, sorted, another name inside", with_name_inside(sorted_transaction, "bank_connections_update_v2")},
      {"names that meet", meeting},
      {"names that do not meet", other},
      {"unlisted, one fault at the end", spoiled(other)},
      {"opposite orders", opposite_orders()},
      {"escapes", escapes},
      {"escapes, one fault at the end", spoiled(escapes)},
      {"commas", filled(name, ",")},
      {"commas alone", filled("{", ",")},
      {"colons", filled(name, ":")},
      {"closing brackets", filled(name, "]")},
      {"open brackets", filled("", "[")},
      {"open braces", filled("", "{\"a\":")},
      {"numbers for connections", filled(bank, "1,")},
      {"empty connections", filled(bank, "{},")},
      {"connections with a number", filled(bank, "{\"id\":1},")},
      {"accounts with a number", filled(std::string(bank) + R"({"accounts":[)", "{\"id\":1},")},
      {"bytes that are no UTF-8", filled(name, "\xFF")},
      {"a text that is no UTF-8", filled(name + "\"x\":\"", "\xFF")},
      {"a text of control characters", filled(name + "\"x\":\"", "\x01")},
      {"a text of broken escapes", filled(name + "\"x\":\"", "\\u12")},
      {"cut words", filled(name + "\"x\":[", "tru,")},
      {"a listed field again and again", filled(name, "\"eventType\":1,")},
      {"names without a colon", filled(name, "\"a\"=")},
      {"quotes", filled(name, "\"\n")},
  };
  Arena arena;
  for (const auto& [kind, payload] : payloads) {
    const auto count = [&](const char* way, void (*work)(std::string_view)) {
      const char* const verdict =
          parse(std::string_view(payload).substr(0, payload.find('\n')), arena) ? "accepted" : "rejected";
      work(payload);  // warm
      counted(work, payload);
      std::printf("%s | %s%s | %zu bytes, %s\n", build, way, std::string(kind).c_str(), payload.size(), verdict);
    };
    if (kind == "opposite orders") {
      count("learned: ", read_lines);
      count("not learned: ", read_lines_unlearned);
      count("with new readers: ", read_lines_by_new_readers);
      continue;
    }
    count("", read);
    if (kind == "small") count("strictly: ", read_strictly);
    if (kind.contains("UTF-8") || kind == "cut words") count("explained: ", explain_all);
  }
}
