// SPDX-License-Identifier: MIT
// Reading: the kit's four ways in, its peers into the same structs, and what the memory allows.
#include "corpus.hpp"
#include "measure.hpp"
#include "peer_rapidjson.hpp"
#include "peer_simdjson.hpp"
#include "references.hpp"

#include <bankhook/bankhook.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::bench {
namespace {

/// All peers are measured on one thread; simdjson has others only where it was built so.
template <class Parser>
void stay_on_this_thread(Parser& parser) {
  if constexpr (requires { parser.threaded; }) parser.threaded = false;
}

/// What a reader keeps from event to event; on the heap, so that a method can be moved.
struct Peers {
  Arena arena;
  simdjson::ondemand::parser parser;
  SimdjsonReader simdjson{arena};
  RapidjsonReader rapidjson{arena};

  Peers() { stay_on_this_thread(parser); }

  template <class T>
  [[nodiscard]] bool read_simdjson(std::string_view event, T& out) {
    const simdjson::padded_string_view padded(event.data(), event.size(), event.size() + simdjson::SIMDJSON_PADDING);
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    return parser.iterate(padded).get(document) == simdjson::SUCCESS &&
           document.get_object().get(object) == simdjson::SUCCESS && simdjson.read(object, out);
  }
};

/// The way in that `read(Peers&, view, T&)` is, over all events; a fresh `T` each.
template <class T, class Read>
auto each_event(const Corpus& corpus, Read read) {
  return [&corpus, read] {
    return [&corpus, read, peers = std::make_unique<Peers>()] {
      std::size_t fine = 0;
      for (const std::string_view event : corpus.events) {
        peers->arena.reset();
        T out{};
        fine += read(*peers, event, out);
        benchmark::DoNotOptimize(out);
      }
      return fine;
    };
  };
}

/// The kit, whose result comes as a value.
template <class Parse>
auto each_parsed(const Corpus& corpus, Parse parse_one) {
  return [&corpus, parse_one] {
    return [&corpus, parse_one, arena = std::make_unique<Arena>()] {
      std::size_t fine = 0;
      for (const std::string_view event : corpus.events) {
        arena->reset();
        const auto parsed = parse_one(event, *arena);
        benchmark::DoNotOptimize(parsed);
        fine += parsed.has_value();
      }
      return fine;
    };
  };
}

void register_references(const Corpus& corpus) {
  measure("parse", "memcpy", corpus, [&corpus] {
    std::size_t longest = 0;
    for (const std::string_view event : corpus.events) longest = event.size() > longest ? event.size() : longest;
    return [&corpus, buffer = std::vector<char>(longest)]() mutable {
      for (const std::string_view event : corpus.events) {
        std::memcpy(buffer.data(), event.data(), event.size());
        benchmark::ClobberMemory();
      }
      return corpus.events.size();
    };
  });
  measure("parse", "counting quotes", corpus, [&corpus] {
    return [&corpus] {
      std::size_t fine = 0;
      for (const std::string_view event : corpus.events) fine += count_quotes(event) > 0;
      return fine;
    };
  });
}

void register_kit(const Corpus& corpus) {
  measure("parse", "bankhook, any buffer", corpus,
          each_parsed(corpus, [](std::string_view event, Arena& arena) { return parse(event, arena); }));
  measure("parse", "bankhook, PaddedView", corpus,
          each_parsed(corpus, [](std::string_view event, Arena& arena) { return parse(PaddedView{event}, arena); }));
  measure("parse", "bankhook, Lines", corpus, [&corpus] {
    return [&corpus, arena = std::make_unique<Arena>()] {
      std::size_t fine = 0;
      for (const Line& line : Lines(corpus.archive(), *arena)) fine += line.event.has_value();
      return fine;
    };
  });
  measure("parse", "bankhook, Document", corpus,
          each_parsed(corpus, [](std::string_view event, Arena&) { return Document::parse(event); }));
}

template <class T>
void register_peers(const Corpus& corpus) {
  measure("parse", "simdjson", corpus, each_event<T>(corpus, [](Peers& peers, std::string_view event, T& out) {
            return peers.read_simdjson(event, out);
          }));
  measure("parse", "simdjson, iterate_many", corpus, [&corpus] {
    return [&corpus, peers = std::make_unique<Peers>()] {
      std::size_t fine = 0;
      constexpr std::size_t batch = std::size_t{1} << 18;
      simdjson::ondemand::document_stream stream;
      if (peers->parser.iterate_many(corpus.archive().data(), corpus.archive().size(), batch).get(stream)) return fine;
      for (auto document : stream) {
        peers->arena.reset();
        T out{};
        simdjson::ondemand::object object;
        fine += document.get_object().get(object) == simdjson::SUCCESS && peers->simdjson.read(object, out);
        benchmark::DoNotOptimize(out);
      }
      return fine;
    };
  });
  measure("parse", "RapidJSON", corpus, each_event<T>(corpus, [](Peers& peers, std::string_view event, T& out) {
            return peers.rapidjson.read(event, out);
          }));
}

/// Whether every reader gets the same values out of every event.
template <class T>
bool readers_agree(const Corpus& corpus) {
  Peers peers;
  std::size_t number = 0;
  for (const std::string_view event : corpus.events) {
    ++number;
    peers.arena.reset();
    const auto expected = parse_as<T>(event, peers.arena);
    T by_simdjson{};
    T by_rapidjson{};
    if (!expected || !peers.read_simdjson(event, by_simdjson) || !peers.rapidjson.read(event, by_rapidjson) ||
        by_simdjson != *expected || by_rapidjson != *expected) {
      std::fprintf(stderr, "%s: the readers do not agree about event %zu\n", corpus.name.c_str(), number);
      return false;
    }
  }
  return true;
}

template <class T>
bool register_corpus(const Corpus& corpus) {
  if (!readers_agree<T>(corpus)) return false;
  register_references(corpus);
  register_kit(corpus);
  register_peers<T>(corpus);
  return true;
}

}  // namespace

bool register_parse(const std::vector<Corpus>& corpora) {
  bool fine = true;
  for (const Corpus& corpus : corpora) {
    const bool bank = corpus.events.front().find(TypeTag<BankConnectionsUpdateV2>::text()) != std::string_view::npos;
    fine = (bank ? register_corpus<BankConnectionsUpdateV2>(corpus) : register_corpus<InitialTransactionUpdate>(corpus)) &&
           fine;
  }
  return fine;
}

}  // namespace bankhook::bench
