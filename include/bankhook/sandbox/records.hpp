// SPDX-License-Identifier: MIT
// Records that come and go in slots, under ids that look like those of a service, show that they are not, and lead back.
#pragma once

#include <bankhook/sandbox/random.hpp>
#include <bankhook/sandbox/sandbox_error.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// What an id names. Their form is not shown in the specification, so it is ours.
enum class Kind : std::uint8_t { member, programme, connection, account, transaction, match };

/// Appends 16 hexadecimal digits.
inline void append_hex(std::string& out, std::uint64_t value) {
  char digits[16];
  for (std::size_t i = 0; i < 16; ++i) digits[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
  out.append(digits, 16);
}

/// Makes the ids of one sandbox from numbers and reads them back.
class Identifiers {
 public:
  explicit Identifiers(std::uint64_t seed) : seed_(seed) {}

  /// `con-sandbox-0123456789abcdef`
  [[nodiscard]] std::string make(Kind kind, std::uint64_t number) const {
    static constexpr std::string_view tags[] = {"mem", "hub", "con", "acc", "itx", "trx"};
    std::string id;
    id.reserve(digits_at + 16);
    append_hex(id.append(tags[static_cast<std::size_t>(kind)]).append("-sandbox-"), mix(number ^ key(kind)));
    return id;
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
    for (std::uint64_t part = 0; part < 4; ++part) append_hex(hash, mix(mix(number ^ seed_) + part));
    hash.resize(64);
    return hash;
  }

 private:
  static constexpr std::size_t digits_at = 12;
  [[nodiscard]] std::uint64_t key(Kind kind) const { return mix(seed_ + static_cast<std::uint64_t>(kind) + 1); }

  std::uint64_t seed_;
};

/// Memory stays flat, and an id never leads to another record than it was made for: a record that was released stays
/// readable until its slot is taken again, the longest released one first. `Record` has its `kind`, and the errors of ids
/// that are `unknown` or whose record was `forgotten`.
template <class Record>
class Pool {
 public:
  explicit Pool(const Identifiers& ids) : ids_(ids) {}

  /// A slot for a new record.
  [[nodiscard]] std::uint32_t take() {
    if (released_.empty()) {
      slots_.emplace_back();
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = released_.front();
    released_.pop_front();
    ++slots_[slot].generation;
    return slot;
  }
  void release(std::uint32_t slot) { released_.push_back(slot); }

  [[nodiscard]] std::string id_of(std::uint32_t slot, Kind kind = Record::kind) const {
    return ids_.make(kind, std::uint64_t{slots_[slot].generation} << 32 | slot);
  }
  /// The slot of the record with this id.
  [[nodiscard]] std::expected<std::uint32_t, SandboxError> find(std::string_view id) const {
    const std::optional<std::uint64_t> number = ids_.number_of(Record::kind, id);
    const auto slot = static_cast<std::uint32_t>(number.value_or(0));
    if (!number || slot >= slots_.size() || slots_[slot].generation < *number >> 32)
      return std::unexpected(Record::unknown);
    if (slots_[slot].generation > *number >> 32) return std::unexpected(Record::forgotten);
    return slot;
  }

  [[nodiscard]] Record& operator[](std::uint32_t slot) { return slots_[slot].record; }
  [[nodiscard]] const Record& operator[](std::uint32_t slot) const { return slots_[slot].record; }
  [[nodiscard]] std::size_t size() const { return slots_.size(); }

 private:
  struct Slot {
    Record record{};
    std::uint32_t generation = 0;
  };

  Identifiers ids_;
  std::vector<Slot> slots_;
  std::deque<std::uint32_t> released_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
