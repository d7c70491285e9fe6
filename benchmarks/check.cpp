// SPDX-License-Identifier: MIT
// What checking costs: the rules between fields beside the parse before it, is_clean, and diagnose, which says everything.
#include "corpus.hpp"
#include "groups.hpp"
#include "measure.hpp"

#include <bankhook/bankhook.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace bankhook::bench {
namespace {

/// Parses every event and calls `is_fine(event)`, which says whether it is fine.
template <class IsFine>
auto each_checked(const Corpus& corpus, IsFine is_fine) {
  return [&corpus, is_fine] {
    return [&corpus, is_fine, arena = std::make_unique<Arena>()] {
      std::size_t fine = 0;
      for (const std::string_view event : corpus.events) {
        arena->reset();
        const auto parsed = parse(event, *arena);
        keep(parsed);
        fine += parsed.has_value() && is_fine(*parsed);
      }
      return fine;
    };
  };
}

}  // namespace

void register_check(const std::vector<Corpus>& corpora) {
  for (const Corpus& corpus : corpora) {
    measure("check", "parse", corpus, each_checked(corpus, [](const AnyEvent&) { return true; }));
    measure("check", "parse, check", corpus, each_checked(corpus, [](const AnyEvent& event) {
              const Findings findings = check(event);
              keep(findings);
              return true;
            }));
    measure("check", "is_clean", corpus, [&corpus] {
      return [&corpus, arena = std::make_unique<Arena>()] {
        std::size_t clean = 0;
        for (const std::string_view event : corpus.events) {
          arena->reset();
          clean += is_clean(event, *arena);
        }
        return clean;
      };
    });
    measure("check", "diagnose", corpus, [&corpus] {
      return [&corpus] {
        for (const std::string_view event : corpus.events) {
          const std::vector<Finding> findings = diagnose(event);
          keep(findings);
        }
        return corpus.events.size();
      };
    });
  }
}

}  // namespace bankhook::bench
