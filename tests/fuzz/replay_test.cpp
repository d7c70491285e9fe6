// SPDX-License-Identifier: MIT
// What fuzzing found, and the inputs that reach the most code, asked again of the same targets.
#include <bankhook_catch.hpp>

#include <fuzz/targets.hpp>
#include <support/files.hpp>

#include <filesystem>
#include <string>

namespace fuzz_replay_test {

using bankhook::test::data;
using bankhook::test::Target;

TEST_CASE("what fuzzing found and kept is well") {
  for (const Target& target : bankhook::test::targets) {
    int files = 0;
    for (const auto& file : std::filesystem::directory_iterator(data().parent_path() / "fuzz" / "corpus" / target.name)) {
      CAPTURE(file.path().string());
      CHECK(target.wrong(bankhook::test::read_file(file.path())) == "");
      ++files;
    }
    CHECK(files > 0);
  }
}

TEST_CASE("an oracle that is written by hand rejects what is not a number or a moment") {
  using namespace bankhook::test::by_hand;
  CHECK_FALSE(number("01").has_value());
  CHECK_FALSE(number("9223372036854775808")->fits());
  CHECK(number("-9223372036854775808")->fits());
  CHECK(number("100")->compared(*number("1e2")) == 0);
  CHECK(number("-2")->compared(*number("1")) < 0);
  CHECK_FALSE(date_time("2023-02-29T10:00:00Z", 'T').has_value());
  CHECK(date_time("1970-01-01T02:00:00.5+02:00", 'T')->seconds == 0);
}

}  // namespace fuzz_replay_test
