// SPDX-License-Identifier: MIT
// A library beside the library: how its readers and writers are checked against the library's values, then measured.
#pragma once

#include "corpus.hpp"
#include "measure.hpp"
#include "values.hpp"

#include <bankhook/bankhook.hpp>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace bankhook::bench {

/// What a file peer_*.cpp tells about its library. The functions register; before it is measured, each reader and writer
/// goes through all events once, and fails where the values are not the library's: then there is nothing to compare.
struct Peer {
  std::string name;
  std::string version;
  std::string how;        ///< its best configuration, in words
  std::string unchecked;  ///< what its reader lets pass and the library's does not
  std::string written;    ///< how the text that it writes differs from the library's
  void (*read)(const std::string& name, const Corpus& corpus);
  void (*write)(const std::string& name, const Corpus& corpus, const std::shared_ptr<const Values>& values) = nullptr;
};

/// All that were enrolled, by name. Each peer enrolls itself before main: which are there is decided by CMake alone.
[[nodiscard]] const std::vector<Peer>& peers();
bool enroll(Peer peer);

/// One value of each kind of event, used again and again by a reader.
template <class... T>
class Held {
 public:
  template <class U>
  [[nodiscard]] U& fresh() {
    return std::get<U>(values_) = U{};
  }

 private:
  std::tuple<T...> values_;
};
using HeldEvents = Held<BankConnectionsUpdateV2, InitialTransactionUpdate>;

/// Calls `f.template operator()<T>()` for the corpus' type of event.
template <class F>
void with_event_type(const Corpus& corpus, F&& f) {
  if (corpus.is_bank()) f.template operator()<BankConnectionsUpdateV2>();
  else f.template operator()<InitialTransactionUpdate>();
}

/// Whether `reader.read<T>(event)` points to the library's values; a reader of other structs compares in `agrees`.
template <class T, class Reader>
bool reads_alike(const std::string& method, const Corpus& corpus) {
  Reader reader(corpus);
  Arena arena;
  for (std::size_t i = 0; i < corpus.events.size(); ++i) {
    arena.reset();
    const auto expected = parse_as<T>(corpus.events[i], arena);
    const auto* const read = reader.template read<T>(corpus.events[i]);
    bool fine = expected.has_value() && read != nullptr;
    if constexpr (requires { reader.agrees(*expected, *read, arena); })
      fine = fine && reader.agrees(*expected, *read, arena);
    else fine = fine && *expected == *read;
    if (fine) continue;
    std::fprintf(stderr, "%s, %s: other values in event %zu\n", corpus.name.c_str(), method.c_str(), i + 1);
    return false;
  }
  return true;
}

/// Whether what `writer` writes of `events` is read back as `expected`.
template <class T, class Writer, class Event>
bool writes_alike(const std::string& method, const Corpus& corpus, const std::vector<Event>& events,
                  const std::vector<T>& expected) {
  Writer writer;
  Arena arena;
  for (std::size_t i = 0; i < events.size(); ++i) {
    arena.reset();
    const auto back = parse_as<T>(writer.write(events[i]), arena);
    if (back && *back == expected[i]) continue;
    std::fprintf(stderr, "%s, %s: writes other values in event %zu\n", corpus.name.c_str(), method.c_str(), i + 1);
    return false;
  }
  return true;
}

/// Registers a reader: `Reader(corpus)` and `read<T>(event)`, a pointer to what it keeps, null for a failure.
template <class Reader>
void add_reader(const std::string& method, const Corpus& corpus) {
  with_event_type(corpus, [&]<class T>() {
    measure("parse", method, corpus, [method, &corpus] {
      const bool fair = reads_alike<T, Reader>(method, corpus);
      return [&corpus, fair, reader = std::make_unique<Reader>(corpus)] {
        std::size_t fine = 0;
        for (const std::string_view event : corpus.events) {
          const auto* const read = reader->template read<T>(event);
          keep(read);
          fine += read != nullptr;
        }
        return fair ? fine : 0;
      };
    });
  });
}

/// Registers a writer: `write(event)`, the text that it keeps. One of other structs makes them in `prepare`.
template <class Writer>
void add_writer(const std::string& method, const Corpus& corpus, const std::shared_ptr<const Values>& values) {
  with_event_type(corpus, [&]<class T>() {
    measure("serialize", method, corpus, [method, &corpus, values] {
      const auto events = prepare_values<T, Writer>(values);
      const bool fair = writes_alike<T, Writer>(method, corpus, *events, values->template of<T>());
      return [events, fair, writer = std::make_unique<Writer>()] {
        std::size_t fine = 0;
        for (const auto& event : *events) {
          const std::string_view text = writer->write(event);
          keep(text);
          fine += !text.empty();
        }
        return fair ? fine : 0;
      };
    });
  });
}

}  // namespace bankhook::bench
