// SPDX-License-Identifier: MIT
// Events whose texts vary in length and characters, within an event and between events; made without the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>

namespace bankhook::bench {

/// What the texts of a corpus are drawn from.
struct Variety {
  enum class Ids : std::uint8_t { hexadecimal, uuid, decimal, mixed };

  std::uint64_t seed;
  Ids ids;           ///< 8 to 40 digits, 36 characters, 6 to 19 digits, or any of these with a prefix
  unsigned accents;  ///< names and sentences with accents, of ten
};

inline constexpr std::array varieties{
    Variety{1, Variety::Ids::hexadecimal, 0},
    Variety{2, Variety::Ids::uuid, 2},
    Variety{3, Variety::Ids::mixed, 6},
    Variety{4, Variety::Ids::decimal, 2},
};

constexpr std::string_view words_of(Variety::Ids ids) {
  constexpr std::array<std::string_view, 4> words{"hexadecimal ids", "UUIDs", "decimal ids", "mixed ids"};
  return words[static_cast<std::size_t>(ids)];
}

/// `json`, which is minified, with a blank after each comma and colon.
inline std::string spaced(std::string_view json) {
  std::string text;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    text += json[i];
    if (json[i] == '\\') text += json[++i];
    else if (json[i] == '"') in_string = !in_string;
    else if (!in_string && (json[i] == ',' || json[i] == ':')) text += ' ';
  }
  return text;
}

/// Makes minified payloads with the fields in the specification's order, the same for a variety on every machine. They are
/// written as the library writes them.
class VaryingEvents {
 public:
  explicit VaryingEvents(const Variety& variety) : variety_(variety), random_(variety.seed) {}

  /// 1 to 3 connections, or none in one event of 16, of 0 to 4 accounts.
  std::string everyday() { return bank_event(one_in(16) ? 0 : 1 + below(3), 0, 4); }
  /// 20 connections of 10 accounts.
  std::string heavy() { return bank_event(20, 10, 10); }

  std::string transaction() {
    constexpr std::array<std::string_view, 3> statuses{"created", "validated", "rejected"};
    const std::string_view status = statuses[one_in(2) ? 0 : one_in(3) ? 2 : 1];
    std::string out =
        join({R"({"event":"initial_transaction_update","eventType":)", quoted(status), R"(,"customer":{"id":)", id(),
              R"(,"externalId":)", id(), R"(},"initialTransaction":{"id":)", id(), R"(,"amount":)", amount()});
    if (one_in(4)) {
      out += join({R"(,"storeExternalId":null,"placeId":)", id(), R"(,"storeName":)", name(stores)});
    } else {
      out += join({R"(,"storeExternalId":)", one_in(2) ? id() : quoted(join({"store-", digits(1 + below(6))}))});
    }
    out += join({R"(,"status":)", quoted(status), R"(,"rejectionReason":)"});
    out += status != "rejected" ? "null" : one_in(2) ? R"("purchaseNotFound")" : R"("bankConsentExpired")";
    out += join({R"(,"transactionDate":)", quoted(date()), R"(,"transactionId":)", status == "validated" ? id() : "null"});
    return out + join({R"(,"date":")", date(), "T", time(), ".", padded(below(1000), 3), "Z\"}}"});
  }

 private:
  // Each of another length, with a place for an accent, which is an underscore, or none.
  static constexpr std::array<std::string_view, 12> banks{
      "ING",           "Cr_dit Mutuel",    "Banque Populaire M_diterran_e",
      "BNP",           "Soci_t_ G_n_rale", "Bourso",
      "La Poste 24h",  "Caisse d'_pargne", "CIC Est",
      "Monabanq & Co", "Hello bank!",      "Cr_dit Agricole Mutuel de Paris et d'_le-de-France"};
  static constexpr std::array<std::string_view, 8> stores{"Caf_ du Port",
                                                          "Zara",
                                                          "Librairie des _coles",
                                                          "Boulangerie Durand et fils",
                                                          "P_tisserie No_l",
                                                          "Chez L_a",
                                                          "FNAC",
                                                          "March_ couvert de la R_publique, all_e C"};
  static constexpr std::array<std::string_view, 8> sentences{
      "Consent expired",
      "The bank asks for a new consent",
      "L'acc_s a _t_ refus_ par la banque, veuillez vous reconnecter avant la date indiqu_e",
      "Unknown error 17",
      "Strong customer authentication is required: open the application of your bank and confirm",
      "Mot de passe expir_",
      "Timeout",
      "Le compte est ferm_"};
  static constexpr std::array<std::string_view, 6> codes{
      "provider_error_17", "wrongpass", "SCARequired", "actionNeeded", "websiteUnavailable", "additional_information"};

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t count) { return below(count) == 0; }

  template <std::size_t N>
  std::string_view any(const std::array<std::string_view, N>& list) {
    return list[below(N)];
  }

  static std::string join(std::initializer_list<std::string_view> parts) {  // braces: they are evaluated in order
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
  }

  static std::string quoted(std::string_view text) { return join({"\"", text, "\""}); }

  static std::string padded(std::uint64_t value, std::size_t size) {
    const std::string text = std::to_string(value);
    return std::string(size - text.size(), '0') + text;
  }

  std::string characters(std::size_t size, std::string_view set) {
    std::string text(size, '\0');
    for (char& c : text) c = set[below(set.size())];
    return text;
  }
  std::string hexadecimal(std::size_t size) { return characters(size, "0123456789abcdef"); }
  std::string digits(std::size_t size) { return characters(size, "0123456789"); }

  std::string bare_id(Variety::Ids ids) {
    switch (ids) {
      case Variety::Ids::hexadecimal: return hexadecimal(8 + below(33));
      case Variety::Ids::uuid:
        return join(
            {hexadecimal(8), "-", hexadecimal(4), "-4", hexadecimal(3), "-a", hexadecimal(3), "-", hexadecimal(12)});
      case Variety::Ids::decimal: return digits(6 + below(14));
      case Variety::Ids::mixed: break;
    }
    constexpr std::array<std::string_view, 4> prefixes{"", "id-", "member_", "fr.bank:"};
    return join({any(prefixes), bare_id(static_cast<Variety::Ids>(below(3)))});
  }
  std::string id() { return quoted(bare_id(variety_.ids)); }

  /// One of a list, in one case of three followed by more; with accents if the variety and luck will have it.
  template <std::size_t N>
  std::string name(const std::array<std::string_view, N>& list) {
    constexpr std::array<std::string_view, 5> accented{"é", "è", "É", "ë", "ô"};
    std::string text(any(list));
    if (one_in(3)) text += join({" ", digits(1 + below(5))});
    const bool has_accents = below(10) < variety_.accents;
    std::string out = "\"";
    for (const char c : text) {
      if (c != '_') out += c;
      else out += has_accents ? any(accented) : std::string_view("e");
    }
    return out + '"';
  }
  std::string bank() {
    std::string text = name(banks);
    return one_in(16) ? text.insert(text.size() - 1, R"(\")") : text;
  }

  std::string date() { return join({"20", digits(2), "-", padded(1 + below(12), 2), "-", padded(1 + below(28), 2)}); }
  std::string time() { return join({padded(below(24), 2), ":", padded(below(60), 2), ":", padded(below(60), 2)}); }
  /// 0.01 to 9999.99, with two decimals, one or none.
  std::string amount() {
    constexpr std::array<std::uint64_t, 4> powers{10, 100, 1'000, 10'000};
    const std::string whole = std::to_string(below(powers[below(4)]));
    if (one_in(8)) return whole == "0" ? "1" : whole;
    return join({whole, ".", one_in(8) ? std::to_string(1 + below(9)) : padded(1 + below(99), 2)});
  }

  std::string account() {
    constexpr std::array<std::size_t, 3> hashes{32, 40, 64};
    return join(
        {R"({"id":)", id(), R"(,"accountHash":)", one_in(10) ? "null" : quoted(hexadecimal(hashes[below(3)])), "}"});
  }

  std::string connection(std::size_t least, std::size_t most) {
    std::string out = join({R"({"id":)", id()});
    if (one_in(4)) {
      out += join({R"(,"errorCode":)", quoted(any(codes)), R"(,"errorMessage":)", one_in(4) ? "null" : name(sentences)});
    } else {
      out += R"(,"errorCode":null,"errorMessage":null)";
    }
    out += join({R"(,"bank":)", bank(), R"(,"transactionsEligibleFromDate":)", quoted(date())});
    if (!one_in(3)) out += join({R"(,"consentExpiresAt":)", quoted(join({date(), " ", time(), ".", digits(4)}))});
    out += R"(,"accounts":[)";
    const std::size_t count = least + below(most - least + 1);
    for (std::size_t i = 0; i < count; ++i) out += join({i == 0 ? "" : ",", account()});
    return out.append("]}");
  }

  std::string bank_event(std::size_t count, std::size_t least, std::size_t most) {
    constexpr std::array<std::string_view, 3> types{"create", "update", "delete"};
    const std::string trigger = connection(least, most);
    const std::size_t place = count == 0 ? 0 : below(count);
    std::string out =
        join({R"({"event":"bank_connections_update_v2","eventType":)", quoted(count == 0 ? types[2] : any(types)),
              R"(,"customer":{"id":)", id(), R"(,"externalId":)", id(), R"(,"connectionsOn":)"});
    const std::size_t off = below(count + 1);
    out += join({std::to_string(count - off), R"(,"connectionsOff":)", std::to_string(off), R"(,"connections":[)"});
    for (std::size_t i = 0; i < count; ++i) {
      out += join({i == 0 ? "" : ",", i == place ? trigger : connection(least, most)});
    }
    return out +
           join({R"(]},"connection":)", trigger, R"(,"shoppingHubId":)", id(), R"(,"shoppingHubExternalId":)", id(), "}"});
  }

  Variety variety_;
  std::mt19937_64 random_;
};

}  // namespace bankhook::bench
