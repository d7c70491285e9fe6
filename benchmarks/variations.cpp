// SPDX-License-Identifier: MIT
// The corpora beside those of the sandbox: texts that vary, and values written in another form.
#include "corpus.hpp"

#include "varying.hpp"

#include <bankhook/bankhook.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::bench {
namespace {

using Json = nlohmann::ordered_json;

/// The fields that may be absent, each with the one before it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> may_be_absent{
    {{"transactionsEligibleFromDate", "consentExpiresAt"}, {"storeExternalId", "placeId"}, {"placeId", "storeName"}}};

/// A new member that a service might add: one value of each kind, as long as such members are.
Json unlisted_value(std::mt19937_64& random) {
  switch (random() % 6) {
    case 0: return nullptr;
    case 1: return random() % 2 == 0;
    case 2: return random() % 100'000;
    case 3: return "a text that is not listed";
    case 4: return Json::array({1, "two", nullptr});
    default: return Json::object({{"since", "2026-03-01"}, {"level", random() % 10}});
  }
}

/// The same value with every object rebuilt: `arrange(members)` may change their order and add some.
template <class Arrange>
Json rebuilt(const Json& value, Arrange& arrange) {
  if (value.is_array()) {
    Json array = Json::array();
    for (const Json& element : value) array.push_back(rebuilt(element, arrange));
    return array;
  }
  if (!value.is_object()) return value;
  std::vector<std::pair<std::string, Json>> members;
  for (const auto& [name, held] : value.items()) members.emplace_back(name, rebuilt(held, arrange));
  arrange(members);
  Json object = Json::object();
  for (auto& [name, held] : members) object.emplace(std::move(name), std::move(held));
  return object;
}

std::string written(const Json& event, Form form, std::mt19937_64& random) {
  const auto shuffle = [&](auto& members) {
    for (std::size_t i = members.size(); i > 1; --i) std::swap(members[i - 1], members[random() % i]);
  };
  const auto sort = [](auto& members) { std::ranges::sort(members, {}, [](const auto& member) { return member.first; }); };
  const auto add_nulls = [](auto& members) {
    for (const auto& [before, name] : may_be_absent) {
      const auto at = std::ranges::find(members, before, [](const auto& member) { return member.first; });
      if (at == members.end() || std::next(at)->first == name) continue;
      members.emplace(std::next(at), name, nullptr);
    }
  };
  const auto add_unlisted = [&](auto& members) {
    for (std::size_t i = members.size(); i > 0; --i) {
      if (random() % 10 != 0) continue;
      const auto place = members.begin() + static_cast<std::ptrdiff_t>(i);
      members.emplace(place, "unlisted" + std::to_string(i), unlisted_value(random));
    }
  };
  switch (form) {
    case Form::blanks: return spaced(event.dump());
    case Form::sorted: return rebuilt(event, sort).dump();
    case Form::shuffled: return rebuilt(event, shuffle).dump();
    case Form::nulls: return rebuilt(event, add_nulls).dump();
    case Form::unlisted: return rebuilt(event, add_unlisted).dump();
    case Form::indented: return event.dump(2);
    case Form::plain:
    case Form::varying: break;
  }
  return event.dump();
}

/// Ends the program if `event` has other values than `canonical`, which the library writes unchanged.
void check(const std::string& name, const std::string& event, std::string_view canonical, Arena& arena) {
  arena.reset();
  const auto read = parse(event, arena);
  const auto expected = parse(canonical, arena);
  if (read && expected && *read == *expected && serialize(*expected) == canonical) return;
  std::fprintf(stderr, "%s: this event has other values:\n%s\n", name.c_str(), event.c_str());
  std::abort();
}

Corpus make_varying(std::string_view kind, const Variety& variety, std::string (VaryingEvents::*make)(), std::size_t size) {
  const std::string name = std::string(kind) + ", " + std::string(words_of(variety.ids));
  CorpusMaker maker(name, Form::varying);
  VaryingEvents events(variety);
  Arena arena;
  while (maker.size() < size) {
    const std::string event = (events.*make)();
    check(name, event, event, arena);
    maker.add(event);
  }
  return std::move(maker).finish();
}

}  // namespace

std::vector<Corpus> make_varying(std::size_t size) {
  std::vector<Corpus> corpora;
  for (const Variety& variety : varieties) {
    corpora.push_back(make_varying("bank, everyday", variety, &VaryingEvents::everyday, size));
    corpora.push_back(make_varying("bank, heavy", variety, &VaryingEvents::heavy, size));
    corpora.push_back(make_varying("transaction", variety, &VaryingEvents::transaction, size));
  }
  return corpora;
}

std::vector<Corpus> make_variations(const std::vector<Corpus>& varying, std::size_t size) {
  std::vector<Corpus> variations;
  Arena arena;
  for (const std::string_view kind : {"bank, everyday", "bank, heavy", "transaction"}) {
    for (const Form form : forms) {
      std::mt19937_64 random(20260301);
      CorpusMaker maker(std::string(kind) + ", " + std::string(words_of(form)), form);
      for (const Corpus& corpus : varying) {
        if (!corpus.name.starts_with(kind)) continue;
        std::size_t taken = 0;
        for (std::size_t i = 0; taken < size / varieties.size() && i < corpus.events.size(); ++i) {
          taken += corpus.events[i].size();
          const std::string event = written(Json::parse(corpus.events[i]), form, random);
          check(corpus.name, event, corpus.events[i], arena);
          maker.add(event);
        }
      }
      variations.push_back(std::move(maker).finish());
    }
  }
  return variations;
}

}  // namespace bankhook::bench
