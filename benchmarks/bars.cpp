// SPDX-License-Identifier: MIT
// Every bar of the codec, in one list.
#include "bars.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::bench {
namespace {

using Names = std::initializer_list<const char*>;
constexpr Names kinds{"bank, everyday", "bank, heavy", "transaction"};
constexpr Names one_length{"", ", UUIDs"};
constexpr Names many_lengths{", hexadecimal ids", ", decimal ids", ", mixed ids"};
constexpr Names in_order{"", ", UUIDs", ", hexadecimal ids", ", decimal ids", ", mixed ids"};
constexpr Names blanks{", with blanks"}, indented{", indented"}, sorted{", sorted"}, shuffled{", shuffled"},
    unlisted{", unlisted fields"}, plain{""}, heavy{"bank, heavy"}, small{"bank, everyday", "transaction"};

/// How many times as fast as `rival` the library is to be, on that of the corpora where it is least.
struct Target {
  double wanted;
  const char* task;
  const char* words;
  Names forms;
  const char* rival;
  Names of = kinds;
  /// The quickest of all ways of the rival, or the one method of that name.
  double (Results::*time)(std::string_view, std::string_view, std::string_view) const = &Results::best;
};
constexpr auto one_method = &Results::of;
constexpr const char* unchecked = "glaze, UTF-8 not checked";
constexpr std::array targets{
    Target{2.2, "parse", "minified, in order", one_length, "simdjson"},
    Target{2.0, "parse", "ids of varied length", many_lengths, "simdjson"},
    Target{1.8, "parse", "with blanks", blanks, "simdjson"},
    Target{1.0, "parse", "indented", indented, "simdjson"},
    Target{1.15, "parse", "sorted", sorted, "simdjson"},
    Target{1.0, "parse", "shuffled", shuffled, "simdjson"},
    Target{1.4, "parse", "unlisted fields", unlisted, "simdjson"},
    Target{2.8, "parse", "minified, in order", in_order, "glaze", kinds, one_method},
    Target{1.9, "parse", "minified, in order", in_order, unchecked, kinds, one_method},
    Target{1.0, "parse", "sorted", sorted, unchecked, kinds, one_method},
    Target{0.9, "serialize", "small events", plain, "memcpy", small},
    Target{0.5, "serialize", "heavy events", plain, "memcpy", heavy},
    Target{2.5, "serialize", "all events", plain, "glaze"},
};
constexpr double document = 1.3;
constexpr double two_threads = 1.8;
constexpr double flat = 0.85;
constexpr std::array sizes{"1 MB", "16 MB", "256 MB", "4096 MB"};

class List {
 public:
  /// `more(corpus) / less(corpus)` on the corpus where that is worst, if any of them was measured.
  template <class More, class Less>
  void add(Bar bar, Names kinds_of, Names forms_of, More&& more, Less&& less) {
    for (const std::string kind : kinds_of) {
      for (const char* const form : forms_of) {
        const std::string corpus = kind + form;
        const double dividend = more(corpus), divisor = less(corpus);
        if (dividend <= 0 || divisor <= 0) continue;
        const double ratio = dividend / divisor;
        if (!bar.where.empty() && (bar.at_most ? ratio <= bar.reached : ratio >= bar.reached)) continue;
        bar.reached = ratio;
        bar.where = corpus;
      }
    }
    if (!bar.where.empty()) bars_.push_back(std::move(bar));
  }
  /// The same without a choice of corpora.
  void add(std::string what, double wanted, double more, double less, std::string where) {
    if (more > 0 && less > 0) bars_.push_back({std::move(what), wanted, more / less, std::move(where)});
  }

  std::vector<Bar> take() { return std::move(bars_); }

 private:
  std::vector<Bar> bars_;
};

/// ns a byte: the parts of an archive end at other lines.
double ns_a_byte(const Results& results, const std::string& size, const char* method) {
  for (const Section& section : results.sections()) {
    if (section.task != "scaling" || section.corpus != size) continue;
    const auto row = std::ranges::find(section.rows, method, &Row::method);
    if (row != section.rows.end()) return row->median() / row->bytes;
  }
  return 0;
}

void add_scaling(const Results& results, List& list) {
  list.add("scaling: two threads, times one", two_threads, ns_a_byte(results, "256 MB", "bankhook, Lines"),
           ns_a_byte(results, "256 MB", "bankhook, Lines, two threads"), "256 MB");
  std::array<double, sizes.size()> costs{};
  std::ranges::transform(sizes, costs.begin(),
                         [&](const char* size) { return ns_a_byte(results, size, "bankhook, Lines"); });
  list.add("scaling: the slowest, times the fastest", flat, std::ranges::min(costs), std::ranges::max(costs),
           "1 MB to 4 GB");
}

}  // namespace

std::vector<Bar> bars(const Results& results) {
  List list;
  for (const Target& target : targets) {
    const std::string what = std::string(target.task) + ", " + target.words + ": times " + target.rival;
    list.add(
        {what, target.wanted, 0, {}}, target.of, target.forms,
        [&](const std::string& corpus) { return (results.*target.time)(target.task, corpus, target.rival); },
        [&](const std::string& corpus) { return results.best(target.task, corpus, "bankhook"); });
  }
  list.add(
      {"Document, minified, in order: times as long as parse", document, 0, {}, true}, kinds, in_order,
      [&](const std::string& corpus) { return results.of("parse", corpus, "bankhook, Document"); },
      [&](const std::string& corpus) { return results.of("parse", corpus, "bankhook, any buffer"); });
  add_scaling(results, list);
  return list.take();
}

}  // namespace bankhook::bench
