// SPDX-License-Identifier: MIT
// The events of a corpus as values, for what writes them.
#pragma once

#include "corpus.hpp"

#include <bankhook/bankhook.hpp>

#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

namespace bankhook::bench {

/// All events of a corpus; one arena holds them all, and their plain texts are views into the corpus.
struct Values {
  Arena arena;
  std::tuple<std::vector<BankConnectionsUpdateV2>, std::vector<InitialTransactionUpdate>> events;

  explicit Values(const Corpus& corpus) {
    for (const std::string_view text : corpus.events) {
      if (corpus.is_bank()) keep(parse_as<BankConnectionsUpdateV2>(text, arena));
      else keep(parse_as<InitialTransactionUpdate>(text, arena));
    }
  }

  template <class T>
  [[nodiscard]] const std::vector<T>& of() const {
    return std::get<std::vector<T>>(events);
  }

 private:
  template <class Parsed>
  void keep(const Parsed& event) {
    std::get<std::vector<typename Parsed::value_type>>(events).push_back(event.value());
  }
};

/// The events as `Writer` takes them: the library's, or those of other structs that `Writer::prepare(event, arena)` makes.
template <class T, class Writer>
auto prepare_values(const std::shared_ptr<const Values>& values) {
  if constexpr (requires(const T& event, Arena& arena) { Writer::prepare(event, arena); }) {
    using Other = decltype(Writer::prepare(std::declval<const T&>(), std::declval<Arena&>()));
    struct Prepared {
      Arena arena;
      std::vector<Other> events;
    };
    const auto prepared = std::make_shared<Prepared>();
    for (const T& event : values->of<T>()) prepared->events.push_back(Writer::prepare(event, prepared->arena));
    return std::shared_ptr<const std::vector<Other>>(prepared, &prepared->events);
  } else {
    return std::shared_ptr<const std::vector<T>>(values, &values->of<T>());
  }
}

}  // namespace bankhook::bench
