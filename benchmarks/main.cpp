// SPDX-License-Identifier: MIT
// The benchmarks: bankhook and its peers over the same corpora in one process, in turns.
#include "bars.hpp"
#include "chart.hpp"
#include "corpus.hpp"
#include "fixed.hpp"
#include "groups.hpp"
#include "machine.hpp"
#include "measure.hpp"
#include "peer.hpp"
#include "report.hpp"
#include "results.hpp"
#include "turns.hpp"
#include "values.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::bench { namespace {

constexpr std::size_t corpus_size = std::size_t{64} << 20;  // beyond the caches, as an archive is
constexpr std::size_t variation_size = std::size_t{16} << 20;

struct Options {
  bool all = false;      ///< --all: what stands beside the codec, too
  bool check = false;    ///< --check: a bar that is not reached is a failure
  std::string made;      ///< --made=TEXT: when, and by which state of the sources
  std::string results;   ///< --results=PATH: where to write PATH.md and PATH.svg
  std::string archives;  ///< --archives=FOLDER: where the archive of 4 GB lies; without it scaling is not measured
  std::string filter;    ///< --filter=TEXT: only methods whose task/corpus/name has it

  /// False for another argument.
  bool take(const std::string& argument) {
    return flag(argument, "--all", all) || flag(argument, "--check", check) || value(argument, "--made=", made) ||
           value(argument, "--results=", results) || value(argument, "--archives=", archives) ||
           value(argument, "--filter=", filter);
  }

 private:
  static bool flag(std::string_view argument, std::string_view name, bool& out) { return argument == name && (out = true); }
  static bool value(std::string_view argument, std::string_view name, std::string& out) {
    if (!argument.starts_with(name)) return false;
    out = argument.substr(name.size());
    return true;
  }
};

std::string in_words(const Corpus& corpus) {
  const std::size_t size = corpus.archive().size();
  return corpus.name + ": " + std::to_string(corpus.events.size()) + " events, " +
         std::to_string(size / corpus.events.size()) + " bytes each, " + fixed(static_cast<double>(size) / 1e6, 1) + " MB";
}

std::vector<Corpus> make_all_variations() {
  std::vector<Corpus> all = make_varying(variation_size);
  std::ranges::move(make_variations(all, variation_size), std::back_inserter(all));
  return all;
}

void register_codec(const Corpus& corpus) {
  const bool plain = corpus.form == Form::plain;
  if (plain) register_references(corpus);
  register_bankhook_reading(corpus);
  for (const Peer& peer : peers()) peer.read(peer.name, corpus);
  if (!plain) return;
  const auto values = std::make_shared<const Values>(corpus);
  register_bankhook_writing(corpus, values);
  for (const Peer& peer : peers()) {
    if (peer.write != nullptr) peer.write(peer.name, corpus, values);
  }
}

/// Both files, if a path is given and nothing speaks against them; says what does.
bool write_results(const std::string& path, const Setting& setting, const Results& results) {
  const std::vector<std::string> problems = problems_of(path + ".md", setting, results);
  for (const std::string& problem : problems) std::cerr << "bench: not fit for a page: " << problem << '\n';
  if (!problems.empty() || path.empty()) return problems.empty();
  std::ofstream page(path + ".md");
  write_report(page, setting, results);
  std::ofstream picture(path + ".svg");
  write_chart(picture, setting.machine, results);
  return true;
}

int run(const std::vector<std::string>& arguments) {
  Options options;
  for (const std::string& argument : arguments) {
    if (options.take(argument)) continue;
    std::cerr << "no such option: " << argument << '\n';
    return 2;
  }
  const std::vector<Corpus> corpora = make_corpora(corpus_size);
  const std::vector<Corpus> variations = make_all_variations();
  Setting setting{.machine = this_machine(), .made = options.made, .corpora = {}};
  for (const auto* const list : {&corpora, &variations}) {
    for (const Corpus& corpus : *list) {
      setting.corpora.push_back(in_words(corpus));
      register_codec(corpus);
    }
  }
  if (!options.archives.empty()) register_scaling(corpora.front(), options.archives);
  if (options.all) {
    register_sandbox();
    register_check(corpora);
    register_tracker();
    register_snapshot();
  }
  std::erase_if(methods(), [&](const Method& method) { return !method.path().contains(options.filter); });
  const Results results = measure_in_turns(methods());
  write_report(std::cout, setting, results);
  print_memory_of_tracker();
  const bool fine = write_results(options.results, setting, results);
  const bool missed = options.check && !std::ranges::all_of(bars(results), &Bar::is_met);
  return fine && !missed ? 0 : 1;
}

}}  // namespace bankhook::bench

int main(int argc, char** argv) { return bankhook::bench::run({argv + 1, argv + argc}); }
