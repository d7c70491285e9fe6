// SPDX-License-Identifier: MIT
// The list of the peers.
#include "peer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace bankhook::bench {
namespace {

/// Made when the first peer comes: they come before main, in any order.
std::vector<Peer>& list() {
  static std::vector<Peer> all;
  return all;
}

}  // namespace

const std::vector<Peer>& peers() { return list(); }

bool enroll(Peer peer) {
  list().push_back(std::move(peer));
  std::ranges::sort(list(), {}, &Peer::name);
  return true;
}

}  // namespace bankhook::bench
