// SPDX-License-Identifier: MIT
// A machine of your own: write its rows, and the compiler proves that they make one.
#include <bankhook/bankhook.hpp>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

namespace shop {

enum class Parcel : std::uint8_t { packed, on_the_way, delivered, returned };
enum class Scan : std::uint8_t { label, pick_up, hand_over, refuse };

constexpr auto parcel_table = [] {
  using enum Parcel;
  using enum Scan;
  using enum bankhook::Evidence;
  using namespace bankhook::table_words;
  return bankhook::transitions<Parcel, Scan>(
      {
          {begin, label, packed, stated, "carrier 1"},
          {packed, pick_up, on_the_way, stated, "carrier 2"},
          {on_the_way, hand_over, delivered, stated, "carrier 3"},
          {on_the_way, refuse, returned, assumed,
           "carrier 3"},  // the carrier's manual does not say who returns it
          {packed, hand_over, never, stated, "carrier 2"},
      },
      {
          {delivered, stated, "carrier 3"},
          {returned, assumed, "carrier 3"},
      });
}();

// Leave out a row, write one twice, let one leave `delivered`: this line does not
// compile and says why.
constexpr auto parcel = bankhook::machine<parcel_table>;

// What is known when the program is written is proven then.
static_assert(parcel.step(Parcel::packed, Scan::pick_up).to == Parcel::on_the_way);
static_assert(parcel.allowed(Parcel::delivered).empty());

}  // namespace shop

namespace {

void print(std::string_view word) {
  std::printf(" %.*s", static_cast<int>(word.size()), word.data());
}

bool check(bool holds, std::string_view sentence) {
  std::printf(holds ? "  yes:" : "   NO:");
  print(sentence);
  std::printf("\n");
  return holds;
}

}  // namespace

int main() {
  using bankhook::Verdict;
  using shop::parcel, shop::Parcel, shop::Scan;

  std::optional<Parcel>
      here;  // before the first scan; the machine holds no state, you do
  for (const Scan scan : {Scan::label, Scan::pick_up})
    here = parcel.step(here, scan).to;
  bool fine = check(here == Parcel::on_the_way,
                    "a parcel with a label that was picked up is on the way");
  if (!here) return 1;

  std::printf("on the way, it may be scanned for:");
  for (const Scan scan : parcel.allowed(*here)) print(bankhook::name_of(scan));
  std::printf("\n");
  fine &= check(parcel.allowed(*here).size() == 2, "two of the scans lead on");

  const auto refused = parcel.step(*here, Scan::refuse);
  fine &= check(refused.to == Parcel::returned, "refused, it is returned");
  fine &= check(refused.verdict == Verdict::assumed,
                "but no manual says so: the transition is assumed");

  const auto given = parcel.step(Parcel::packed, Scan::hand_over);
  fine &= check(given.verdict == Verdict::contradicts,
                "a parcel in the store is handed over to nobody:");
  std::printf("       %s\n", parcel.why_not(Parcel::packed, Scan::hand_over).c_str());

  // For a README; to_dot draws the assumed transition dashed.
  std::printf("\n%s", bankhook::to_mermaid(parcel).c_str());
  return fine ? 0 : 1;
}
