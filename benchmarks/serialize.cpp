// SPDX-License-Identifier: MIT
// Writing into a buffer that is kept: the kit, RapidJSON's writer, and copying the finished text.
#include "corpus.hpp"
#include "measure.hpp"
#include "peer_rapidjson_writer.hpp"

#include <bankhook/bankhook.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::bench {
namespace {

/// All events of a corpus as values; one arena holds them all.
struct Values {
  Arena arena;
  std::vector<AnyEvent> events;

  explicit Values(const Corpus& corpus) {
    for (const std::string_view text : corpus.events) {
      if (const auto event = parse(text, arena)) events.push_back(*event);
    }
  }
};

bool writers_agree(const Corpus& corpus, const Values& values) {
  RapidjsonWriter rapidjson;
  bool fine = values.events.size() == corpus.events.size();
  for (std::size_t i = 0; fine && i < values.events.size(); ++i) {
    fine = serialize(values.events[i]) == corpus.events[i] && rapidjson.write(values.events[i]) == corpus.events[i];
    if (!fine) std::fprintf(stderr, "%s: a writer changes event %zu\n", corpus.name.c_str(), i + 1);
  }
  return fine;
}

void register_corpus(const Corpus& corpus, const std::shared_ptr<const Values>& values) {
  measure("serialize", "memcpy", corpus, [&corpus] {
    return [&corpus, out = std::string()]() mutable {
      for (const std::string_view event : corpus.events) {
        out.assign(event);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
      }
      return corpus.events.size();
    };
  });
  measure("serialize", "bankhook", corpus, [values] {
    return [values, out = std::string()]() mutable {
      std::size_t fine = 0;
      for (const AnyEvent& event : values->events) {
        out.clear();
        serialize_to(event, out);
        benchmark::DoNotOptimize(out.data());
        fine += !out.empty();
      }
      return fine;
    };
  });
  measure("serialize", "RapidJSON", corpus, [values] {
    return [values, writer = std::make_unique<RapidjsonWriter>()] {
      std::size_t fine = 0;
      for (const AnyEvent& event : values->events) fine += !writer->write(event).empty();
      return fine;
    };
  });
}

}  // namespace

bool register_serialize(const std::vector<Corpus>& corpora) {
  bool fine = true;
  for (const Corpus& corpus : corpora) {
    const auto values = std::make_shared<const Values>(corpus);
    fine = writers_agree(corpus, *values) && fine;
    register_corpus(corpus, values);
  }
  return fine;
}

}  // namespace bankhook::bench
