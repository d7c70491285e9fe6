// SPDX-License-Identifier: MIT
// What all operations stand on: the members and their programmes, the banks, the clock, the random numbers, the options.
#pragma once

#include <bankhook/domain/customer.hpp>
#include <bankhook/sandbox/options.hpp>
#include <bankhook/sandbox/random.hpp>
#include <bankhook/sandbox/records.hpp>
#include <bankhook/sandbox/sandbox_error.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// A word that means nothing: `Zorvelu`.
inline std::string make_word(Random& random) {
  static constexpr std::string_view first[] = {"Zor", "Vel", "Mib", "Kras", "Tulo", "Phan", "Drev", "Luz", "Gwi", "Quor"};
  static constexpr std::string_view middle[] = {"ve", "ra", "bi", "lo", "nu", "dé", "ki", "so", "mu", "ta"};
  static constexpr std::string_view last[] = {"lu", "vian", "tix", "ram", "zo", "pel", "dor", "ník", "sha", "wyn"};
  std::string word(random.pick(first));
  return word.append(random.pick(middle)).append(random.pick(last));
}

/// `prefix` and the number, with zeros before it if it has less digits than that.
inline std::string make_numbered(std::string prefix, std::uint32_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return prefix.append(digits - std::min(digits, text.size()), '0').append(text);
}

/// A member and the slots of its connections that something may still happen to, in the order in which they were created.
struct MemberRecord {
  static constexpr Kind kind = Kind::member;
  static constexpr SandboxError unknown = SandboxError::no_such_member;
  static constexpr SandboxError forgotten = SandboxError::no_such_member;

  std::string id;
  std::string external_id;
  std::uint32_t programme = 0;
  std::vector<std::uint32_t> connections;

  [[nodiscard]] Customer customer() const { return {.id = id, .external_id = external_id}; }
};

/// The common world of one sandbox. Copyable: no record points to another.
struct World {
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;

  World(std::uint64_t seed, const SandboxOptions& wanted)
      : options(bounded(wanted)), random(seed), ids(random.next()), now(options.start), members(ids) {
    static constexpr std::string_view kinds[] = {"Banque", "Crédit", "Caisse", "Société"};
    for (std::size_t i = 0; i < 16; ++i)
      banks.push_back(std::string(kinds[i % std::size(kinds)]) + " Exemple " + make_word(random));
    banks.back().append(" \"Direct\"");
    for (std::uint32_t i = 0; i < options.programmes; ++i)
      programmes.emplace_back(ids.make(Kind::programme, i), make_numbered("programme-", i + 1, 1));
    for (std::uint32_t i = 0; i < options.members; ++i) {
      const std::uint32_t slot = members.take();
      members[slot] = {members.id_of(slot), make_numbered("customer-", i + 1, 6), random.below(options.programmes), {}};
    }
  }

  /// Time passes with events only; it stops at the last decade that four digits spell.
  void pass() {
    const std::chrono::milliseconds step(random.between(1, static_cast<std::uint32_t>(2 * options.pace.count())));
    if (now < last) now += step;
  }

  SandboxOptions options;
  Random random;
  Identifiers ids;
  Time now;
  std::vector<std::string> banks{};
  std::vector<std::pair<std::string, std::string>> programmes{};  ///< their ids: the service's and the consumer's
  Pool<MemberRecord> members;

 private:
  static constexpr Time first = std::chrono::sys_days(std::chrono::year(1970) / 1 / 1);
  static constexpr Time last = std::chrono::sys_days(std::chrono::year(9990) / 1 / 1);

  static SandboxOptions bounded(SandboxOptions options) {
    using namespace std::chrono;
    for (std::uint32_t* size :
         {&options.members, &options.programmes, &options.connections, &options.accounts, &options.transactions}) {
      *size = std::max<std::uint32_t>(*size, 1);
    }
    options.start = std::clamp(options.start, first, last);
    options.pace = std::clamp<milliseconds>(options.pace, milliseconds(1), days(24));  // twice that fits 32 bits
    const auto begins = [](const auto& lifecycle, auto trigger) {
      const auto* const row = lifecycle.step(std::nullopt, trigger).transition;
      return row != nullptr && row->is_expected();
    };
    if (!begins(options.connection_lifecycle, ConnectionTrigger::create))
      options.connection_lifecycle = connection_lifecycle;
    if (!begins(options.transaction_lifecycle, TransactionTrigger::submitted))
      options.transaction_lifecycle = transaction_lifecycle;
    return options;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
