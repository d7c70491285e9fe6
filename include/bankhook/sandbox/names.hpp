// SPDX-License-Identifier: MIT
// Texts for people, made of syllables: banks, stores, provider errors; some with accents, other scripts and escapes.
#pragma once

#include <bankhook/sandbox/random.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// Section 7: the codes of the data provider are not shown, so these are ours in both forms, and say so.
struct ProviderError {
  std::string_view named;
  std::string_view numeric;
  std::string_view message;
};

inline constexpr ProviderError provider_errors[] = {
    {"sandbox_consent_needed", "9001", "The bank asks for a new consent"},
    {"sandbox_wrong_credentials", "9002", "Mot de passe erroné"},
    {"sandbox_bank_unavailable", "9003", "The bank does not answer; try again later"},
    {"sandbox_choice_needed", "9004", "Please choose \"Exemple\" again"},
    {"sandbox_unknown_answer", "9005", "Réponse inconnue :\n\tC:\\exemple"},
};

/// Appends a word that means nothing: `Zorvelu`.
inline void append_word(std::string& out, Random& random) {
  static constexpr std::string_view first[] = {"Zor", "Vel", "Mib", "Kras", "Tulo", "Phan", "Drev", "Luz", "Gwi", "Quor"};
  static constexpr std::string_view middle[] = {"ve", "ra", "bi", "lo", "nu", "dé", "ki", "so", "mu", "ta"};
  static constexpr std::string_view last[] = {"lu", "vian", "tix", "ram", "zo", "pel", "dor", "ník", "sha", "wyn"};
  out.append(random.pick(first)).append(random.pick(middle)).append(random.pick(last));
}

/// Replaces `out` by the name of a store.
inline void make_store_name(std::string& out, Random& random) {
  static constexpr std::string_view kinds[] = {"Épicerie ", "Marché ", "Boutique ", "Magasin ", "Store ", "商店 ", "🛒 "};
  out = random.pick(kinds);
  out += "Exemple ";
  switch (random.below(8)) {
    case 0: append_word(out.append("\""), random), out += '"'; break;
    case 1: append_word(out, random), append_word(out.append(" \\ "), random); break;
    case 2: append_word(out.append("l\u2019"), random); break;
    default: append_word(out, random);
  }
}

/// Replaces `out` by `prefix` and `digits` decimal digits.
inline void make_numbered(std::string& out, std::string_view prefix, std::uint32_t number, int digits) {
  out = prefix;
  for (std::uint32_t unit = 1; --digits > 0; unit *= 10) {
    if (number / unit < 10) out += '0';
  }
  out += std::to_string(number);
}

/// The names of the banks of one sandbox.
inline std::vector<std::string> make_banks(Random& random) {
  static constexpr std::string_view kinds[] = {"Banque Exemple ", "Crédit Exemple ", "Caisse Exemple ", "Société Exemple "};
  std::vector<std::string> banks;
  for (std::size_t i = 0; i < 16; ++i) append_word(banks.emplace_back(kinds[i % 4]), random);
  banks.back().append(" \"Direct\"");
  return banks;
}

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
