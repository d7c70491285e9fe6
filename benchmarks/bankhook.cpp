// SPDX-License-Identifier: MIT
// The library's ways in and out, and what the memory allows.
#include "groups.hpp"
#include "measure.hpp"
#include "peer.hpp"
#include "quotes.hpp"

#include <bankhook/bankhook.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::bench {
namespace {

template <class Parse>
void measure_parse(const std::string& method, const Corpus& corpus, Parse parse_one) {
  measure("parse", method, corpus, [&corpus, parse_one] {
    return [&corpus, parse_one, arena = std::make_unique<Arena>()] {
      std::size_t fine = 0;
      for (const std::string_view event : corpus.events) {
        arena->reset();
        const auto parsed = parse_one(event, *arena);
        keep(parsed);
        fine += parsed.has_value();
      }
      return fine;
    };
  });
}

}  // namespace

void register_references(const Corpus& corpus) {
  measure("parse", "memcpy", corpus, [&corpus] {
    const auto longest = std::ranges::max(corpus.events, {}, &std::string_view::size).size();
    return [&corpus, buffer = std::vector<char>(longest)]() mutable {
      for (const std::string_view event : corpus.events) {
        std::memcpy(buffer.data(), event.data(), event.size());
        keep(buffer);
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
  measure("serialize", "memcpy", corpus, [&corpus] {
    return [&corpus, out = std::string()]() mutable {
      for (const std::string_view event : corpus.events) {
        out.assign(event);
        keep(out);
      }
      return corpus.events.size();
    };
  });
}

void register_bankhook_reading(const Corpus& corpus) {
  measure_parse("bankhook, any buffer", corpus, [](std::string_view event, Arena& arena) { return parse(event, arena); });
  measure_parse("bankhook, PaddedView", corpus,
                [](std::string_view event, Arena& arena) { return parse(PaddedView{event}, arena); });
  if (corpus.form == Form::plain || corpus.form == Form::varying) {
    measure_parse("bankhook, Document", corpus, [](std::string_view event, Arena&) { return Document::parse(event); });
    measure_parse("bankhook, Document by one reader", corpus,
                  [](std::string_view event, Arena& arena) { return Document::parse(event, arena); });
  }
  if (corpus.form != Form::plain) return;
  measure("parse", "bankhook, Lines", corpus, [&corpus] {
    return [&corpus, arena = std::make_unique<Arena>()] {
      std::size_t fine = 0;
      for (const ArchiveLine& line : Lines(corpus.archive(), *arena)) fine += line.event.has_value();
      return fine;
    };
  });
}

void register_bankhook_writing(const Corpus& corpus, const std::shared_ptr<const Values>& values) {
  with_event_type(corpus, [&]<class T>() {
    measure("serialize", "bankhook", corpus, [values] {
      return [values, out = std::string()]() mutable {
        std::size_t fine = 0;
        for (const T& event : values->of<T>()) {
          out.clear();
          serialize_to(event, out);
          keep(out);
          fine += !out.empty();
        }
        return fine;
      };
    });
  });
}

}  // namespace bankhook::bench
