// SPDX-License-Identifier: MIT
// The benchmarks: bankhook and its peers over the same corpora in one process, in alternating repetitions.
#include "bars.hpp"
#include "chart.hpp"
#include "corpus.hpp"
#include "fixed.hpp"
#include "groups.hpp"
#include "machine.hpp"
#include "peer.hpp"
#include "report.hpp"
#include "results.hpp"
#include "values.hpp"

#include <benchmark/benchmark.h>

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

namespace bankhook::bench {
namespace {

constexpr std::size_t corpus_size = std::size_t{64} << 20;  // beyond the caches, as an archive is
constexpr std::size_t variation_size = std::size_t{16} << 20;

/// What the program takes beside the options of Google Benchmark.
struct Options {
  bool all = false;      ///< --all: what stands beside the codec, too
  bool check = false;    ///< --check: a bar that is not reached is a failure
  std::string made;      ///< --made=TEXT: when, and by which state of the sources
  std::string results;   ///< --results=PATH: where to write PATH.md and PATH.svg
  std::string archives;  ///< --archives=FOLDER: where the archive of 4 GB lies; without it scaling is not measured

  /// Takes them out of the arguments.
  explicit Options(std::vector<std::string>& arguments) {
    std::erase_if(arguments, [this](const std::string& argument) {
      return flag(argument, "--all", all) || flag(argument, "--check", check) || value(argument, "--made=", made) ||
             value(argument, "--results=", results) || value(argument, "--archives=", archives);
    });
  }

 private:
  static bool flag(std::string_view argument, std::string_view name, bool& out) { return argument == name && (out = true); }
  static bool value(std::string_view argument, std::string_view name, std::string& out) {
    if (!argument.starts_with(name)) return false;
    out = argument.substr(name.size());
    return true;
  }
};

/// False for an option that nobody knows. The defaults stand before the caller's, so that those win.
bool start(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin() + 1, {"--benchmark_repetitions=9", "--benchmark_enable_random_interleaving=true"});
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  benchmark::Initialize(&count, pointers.data());
  return !benchmark::ReportUnrecognizedArguments(count, pointers.data());
}

std::string in_words(const Corpus& corpus) {
  const std::size_t size = corpus.archive().size();
  return corpus.name + ": " + std::to_string(corpus.events.size()) + " events, " +
         std::to_string(size / corpus.events.size()) + " bytes each, " + fixed(static_cast<double>(size) / 1e6, 1) + " MB";
}

std::vector<Corpus> make_all_variations(const std::vector<Corpus>& corpora) {
  std::vector<Corpus> all = make_varying(variation_size);
  for (const Corpus& corpus : corpora) std::ranges::move(make_variations(corpus, variation_size), std::back_inserter(all));
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

void write_results(const Options& options, const Setting& setting, const Results& results) {
  std::ofstream page(options.results + ".md");
  write_report(page, setting, results);
  std::ofstream picture(options.results + ".svg");
  write_chart(picture, setting.machine, results);
}

int run(std::vector<std::string> arguments) {
  const Options options(arguments);
  if (!start(std::move(arguments))) return 2;
  const std::vector<Corpus> corpora = make_corpora(corpus_size);
  const std::vector<Corpus> variations = make_all_variations(corpora);
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
  Results results;
  benchmark::RunSpecifiedBenchmarks(&results);
  write_report(std::cout, setting, results);
  print_memory_of_tracker();
  if (!options.results.empty()) write_results(options, setting, results);
  const auto all_bars = bars(results);
  const bool missed = options.check && !std::ranges::all_of(all_bars, &Bar::is_met);
  return results.complete() && !missed ? 0 : 1;
}

}  // namespace
}  // namespace bankhook::bench

int main(int argc, char** argv) { return bankhook::bench::run(std::vector<std::string>(argv, argv + argc)); }
