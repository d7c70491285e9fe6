// SPDX-License-Identifier: MIT
// The benchmarks: bankhook and its peers over the same corpora in one process, in alternating repetitions.
#include "corpus.hpp"
#include "measure.hpp"
#include "table.hpp"
#include "workload.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/// The defaults stand before the caller's options, so that those win.
std::vector<char*> with_defaults(int argc, char** argv, std::vector<std::string>& defaults) {
  std::vector<char*> arguments{argv[0]};
  for (std::string& option : defaults) arguments.push_back(option.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  return arguments;
}

constexpr std::size_t corpus_size = std::size_t{16} << 20;

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> defaults{"--benchmark_repetitions=9", "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> arguments = with_defaults(argc, argv, defaults);
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  const std::vector<bankhook::bench::Corpus> corpora = bankhook::bench::make_corpora(corpus_size);
  std::printf("Built by %s\n", BANKHOOK_BENCH_BUILD);
  for (const auto& corpus : corpora) {
    std::printf("  %-16s %zu events, %zu bytes each, %.1f MB\n", corpus.name.c_str(), corpus.events.size(),
                corpus.bytes.size() / corpus.events.size(), static_cast<double>(corpus.bytes.size()) / 1e6);
  }
  std::fflush(stdout);
  if (!bankhook::bench::register_parse(corpora) || !bankhook::bench::register_serialize(corpora)) return 1;
  bankhook::bench::register_sandbox();
  bankhook::bench::register_check(corpora);
  bankhook::bench::register_tracker();
  bankhook::bench::register_snapshot();
  bankhook::bench::Table table;
  benchmark::RunSpecifiedBenchmarks(&table);
  bankhook::bench::print_memory_of_tracker();
  return table.complete() ? 0 : 1;
}
