// SPDX-License-Identifier: MIT
// The random numbers and ids of the sandbox: the same everywhere, within their bounds, and readable backwards.
#include <bankhook_catch.hpp>

#include <bankhook/sandbox/world.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace sandbox_random_test {

using namespace bankhook::detail::sandbox;

TEST_CASE("mixing can be undone") {
  STATIC_REQUIRE(unmix(mix(0)) == 0);
  STATIC_REQUIRE(unmix(mix(~std::uint64_t{0})) == ~std::uint64_t{0});
  Random random(3);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t value = random.next();
    REQUIRE(unmix(mix(value)) == value);
  }
}

TEST_CASE("a seed gives the same numbers on every platform") {
  // Golden values: another one would change every history that somebody keeps.
  constexpr auto first = [] {
    Random random(42);
    return std::array{random.next(), random.next(), random.next()};
  };
  STATIC_REQUIRE(first() == std::array<std::uint64_t, 3>{0xCFE79BA8C361038Cu, 0xA20B59BE6396815Bu, 0x3010D31D46F3D29Fu});
}

TEST_CASE("draws stay within their bounds and reach all of them") {
  Random random(7);
  std::array<int, 6> met{};
  for (int i = 0; i < 60'000; ++i) {
    const std::uint32_t drawn = random.between(10, 15);
    REQUIRE((drawn >= 10 && drawn <= 15));
    ++met[drawn - 10];
  }
  for (const int count : met) CHECK((count > 9'500 && count < 10'500));
}

TEST_CASE("an id leads back to its number") {
  const Identifiers ids(11);
  constexpr std::uint64_t number = std::uint64_t{4} << 32 | 17;
  CHECK(ids.number_of(Kind::connection, ids.make(Kind::connection, number)) == number);
  CHECK(ids.make(Kind::connection, number).starts_with("con-sandbox-"));
}

TEST_CASE("a text that is no id of its kind leads nowhere") {
  const Identifiers ids(11);
  const std::string id = ids.make(Kind::member, 3);
  const std::string all_but_last = id.substr(0, id.size() - 1);
  CHECK(ids.number_of(Kind::member, id) == 3U);
  CHECK(ids.number_of(Kind::connection, id) == std::nullopt);
  for (const std::string_view text : {"", "mem", "mem-another-0123456789abcdef", "mem-sandbox-0123456789ABCDEF"})
    CHECK(ids.number_of(Kind::member, text) == std::nullopt);
  for (const std::string& text : {id + "0", all_but_last, all_but_last + "G"})
    CHECK(ids.number_of(Kind::member, text) == std::nullopt);
}

TEST_CASE("ids differ by kind and number, and hashes by number") {
  const Identifiers ids(5);
  std::set<std::string, std::less<>> met;
  for (const Kind kind : {Kind::member, Kind::connection, Kind::account, Kind::transaction, Kind::match, Kind::programme}) {
    for (std::uint64_t slot = 0; slot < 50; ++slot) {
      for (std::uint64_t generation = 0; generation < 4; ++generation)
        met.insert(ids.make(kind, generation << 32 | slot).substr(4));
    }
  }
  CHECK(met.size() == 6 * 50 * 4);
  CHECK(ids.make_hash(1) == ids.make_hash(1));
  CHECK(ids.make_hash(1) != ids.make_hash(2));
  CHECK(ids.make_hash(1).size() == 64);
  CHECK(Identifiers(6).make_hash(1) != ids.make_hash(1));
}

}  // namespace sandbox_random_test
