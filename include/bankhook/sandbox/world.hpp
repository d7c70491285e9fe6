// SPDX-License-Identifier: MIT
// What all operations stand on: random numbers, ids, records in slots, the members, the banks, the clock, the options.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/reflect/owned.hpp>
#include <bankhook/sandbox/options.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace sandbox {

inline constexpr std::uint64_t multiplier = 0xD6E8FEB86659FD93;
inline constexpr std::uint64_t inverse = 0xCFEE444D8B59A89B;
static_assert(multiplier * inverse == 1);

constexpr std::uint64_t fold(std::uint64_t value) { return value ^ value >> 32; }
/// Spreads each bit of `value` over all bits; no two values become one.
constexpr std::uint64_t mix(std::uint64_t value) { return fold(fold(fold(value) * multiplier) * multiplier); }
/// The value that `mix` made `mixed` of.
constexpr std::uint64_t unmix(std::uint64_t mixed) { return fold(fold(fold(mixed) * inverse) * inverse); }

/// Draws. No distribution of the standard library is used: the standard does not fix what they give.
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) : state_(mix(seed)) {}

  constexpr std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;  // odd: all 2^64 states come before one comes again
    return mix(state_);
  }
  /// From 0 to `limit` - 1; at most 32 bits.
  constexpr std::uint32_t below(std::uint64_t limit) { return static_cast<std::uint32_t>((next() >> 32) * limit >> 32); }
  constexpr std::uint32_t between(std::uint32_t least, std::uint64_t most) { return least + below(most - least + 1); }
  constexpr bool one_in(std::uint32_t count) { return below(count) == 0; }

  constexpr auto& pick(auto& values) { return values[below(std::size(values))]; }

 private:
  std::uint64_t state_;
};

/// What an id names. Their form is not shown in the specification, so it is ours.
enum class Kind : std::uint8_t { member, programme, connection, account, transaction, match };

/// `prefix` and the number, with zeros before it if it has less digits than that.
inline std::string numbered(std::string prefix, std::uint64_t number, std::size_t digits, int base = 10) {
  char text[20];
  const char* const end = std::to_chars(std::begin(text), std::end(text), number, base).ptr;
  const auto size = static_cast<std::size_t>(end - text);
  prefix.append(digits - (std::min)(digits, size), '0').append(text, size);
  return prefix;
}

/// Makes the ids of one sandbox from numbers and reads them back.
class Identifiers {
 public:
  explicit Identifiers(std::uint64_t seed) : seed_(seed) {}

  /// `con-sandbox-0123456789abcdef`
  [[nodiscard]] std::string make(Kind kind, std::uint64_t number) const {
    static constexpr const char* prefixes[] = {"mem-sandbox-", "hub-sandbox-", "con-sandbox-",
                                               "acc-sandbox-", "itx-sandbox-", "trx-sandbox-"};
    return numbered(prefixes[static_cast<std::size_t>(kind)], mix(number ^ key(kind)), 16, 16);
  }

  /// The number that `make` made this id of; nothing for any other text. Whether there is such a record it does not say.
  [[nodiscard]] std::optional<std::uint64_t> number_of(Kind kind, std::string_view id) const {
    std::uint64_t mixed = 0;
    if (id.size() > digits_at) std::from_chars(id.data() + digits_at, id.data() + id.size(), mixed, 16);
    const std::uint64_t number = unmix(mixed) ^ key(kind);
    return make(kind, number) == id ? std::optional(number) : std::nullopt;
  }

  /// `sandbox-` and 56 hexadecimal digits: stands for the hash of an IBAN; there is no IBAN. Equal numbers give equal
  /// hashes.
  [[nodiscard]] std::string make_hash(std::uint64_t number) const {
    std::string hash = "sandbox-";
    for (std::uint64_t part = 0; part < 4; ++part)
      hash = numbered(std::move(hash), mix(mix(number ^ seed_) + part), 16, 16);
    hash.resize(64);
    return hash;
  }

 private:
  static constexpr std::size_t digits_at = 12;
  [[nodiscard]] std::uint64_t key(Kind kind) const { return mix(seed_ + static_cast<std::uint64_t>(kind) + 1); }

  std::uint64_t seed_;
};

/// Memory stays flat, and an id never leads to another record than it was made for: a record that was released stays
/// readable until its slot is taken again, the longest released one first. `unknown` is the error of an id that was not
/// made, `forgotten` that of one whose slot was taken again.
template <class Record, Kind record_kind, SandboxError unknown, SandboxError forgotten = unknown>
class Pool {
 public:
  explicit Pool(const Identifiers& ids) : ids_(ids) {}

  /// A slot for a new record.
  [[nodiscard]] std::size_t take() {
    if (released_.empty()) {
      slots_.emplace_back();
      return slots_.size() - 1;
    }
    const std::size_t slot = released_.front();
    released_.pop_front();
    ++slots_[slot].generation;
    return slot;
  }
  void release(std::size_t slot) { released_.push_back(slot); }

  [[nodiscard]] std::string id_of(std::size_t slot, Kind kind = record_kind) const {
    return ids_.make(kind, std::uint64_t{slots_[slot].generation} << 32 | slot);
  }
  /// The slot of the record with this id.
  [[nodiscard]] std::expected<std::size_t, SandboxError> find(std::string_view id) const {
    const std::optional<std::uint64_t> number = ids_.number_of(record_kind, id);
    const std::size_t slot = static_cast<std::uint32_t>(number.value_or(0));
    if (!number || slot >= slots_.size() || slots_[slot].generation < *number >> 32) return std::unexpected(unknown);
    if (slots_[slot].generation > *number >> 32) return std::unexpected(forgotten);
    return slot;
  }

  [[nodiscard]] Record& operator[](std::size_t slot) { return slots_[slot].record; }
  [[nodiscard]] const Record& operator[](std::size_t slot) const { return slots_[slot].record; }
  [[nodiscard]] std::size_t size() const { return slots_.size(); }

 private:
  struct Slot {
    Record record{};
    std::uint32_t generation = 0;
  };

  Identifiers ids_;
  std::vector<Slot> slots_;
  std::deque<std::size_t> released_;
};

using Choices = SandboxChoices;

/// A word that means nothing: `Zorvelu`.
inline std::string make_word(Random& random) {
  static constexpr std::string_view first[] = {"Zor", "Vel", "Mib", "Kras", "Tulo", "Phan", "Drev", "Luz", "Gwi", "Quor"};
  static constexpr std::string_view middle[] = {"ve", "ra", "bi", "lo", "nu", "dé", "ki", "so", "mu", "ta"};
  static constexpr std::string_view last[] = {"lu", "vian", "tix", "ram", "zo", "pel", "dor", "ník", "sha", "wyn"};
  std::string word(random.pick(first));
  return word.append(random.pick(middle)).append(random.pick(last));
}

/// A member and the slots of its connections that something may still happen to, in the order in which they were created.
struct MemberRecord {
  std::string id;
  std::string external_id;
  std::uint32_t programme = 0;
  std::vector<std::size_t> connections;

  [[nodiscard]] Customer customer() const { return {.id = id, .external_id = external_id}; }
};

/// A bank connection, and what is not shown of it.
struct ConnectionRecord {
  Owned<Connection> connection{Connection()};
  std::size_t member = 0;
  std::optional<ConnectionState> state{};  ///< by the events that were sent; empty before the first one
  bool is_listed = true;                   ///< among all connections of its member
  bool is_desynchronised = false;          ///< 3.2 shows no states; these two are ours, beside those of the events
  bool is_disabled = false;

  /// Nothing happens to it any more.
  [[nodiscard]] bool is_gone() const { return !is_listed && !is_disabled; }

  /// 3.2: which count it belongs to.
  [[nodiscard]] Choices::CountOfConnection count(const Choices& chosen) const {
    if (is_disabled || is_gone()) return chosen.count_of_disabled;
    const bool by_error = chosen.counted_off == Choices::CountedOff::with_error;
    if (by_error ? connection->error_code.has_value() : is_desynchronised) return Choices::CountOfConnection::off;
    return connection->accounts.empty() ? chosen.count_without_accounts : Choices::CountOfConnection::on;
  }
};

/// An initial transaction. One that is processed stays readable until its slot is needed.
struct TransactionRecord {
  Owned<InitialTransaction> transaction{InitialTransaction()};
  std::size_t member = 0;
  std::size_t place_among_open = 0;
  bool is_open = true;
};

/// The common world of one sandbox. Copyable: no record points to another.
struct World {
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;

  World(std::uint64_t seed, const SandboxOptions& wanted)
      : options(bounded(wanted)), random(seed), ids(random.next()), now(options.start) {
    static constexpr std::string_view kinds[] = {"Banque", "Crédit", "Caisse", "Société"};
    for (std::size_t i = 0; i < 16; ++i)
      banks.push_back(std::string(kinds[i % std::size(kinds)]) + " Exemple " + make_word(random));
    banks.back().append(" \"Direct\"");
    for (std::uint32_t i = 0; i < options.programmes; ++i)
      programmes.emplace_back(ids.make(Kind::programme, i), numbered("programme-", i + 1, 1));
    for (std::uint32_t i = 0; i < options.members; ++i) {
      const std::size_t slot = members.take();
      members[slot] = {members.id_of(slot), numbered("customer-", i + 1, 6), random.below(options.programmes), {}};
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
  Pool<MemberRecord, Kind::member, SandboxError::no_such_member> members{ids};
  Pool<ConnectionRecord, Kind::connection, SandboxError::no_such_connection, SandboxError::connection_is_gone> connections{
      ids};
  Pool<TransactionRecord, Kind::transaction, SandboxError::no_such_transaction, SandboxError::transaction_is_forgotten>
      transactions{ids};
  std::vector<std::size_t> open{};   ///< the slots of the transactions that wait for processing
  std::vector<Connection> listed{};  ///< by the last event
  std::uint64_t accounts_made = 0;
  std::uint64_t hashes_made = 0;

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
    if (!options.connection_lifecycle.step(std::nullopt, ConnectionTrigger::create).is_expected())
      options.connection_lifecycle = connection_lifecycle;
    if (!options.transaction_lifecycle.step(std::nullopt, TransactionTrigger::submitted).is_expected())
      options.transaction_lifecycle = transaction_lifecycle;
    return options;
  }
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::sandbox
