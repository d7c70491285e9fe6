// SPDX-License-Identifier: MIT
// Ids and hashes that look like those of a service and show that they are not; an id leads back to its record.
#pragma once

#include <bankhook/sandbox/random.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// What an id names. Their form is not shown in the specification, so it is ours.
enum class Kind : std::uint8_t { member, programme, connection, account, transaction, match };

/// Where a record lies, and how many records lay there before it.
struct Handle {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  constexpr bool operator==(const Handle&) const = default;
  [[nodiscard]] constexpr std::uint64_t number() const { return std::uint64_t{generation} << 32 | slot; }
};

/// A text of fixed size in place.
template <std::size_t N>
struct Label {
  std::array<char, N> characters{};

  [[nodiscard]] constexpr std::string_view view() const { return {characters.data(), N}; }
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox

namespace bankhook::inline BANKHOOK_ABI::sandbox::detail {

inline constexpr std::array<std::string_view, 6> tags{"mem", "hub", "con", "acc", "itx", "trx"};
inline constexpr std::string_view mark = "-sandbox-";
inline constexpr std::size_t digits_at = 3 + mark.size();

constexpr char* print_hex(std::uint64_t value, char* out) {
  for (int shift = 60; shift >= 0; shift -= 4) *out++ = "0123456789abcdef"[value >> shift & 15];
  return out;
}

/// The value of 16 hexadecimal digits in lower case.
constexpr std::optional<std::uint64_t> scan_hex(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    const bool decimal = c >= '0' && c <= '9';
    if (!decimal && (c < 'a' || c > 'f')) return std::nullopt;
    value = value << 4 | static_cast<std::uint64_t>(decimal ? c - '0' : c - 'a' + 10);
  }
  return value;
}

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox::detail

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// `con-sandbox-0123456789abcdef`
using Identifier = Label<detail::digits_at + 16>;
/// `sandbox-` and 56 hexadecimal digits.
using AccountHash = Label<64>;

/// Makes the ids of one sandbox and reads them back.
class Identifiers {
 public:
  constexpr explicit Identifiers(std::uint64_t seed) : seed_(seed) {}

  [[nodiscard]] constexpr Identifier make(Kind kind, Handle handle) const {
    Identifier id;
    char* out = id.characters.data();
    const std::string_view tag = detail::tags[static_cast<std::size_t>(kind)];
    out = std::copy(tag.begin(), tag.end(), out);
    out = std::copy(detail::mark.begin(), detail::mark.end(), out);
    detail::print_hex(mix(handle.number() ^ key(kind)), out);
    return id;
  }

  /// The handle that `make` made this id of; nothing for any other text. Whether there is such a record it does not say.
  [[nodiscard]] constexpr std::optional<Handle> handle_of(Kind kind, std::string_view id) const {
    const std::string_view tag = detail::tags[static_cast<std::size_t>(kind)];
    if (id.size() != Identifier{}.characters.size() || !id.starts_with(tag)) return std::nullopt;
    if (id.substr(tag.size(), detail::mark.size()) != detail::mark) return std::nullopt;
    const auto mixed = detail::scan_hex(id.substr(detail::digits_at));
    if (!mixed) return std::nullopt;
    const std::uint64_t number = unmix(*mixed) ^ key(kind);
    return Handle{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
  }

  /// Stands for the hash of an IBAN; there is no IBAN. Equal numbers give equal hashes.
  [[nodiscard]] constexpr AccountHash make_hash(std::uint64_t number) const {
    AccountHash hash;
    std::array<char, 64> digits{};
    char* out = digits.data();
    for (std::uint64_t part = 0; part < 4; ++part) out = detail::print_hex(mix(mix(number ^ seed_) + part), out);
    out = std::copy(detail::mark.begin() + 1, detail::mark.end(), hash.characters.data());
    std::copy_n(digits.data(), 56, out);
    return hash;
  }

 private:
  [[nodiscard]] constexpr std::uint64_t key(Kind kind) const { return mix(seed_ + static_cast<std::uint64_t>(kind) + 1); }

  std::uint64_t seed_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
