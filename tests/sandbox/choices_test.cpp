// SPDX-License-Identifier: MIT
// The choices: what the specification leaves open is listed, says "assumed", and can be chosen otherwise.
#include <bankhook_catch.hpp>

#include <bankhook/sandbox/sandbox.hpp>

#include <algorithm>
#include <set>
#include <string_view>

namespace sandbox_choices_test {

using namespace bankhook;

TEST_CASE("every choice names its section and lists its default, which is assumed, but for what 6.3 states of status") {
  std::set<std::string_view> names;
  for (const SandboxChoice& choice : Sandbox::choices) {
    CAPTURE(choice.name);
    CHECK(choice.evidence == (choice.name == "status_in_event" ? Evidence::stated : Evidence::assumed));
    CHECK(!choice.section.empty());
    CHECK(!choice.question.empty());
    CHECK(choice.values.size() >= 2);
    CHECK(std::ranges::count(choice.values, choice.default_value) == 1);
    names.insert(choice.name);
  }
  CHECK(names.size() == Sandbox::choices.size());
}

TEST_CASE("the defaults of the table are those of the struct") {
  SandboxChoices chosen;
  for (const SandboxChoice& choice : Sandbox::choices)
    CHECK(detail::sandbox::choose(chosen, choice.name, choice.default_value));
  CHECK(chosen.delete_event_type == ConnectionEventType::delete_);
  CHECK(chosen.desynchronise_event_type == ConnectionEventType::update);
  CHECK(chosen.count_of_disabled == SandboxChoices::CountOfConnection::neither);
}

TEST_CASE("a choice is made by the texts of the table") {
  constexpr auto chosen = [](std::string_view name, std::string_view value) {
    SandboxChoices choices;
    return detail::sandbox::choose(choices, name, value) ? choices.disable_event_type : ConnectionEventType::create;
  };
  STATIC_REQUIRE(chosen("disable_event_type", "update") == ConnectionEventType::update);
  STATIC_REQUIRE(chosen("disable_event_type", "delete") == ConnectionEventType::delete_);
  STATIC_REQUIRE(chosen("disable_event_type", "delete_") == ConnectionEventType::create);
  STATIC_REQUIRE(chosen("disable_event", "update") == ConnectionEventType::create);
}

}  // namespace sandbox_choices_test
