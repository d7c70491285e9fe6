// SPDX-License-Identifier: MIT
// Every bar of the codec, in one list.
#include "bars.hpp"

#include "varying.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace bankhook::bench {
namespace {

constexpr std::array kinds{"bank, everyday", "bank, heavy", "transaction"};

/// How many times as fast as a method reading is, on the corpus of each kind where that is least.
struct Rival {
  const char* method;
  double wanted;
  const char* ours = "bankhook";
};
constexpr std::array rivals{Rival{"glaze", 2.5},
                            Rival{"glaze, UTF-8 not checked", 1.8},
                            Rival{"simdjson", 2.3},
                            Rival{"simdjson, field by field", 2.3},
                            Rival{"simdjson, by the size of names", 2.3},
                            Rival{"simdjson, iterate_many", 2.3},
                            Rival{"bankhook, any buffer", 1 / 1.3, "bankhook, Document"}};

/// The same beside the best of simdjson, for text that is not in the specification's order or not minified.
struct Variation {
  const char* form;
  double wanted;
};
constexpr std::array variations{Variation{"with blanks", 1.8}, Variation{"sorted", 1.15}, Variation{"shuffled", 1.0},
                                Variation{"indented", 1.0}, Variation{"unlisted fields", 1.4}};
/// Of the speed of copying what is written.
struct Writing {
  const char* kind;
  double wanted;
};
constexpr std::array writing_beside_memcpy{Writing{"bank, everyday", 0.9}, Writing{"bank, heavy", 0.5},
                                           Writing{"transaction", 0.9}};
constexpr double writing_beside_glaze = 2.5;
constexpr double two_threads = 1.8;
constexpr double flat = 0.85;
constexpr std::array sizes{"1 MB", "16 MB", "256 MB", "4096 MB"};

class List {
 public:
  explicit List(const Results& results) : results_(results) {}

  /// How many times as fast as `library` the library is.
  void beside(const char* library, const char* task, const std::string& corpus, double wanted) {
    const double ours = results_.best(task, corpus, "bankhook");
    const double other = results_.best(task, corpus, library);
    add(std::string(task) + ", " + corpus + ": times " + library, wanted, other, ours);
  }

  /// The same beside one method, on the corpus where it is least: that of the sandbox, or one whose texts vary.
  void beside_at_worst(const Rival& rival, const std::string& kind) {
    std::string worst;
    double least = std::numeric_limits<double>::infinity();
    const auto look = [&](const std::string& corpus) {
      const double ours = results_.best("parse", corpus, rival.ours);
      const double other = results_.of("parse", corpus, rival.method);
      if (ours <= 0 || other <= 0 || other / ours >= least) return;
      least = other / ours;
      worst = corpus;
    };
    look(kind);
    for (const Variety& variety : varieties) look(kind + ", " + std::string(words_of(variety.ids)));
    if (worst.empty()) return;
    const std::string ours = rival.ours == std::string("bankhook") ? "" : std::string(rival.ours) + ", ";
    add("parse, " + worst + " (the worst corpus): " + ours + "times " + rival.method, rival.wanted, least, 1);
  }

  /// `more / less`, where both were measured.
  void add(std::string what, double wanted, double more, double less) {
    if (more > 0 && less > 0) bars_.push_back({std::move(what), wanted, more / less});
  }

  std::vector<Bar> take() { return std::move(bars_); }

 private:
  const Results& results_;
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
  list.add("scaling, 256 MB: two threads, times one", two_threads, ns_a_byte(results, "256 MB", "bankhook, Lines"),
           ns_a_byte(results, "256 MB", "bankhook, Lines, two threads"));
  std::array<double, sizes.size()> costs{};
  std::ranges::transform(sizes, costs.begin(),
                         [&](const char* size) { return ns_a_byte(results, size, "bankhook, Lines"); });
  list.add("scaling, 1 MB to 4 GB: the slowest, times the fastest", flat, std::ranges::min(costs), std::ranges::max(costs));
}

}  // namespace

std::vector<Bar> bars(const Results& results) {
  List list(results);
  for (const Rival& rival : rivals) {
    for (const std::string kind : kinds) list.beside_at_worst(rival, kind);
  }
  for (const std::string kind : kinds) {
    for (const auto& [form, wanted] : variations) list.beside("simdjson", "parse", kind + ", " + form, wanted);
  }
  for (const auto& [kind, wanted] : writing_beside_memcpy) list.beside("memcpy", "serialize", kind, wanted);
  for (const std::string kind : kinds) list.beside("glaze", "serialize", kind, writing_beside_glaze);
  add_scaling(results, list);
  return list.take();
}

}  // namespace bankhook::bench
