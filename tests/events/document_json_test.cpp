// SPDX-License-Identifier: MIT
// Whether a payload is what would be written of its event, as the reader sees it: of samples, and of what damage leaves.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <events/samples.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace events_document_json_test {

using namespace bankhook;
using test::Sample;
using test::samples;

TEST_CASE("a document's JSON is its payload where the event is written in the same bytes, and nothing else") {
  const auto compare = [](std::string_view text) {
    const auto document = Document::parse(text);
    if (!document) return false;
    CAPTURE(text);
    const bool is_same = serialize(document->event()) == document->raw();
    if (document->json()) CHECK(document->json()->data() == document->raw().data());
    if (document->json()) CHECK(document->json()->size() == document->raw().size());
    if (document->json().has_value() > is_same) FAIL("other bytes are written");
    return document->json().has_value();
  };
  std::uint32_t state = 1;
  const auto random = [&](std::size_t count) { return (state = state * 1664525 + 1013904223) / 65536 % count; };
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    CHECK(compare(sample.text) == (sample.canonical && !sample.text.contains("\\u")));  // one of another character
    CHECK_FALSE(compare(sample.text + "\n"));
    for (int round = 0; round < 2000; ++round) {
      std::string text = sample.text;
      for (std::size_t changes = 1 + random(3); changes > 0; --changes) {
        constexpr std::string_view bits[] = {" ",      "\\u0041", "\\/",  "\\n",     "\n",      "1e1",      "0",       "-0",
                                             "null",   ".50",     "+",    "x",       "E2",      "\"x\":1,", "placeId", "Z",
                                             "+02:00", "\\\"",    "\\\\", "\\u001f", "\\u001F", "\\u0009",  "\\t"};
        const std::string_view bit = bits[random(std::size(bits))];
        text.replace(random(text.size()), random(4), bit);
      }
      compare(text);
    }
  }
}

/// Counts the texts in `value` that lie in `payload` and those that lie elsewhere; arrays never lie in it.
template <class T>
void count_texts(const T& value, std::string_view payload, std::size_t (&counts)[2]) {
  const auto lies_in = [&](const void* p) { return p >= payload.data() && p < payload.data() + payload.size(); };
  if constexpr (detail::reflect::Text<T>) ++counts[lies_in(value.data())];
  else if constexpr (detail::reflect::OpenEnumeration<T>) counts[lies_in(value.text().data())] += !value.is_known();
  else if constexpr (detail::reflect::HasParts<T>) {
    if constexpr (detail::reflect::Array<T>) CHECK_FALSE((!value.empty() && lies_in(value.data())));
    detail::reflect::for_each_part(value, [&](const auto& part) { return count_texts(part, payload, counts), true; });
  }
}

TEST_CASE("text views the payload, text with escapes lies in the arena, and so do arrays") {
  for (const Sample& sample : samples()) {
    Arena arena;
    std::size_t counts[2]{};
    count_texts(*parse(sample.text, arena), sample.text, counts);
    CAPTURE(sample.name);
    CHECK(counts[true] > 0);
    if (!sample.text.contains('\\')) CHECK(counts[false] == 0);
    if (sample.name == "escaped_names_and_text.json") CHECK(counts[false] > 0);
  }
}

TEST_CASE("numbers are those of the payload only where they print alike") {
  const std::string& payload = test::sample("transaction_created");
  for (const auto& [amount, is_alike] : {std::pair("19.90", true),
                                         {"0", true},
                                         {"0.0", true},
                                         {"-19.90", true},
                                         {"-0", false},
                                         {"-0.5", true},
                                         {"1e1", true},
                                         {"1E1", false},
                                         {"10e0", false},
                                         {"1E-2", false},
                                         {"123456789012345678", true},
                                         {"1234567890123456789", true},
                                         {"0.12345678901234567890", false}}) {
    std::string text = payload;
    text.replace(text.find("19.90"), 5, amount);
    CAPTURE(amount);
    const auto document = Document::parse(text);
    CHECK((document && document->json().has_value()) == is_alike);
    CHECK((document && serialize(document->event()) == text) == is_alike);
  }
  std::string members = test::sample("connection_created");
  const std::size_t at = members.find(R"("connectionsOn":)") + 16;
  for (const char* const count : {"0.0", "1e0", "-0"}) {
    std::string text = members;
    text.replace(at, 1, count);
    CAPTURE(text);
    const auto document = Document::parse(text);
    REQUIRE(document.has_value());
    CHECK_FALSE(document->json().has_value());
  }
}

}  // namespace events_document_json_test
