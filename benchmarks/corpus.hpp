// SPDX-License-Identifier: MIT
// What is measured on: seeded events of a sandbox, too many for a branch predictor to learn.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::bench {

/// Events of one kind, one a line. `finish` makes the views into `bytes`, which spare readable bytes then follow.
struct Corpus {
  static constexpr std::size_t spare = 256;

  std::string name;
  std::string bytes{};
  std::vector<std::string_view> events{};

  /// Adds an event. Events are viewed by `finish`, once all are there: until then their bytes move.
  void add(std::string_view event) { bytes.append(event) += '\n'; }
  void finish();

  /// All lines, without the spare bytes.
  [[nodiscard]] std::string_view archive() const { return std::string_view(bytes).substr(0, bytes.size() - spare); }
  [[nodiscard]] bool is_bank() const { return name.starts_with("bank"); }
};

/// Three corpora of at least `size` bytes each, all by one seed; 16 MB of each take a tenth of a second.
///
/// - `bank, everyday`: 1.5 KB an event, from the history of 2000 members: 1 to 3 connections (none in one event of 16:
///   the only one was deleted) of 0 to 4 accounts, a third of the events about a connection in error.
/// - `bank, heavy`: 28 KB an event, 20 connections of 10 accounts, up to five of them in error.
/// - `transaction`: 0.4 KB an event, half of them `created`, seven in twenty `validated`, the others `rejected`; one in
///   four is of a store that the consumer has no id for.
///
/// One hash in ten is null, one consent in five is left out; half of the names have an accent, and one in sixteen of the
/// banks', one in four of the stores', two in five of the error messages an escape. Ids, hashes and dates have one length
/// each, as a service's have.
[[nodiscard]] std::vector<Corpus> make_corpora(std::size_t size);

}  // namespace bankhook::bench
