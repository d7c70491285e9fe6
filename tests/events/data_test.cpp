// SPDX-License-Identifier: MIT
// The shared payloads: each valid one gives its event, each invalid one the error that its list names.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/enumerators.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>

#include <events/differential.hpp>
#include <events/samples.hpp>
#include <json/show.hpp>

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace events_data_test {

using namespace bankhook::test;

namespace {

template <class T>
std::string_view type_of(const T& event) {
  if constexpr (std::is_same_v<T, bankhook::UnknownEvent>) return "";
  else return event.event_type.text();
}

}  // namespace

TEST_CASE("every valid payload gives the event and type that its list names") {
  bankhook::Arena arena;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    arena.reset();
    const auto event = bankhook::parse(sample.text, arena);
    REQUIRE(event.has_value());
    std::visit(
        [&](const auto& held) {
          CHECK(std::string_view(held.event) == sample.event);
          CHECK(type_of(held) == sample.event_type);
        },
        *event);
  }
}

TEST_CASE("every valid payload is read as the oracle reads it") {
  Differential differential;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    CHECK(differential.disagreement(sample.text) == "");
  }
}

TEST_CASE("a canonical payload is written byte for byte as it was read") {
  bankhook::Arena arena;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    arena.reset();
    const auto event = bankhook::parse(sample.text, arena);
    REQUIRE(event.has_value());
    CHECK((bankhook::serialize(*event) == sample.text) == sample.canonical);
  }
}

TEST_CASE("every invalid payload gives the error that its list names, with its place") {
  bankhook::Arena arena;
  for (const Fault& fault : faults()) {
    CAPTURE(fault.name);
    const ExactCopy copy(fault.text);
    const auto event = bankhook::parse(copy.view(), arena);
    REQUIRE_FALSE(event.has_value());
    CHECK(name_of(event.error().code) == fault.code);
    CHECK(event.error().offset == fault.offset);
    CHECK(event.error().field == fault.field);
    CHECK(event.error().or_null == fault.or_null);
  }
}

TEST_CASE("every invalid payload is rejected by the oracle, too") {
  for (const Fault& fault : faults()) {
    CAPTURE(fault.name);
    const bool too_deep = fault.code == "nested_too_deeply";  // a bound of the library, not of JSON
    CHECK(evaluate_payload(fault.text).has_value() == too_deep);
  }
}

TEST_CASE("every fault that a payload can have is among the invalid payloads") {
  std::set<std::string_view> codes;
  const auto all = faults();
  for (const Fault& fault : all) codes.insert(fault.code);
  // Not for the two events: no such field, another event is no fault there, and memory is not a matter of the payload.
  const std::set<std::string_view> others{"none", "expected_boolean", "expected_integer", "wrong_event", "out_of_memory"};
  for (std::size_t i = 0; i < bankhook::enumerator_count<bankhook::Errc>; ++i) {
    const std::string_view code = bankhook::name_of(static_cast<bankhook::Errc>(i));
    CAPTURE(code);
    CHECK((codes.contains(code) != others.contains(code)));
  }
}

TEST_CASE("every file of the shared payloads is in its list") {
  for (const char* folder : {"valid", "invalid"}) {
    std::set<std::string> listed{"expected.csv"};
    for (const auto& row : read_rows(data() / folder / "expected.csv")) listed.insert(row.at(0));
    std::set<std::string> found;
    for (const auto& file : std::filesystem::directory_iterator(data() / folder))
      found.insert(file.path().filename().string());
    CHECK(found == listed);
  }
}

}  // namespace events_data_test
