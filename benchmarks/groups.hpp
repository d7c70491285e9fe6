// SPDX-License-Identifier: MIT
// The groups of benchmarks, one a file; each function registers one of them.
#pragma once

#include "corpus.hpp"
#include "values.hpp"

#include <memory>
#include <string>
#include <vector>

namespace bankhook::bench {

/// Copying the bytes, and looking at each of them once: what the memory allows.
void register_references(const Corpus& corpus);
/// The library's ways in, and out. They stand beside the peers of peer.hpp.
void register_bankhook_reading(const Corpus& corpus);
void register_bankhook_writing(const Corpus& corpus, const std::shared_ptr<const Values>& values);
/// An archive of up to 4 GB, made once in `folder`, in parts of several sizes and by two threads.
void register_scaling(const Corpus& corpus, const std::string& folder);

/// Beside the codec: what checking costs, the histories of the sandbox, following, its snapshots.
void register_check(const std::vector<Corpus>& corpora);
void register_sandbox();
void register_tracker();
void register_snapshot();
/// What a transaction and a member take in the tracker; nothing where it was not measured.
void print_memory_of_tracker();

}  // namespace bankhook::bench
