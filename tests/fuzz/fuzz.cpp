// SPDX-License-Identifier: MIT
// Compares the reader with the tests' own over payloads that are changed at random: bankhook_fuzz COUNT SEED.
#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/json/read/read.hpp>

#include <events/differential.hpp>
#include <fuzz/mutations.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using bankhook::PaddedView;

/// Whether `payload` is read alike by an arena that knows nothing, with bytes after its end that would continue it.
class Continued {
 public:
  std::string disagreement(std::string_view payload, std::string_view after) {
    bytes_.assign(payload).append(after);
    bytes_.resize(payload.size() + after.size() + PaddedView::padding, '"');
    known_.reset();
    bankhook::Arena unknown;
    const auto one = bankhook::parse(payload, unknown);
    const auto other = bankhook::parse(PaddedView{std::string_view(bytes_).substr(0, payload.size())}, known_);
    if (one.has_value() != other.has_value()) return "read otherwise with bytes after its end";
    if (one) return bankhook::test::same_event(*one, *other) ? "" : "another event with bytes after its end";
    const bankhook::Error& a = one.error();
    const bankhook::Error& b = other.error();
    const bool same = a.code == b.code && a.offset == b.offset && a.field == b.field && a.or_null == b.or_null;
    return same ? "" : "another error with bytes after its end";
  }

 private:
  bankhook::Arena known_;
  std::string bytes_;
};

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t payloads = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 100'000;
  const std::uint64_t seed = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  bankhook::test::Mutations mutations(seed);
  bankhook::test::Differential differential;
  Continued continued;
  std::string before;
  std::uint64_t accepted = 0;
  for (std::uint64_t i = 0; i < payloads; ++i) {
    const std::string payload = mutations.next();
    std::string wrong = differential.disagreement(payload);
    if (wrong.empty()) wrong = continued.disagreement(payload, before);
    if (!wrong.empty()) {
      std::printf("payload %llu of seed %llu: %s\n%s\n", static_cast<unsigned long long>(i),
                  static_cast<unsigned long long>(seed), wrong.c_str(), payload.c_str());
      return 1;
    }
    bankhook::Arena arena;
    accepted += bankhook::parse(payload, arena).has_value();
    before = payload;
  }
  std::printf("%llu payloads of seed %llu read alike, %llu of them without error\n",
              static_cast<unsigned long long>(payloads), static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(accepted));
  return accepted > 0 && accepted < payloads ? 0 : 1;
}
