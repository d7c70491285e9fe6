// SPDX-License-Identifier: MIT
// What is measured on: seeded events of a sandbox, too many for a branch predictor to learn.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::bench {

/// How the texts of a corpus are written: as the service does, with texts that vary, or as it might one day.
enum class Form { plain, varying, blanks, nulls, sorted, shuffled, indented, unlisted };

/// The last ones, which are made of the varying corpora; and what each is called.
inline constexpr std::array forms{Form::blanks, Form::nulls, Form::sorted, Form::shuffled, Form::indented, Form::unlisted};
constexpr std::string_view words_of(Form form) {
  constexpr std::array<std::string_view, 8> words{"",       "",         "with blanks", "absent as null",
                                                  "sorted", "shuffled", "indented",    "unlisted fields"};
  return words[static_cast<std::size_t>(form)];
}

/// Events of one kind, one a line where they are not indented.
struct Corpus {
  static constexpr std::size_t spare = 256;

  std::string name{};
  Form form = Form::plain;
  std::string bytes{};                     ///< all events, each with a line end after it, and spare readable bytes
  std::vector<std::string_view> events{};  ///< views into `bytes`

  /// All lines, without the spare bytes.
  [[nodiscard]] std::string_view archive() const { return std::string_view(bytes).substr(0, bytes.size() - spare); }
  [[nodiscard]] bool is_bank() const { return name.starts_with("bank"); }
  /// Without white space, and with the fields in the specification's order.
  [[nodiscard]] bool is_canonical() const { return form == Form::plain || form == Form::varying; }
};

/// Gathers events, whose places move until all are there.
class CorpusMaker {
 public:
  explicit CorpusMaker(std::string_view name, Form form = Form::plain) : corpus_{.name = std::string(name), .form = form} {}

  void add(std::string_view event) {
    corpus_.bytes.append(event) += '\n';
    sizes_.push_back(event.size());
  }
  [[nodiscard]] std::size_t size() const { return corpus_.bytes.size(); }
  [[nodiscard]] Corpus finish() &&;

 private:
  Corpus corpus_;
  std::vector<std::size_t> sizes_;
};

/// Three corpora of at least `size` bytes each, all by one seed; 64 MB of each take less than a second.
///
/// - `bank, everyday`: 1.5 KB an event, from the history of 10,000 members: 1 to 3 connections (none in one event of 16:
///   the only one was deleted) of 0 to 4 accounts, a third of the events about a connection in error.
/// - `bank, heavy`: 28 KB an event, 20 connections of 10 accounts, up to five of them in error.
/// - `transaction`: 0.4 KB an event, half of them `created`, seven in twenty `validated`, the others `rejected`; one in
///   four is of a store that the consumer has no id for.
///
/// One hash in ten is null, one consent in five is left out; half of the names have an accent, and one in sixteen of the
/// banks', one in four of the stores', two in five of the error messages an escape. Ids, hashes and dates have one length
/// each.
[[nodiscard]] std::vector<Corpus> make_corpora(std::size_t size);

/// As much of each of these as makes `size` bytes of a kind of event, in other forms: once with a blank after each comma
/// and colon, once with null for each field that is absent, once with the members of every object sorted by their names,
/// once with them in random order, once indented by two blanks, once with unlisted fields, one to ten listed ones. By one
/// seed; the values stay the same.
[[nodiscard]] std::vector<Corpus> make_variations(const std::vector<Corpus>& varying, std::size_t size);

/// Corpora of at least `size` bytes, one for each kind of event and each of the `varieties` of varying.hpp: every text is
/// of another length than those around it. The name is that of the kind, with the ids in words.
[[nodiscard]] std::vector<Corpus> make_varying(std::size_t size);

}  // namespace bankhook::bench
