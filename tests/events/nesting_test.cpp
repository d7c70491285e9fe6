// SPDX-License-Identifier: MIT
// Nesting is bounded once: 1024 objects and arrays from the start of the payload, wherever they are and whoever reads it.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/diagnose.hpp>

#include <events/diagnosed.hpp>
#include <events/samples.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace events_nesting_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  REQUIRE(text.find(what) != std::string::npos);
  return text.replace(text.find(what), what.size(), by);
}

/// A payload with `<deep>` for a value, around which `levels` objects and arrays are open.
struct Gap {
  std::string payload;
  std::size_t levels;

  /// With a value that makes it `depth` levels in all; its innermost bracket is empty or not.
  [[nodiscard]] std::string nested(std::size_t depth, std::string_view open, std::string_view close,
                                   std::string_view core) const {
    std::string deep;
    for (std::size_t i = levels; i < depth; ++i) deep += open;
    deep += core;
    for (std::size_t i = levels; i < depth; ++i) deep += close;
    return replaced(payload, "<deep>", deep);
  }
};

std::vector<Gap> gaps() {
  const std::string transaction = sample("transaction_created");
  const std::string bank = sample("connection_updated_with_accounts");
  const std::string name = R"("event":"initial_transaction_update",)";
  const std::string deep = R"("more":<deep>,)";
  const std::string in_customer = replaced(transaction, R"("customer":{)", R"("customer":{)" + deep);
  std::string last = replaced(in_customer, name, "");
  last.insert(last.size() - 1, R"(,"event":"initial_transaction_update")");
  return {
      {replaced(transaction, "{", "{" + deep), 1},
      {replaced(transaction, name, name + deep), 1},
      {in_customer, 2},
      {replaced(transaction, R"("initialTransaction":{)", R"("initialTransaction":{)" + deep), 2},
      {replaced(bank, R"("accounts":[{)", R"("accounts":[{)" + deep), 6},
      {replaced(bank, R"("connection":{)", R"("connection":{)" + deep), 2},
      {replaced(in_customer, "_transaction_", R"(_tr\u0061nsaction_)"), 2},
      {replaced(replaced(bank, R"("accounts":[{)", R"("accounts":[{)" + deep), "_update_v2", R"(_upd\u0061te_v2)"), 6},
      {last, 2},
      {replaced(last, R"("event":)", R"("\u0065vent":)"), 2},
      {R"({"event":"other","customer":{"more":<deep>}})", 2},
      {R"({"customer":{"list":[{"more":<deep>}]},"event":"other"})", 4},
      {R"({"event":"other","event_type":<deep>})", 1},
  };
}

/// Which of the functions that read a payload disagrees about whether it is fine; "" if all agree.
std::string disagreement(const std::string& payload, bool is_fine) {
  Arena arena;
  const auto event = parse(payload, arena);
  if (event.has_value() != is_fine) return "parse";
  if (!event && event.error().code != Errc::nested_too_deeply) return "the error of parse";
  const auto is_of_nesting = [](const Finding& finding) { return finding.rule == RuleId::nesting_is_bounded; };
  const auto findings = diagnose(payload);
  if (std::ranges::count_if(findings, is_of_nesting) != (is_fine ? 0 : 1)) return "diagnose";
  const auto named = std::ranges::find_if(findings, is_of_nesting);
  if (!is_fine && named->offset != event.error().offset) return "the place in diagnose";
  if (is_clean(payload, arena)) return "is_clean";
  for (const ArchiveLine& line : Lines(payload, arena)) {
    if (line.event.has_value() != is_fine) return "Lines";
  }
  LineCounts counts;
  diagnose_lines(payload, arena, counts, [](std::size_t, std::string_view) { return true; });
  if (counts.rejected != (is_fine ? 0U : 1U)) return "diagnose_lines";
  Diagnosed diagnosed;
  return diagnosed.disagreement(payload);
}

/// Whether `parse_as`, asked for the event that the payload holds, takes it; nothing for an event that is not listed.
std::optional<bool> is_taken_as_its_event(const std::string& payload) {
  Arena arena;
  const bool is_bank = payload.find("shoppingHubId") != std::string::npos;
  if (!is_bank && payload.find("initialTransaction") == std::string::npos) return std::nullopt;
  return is_bank ? parse_as<BankConnectionsUpdateV2>(payload, arena).has_value()
                 : parse_as<InitialTransactionUpdate>(payload, arena).has_value();
}

}  // namespace

TEST_CASE("a payload of 1024 levels is read wherever they are, one of 1025 is rejected, and all that read it agree") {
  for (const Gap& gap : gaps()) {
    for (const std::size_t depth : {1023U, 1024U, 1025U, 1026U, 2000U}) {
      const std::string arrays = gap.nested(depth, "[", "]", "");
      const std::string objects = gap.nested(depth, R"({"a":)", "}", "0");
      CAPTURE(gap.payload, depth);
      CHECK(disagreement(arrays, depth <= 1024) == "");
      CHECK(disagreement(objects, depth <= 1024) == "");
      CHECK(is_taken_as_its_event(arrays).value_or(depth <= 1024) == (depth <= 1024));
      CHECK(is_taken_as_its_event(objects).value_or(depth <= 1024) == (depth <= 1024));
    }
  }
}

}  // namespace events_nesting_test
