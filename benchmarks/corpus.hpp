// SPDX-License-Identifier: MIT
// Archives to measure on: seeded events with the entropy of real ones, too many for a branch predictor to learn.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::bench {

/// Events of one kind, one a line. The views point into `bytes`, which `spare` readable bytes follow.
struct Corpus {
  static constexpr std::size_t spare = 256;

  std::string name;
  std::string bytes;
  std::vector<std::string_view> events;

  /// All lines, without the spare bytes.
  [[nodiscard]] std::string_view archive() const { return std::string_view(bytes).substr(0, bytes.size() - spare); }
};

/// What a corpus is made of.
struct Shape {
  const char* name;
  std::uint64_t connections_from, connections_to;
  std::uint64_t accounts_from, accounts_to;
};

/// Writes events. The same seed gives the same bytes everywhere: the standard fixes the generator, but no distribution
/// and not the order in which operands are computed. So every part appends to one buffer.
class EventWriter {
 public:
  explicit EventWriter(std::uint64_t seed) : random_(seed) {}

  std::string bank_event(const Shape& shape) {
    out_ = R"({"event":"bank_connections_update_v2","eventType":")";
    put(pick({"create", "update", "update", "delete"}));
    put(R"(","customer":{)");
    put_customer_ids();
    const std::uint64_t count = between(shape.connections_from, shape.connections_to);
    const std::uint64_t failing = one_in(2) ? 0 : between(0, std::min<std::uint64_t>(count, 3));
    put(R"(,"connectionsOn":)" + std::to_string(count - failing));
    put(R"(,"connectionsOff":)" + std::to_string(failing));
    put(R"(,"connections":[)");
    const std::uint64_t concerned = below(count);
    std::string connection;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i > 0) put(",");
      const std::size_t start = out_.size();
      put_connection(shape, i < failing);
      if (i == concerned) connection = out_.substr(start);
    }
    put(R"(]},"connection":)" + connection);
    const std::size_t programme = below(programmes.size());
    put(R"(,"shoppingHubId":")" + std::string(programmes[programme]));
    put(R"(","shoppingHubExternalId":"programme-)" + std::to_string(programme * 7) + R"("})");
    return out_;
  }

  std::string transaction_event() {
    const std::string status(pick({"created", "created", "validated", "validated", "rejected"}));
    out_ = R"({"event":"initial_transaction_update","eventType":")" + status + R"(","customer":{)";
    put_customer_ids();
    put(R"(},"initialTransaction":{"id":)");
    put_hex(24);
    put_amount();
    put_store();
    put(R"(,"status":")" + status + R"(","rejectionReason":)");
    put(status == "rejected" ? pick({R"("purchaseNotFound")", R"("purchaseNotFound")", R"("bankConsentExpired")"})
                             : "null");
    put(R"(,"transactionDate":")");
    put_date();
    put(R"(","transactionId":)");
    if (status == "validated" && !one_in(3)) put_hex(24);
    else put("null");
    put(R"(,"date":")");
    put_date();
    put_time('T');
    put_symbols(3, decimal);
    put(R"(Z"}})");
    return out_;
  }

 private:
  static constexpr std::string_view decimal = "0123456789";
  static constexpr std::array<std::string_view, 4> programmes{"0a1b2c3d4e5f60718293a4b5", "1b2c3d4e5f60718293a4b5c6",
                                                              "2c3d4e5f60718293a4b5c6d7", "3d4e5f60718293a4b5c6d7e8"};

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::uint64_t between(std::uint64_t from, std::uint64_t to) { return from + below(to - from + 1); }
  bool one_in(std::uint64_t count) { return below(count) == 0; }
  std::string_view pick(std::initializer_list<std::string_view> texts) { return texts.begin()[below(texts.size())]; }

  void put(std::string_view text) { out_ += text; }
  void put_symbols(std::size_t count, std::string_view alphabet) {
    for (; count > 0; --count) out_ += alphabet[below(alphabet.size())];
  }
  void put_hex(std::size_t count) {
    out_ += '"';
    put_symbols(count, "0123456789abcdef");
    out_ += '"';
  }
  void put_two_digits(std::uint64_t from, std::uint64_t to) {
    const std::uint64_t value = between(from, to);
    out_ += static_cast<char>('0' + value / 10);
    out_ += static_cast<char>('0' + value % 10);
  }

  void put_date() {
    put("20");
    put_two_digits(20, 29);
    put("-");
    put_two_digits(1, 12);
    put("-");
    put_two_digits(1, 28);
  }
  void put_time(char separator) {
    out_ += separator;
    put_two_digits(0, 23);
    put(":");
    put_two_digits(0, 59);
    put(":");
    put_two_digits(0, 59);
    put(".");
  }

  void put_customer_ids() {
    put(R"("id":)");
    put_hex(24);
    put(R"(,"externalId":"cust-)");
    put_symbols(between(3, 8), decimal);
    put("\"");
  }

  /// From 1 to 9999, as a service prints a number: `7`, `19.9`, `1204.35`.
  void put_amount() {
    put(R"(,"amount":)");
    put_symbols(1, "123456789");
    put_symbols(below(4), decimal);
    if (one_in(8)) return;
    put(".");
    if (!one_in(8)) put_symbols(1, decimal);
    put_symbols(1, "123456789");
  }

  void put_store() {
    if (!one_in(4)) {
      put(R"(,"storeExternalId":"store-)");
      put_symbols(between(2, 6), decimal);
    } else {
      put(R"(,"storeExternalId":null,"placeId":"place-)");
      put_symbols(21, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
      put(R"(","storeName":")");
      put(pick({"Magasin Exemple", "Épicerie Exemple", "Exemple"}));
    }
    put("\"");
  }

  void put_connection(const Shape& shape, bool fails) {
    put(R"({"id":)");
    put_hex(24);
    put(fails ? R"(,"errorCode":")" + std::to_string(between(100, 12000)) + '"' : R"(,"errorCode":null)");
    put(R"(,"errorMessage":)");
    put(fails ? message() : "null");
    put(R"(,"bank":")");
    put(pick({"Banque Exemple", "Crédit Exemple", "Caisse Exemple du Nord", "Exemple", "Société Exemple", "Exemple Bank"}));
    put(R"(","transactionsEligibleFromDate":")");
    put_date();
    put("\"");
    if (!one_in(5)) {
      put(R"(,"consentExpiresAt":")");
      put_date();
      put_time(' ');
      put_symbols(4, decimal);
      put("\"");
    }
    put_accounts(between(shape.accounts_from, shape.accounts_to));
    put("}");
  }

  void put_accounts(std::uint64_t count) {
    put(R"(,"accounts":[)");
    for (std::uint64_t i = 0; i < count; ++i) {
      put(i > 0 ? R"(,{"id":)" : R"({"id":)");
      put_hex(24);
      put(R"(,"accountHash":)");
      if (one_in(10)) put("null");
      else put_hex(64);
      put("}");
    }
    put("]");
  }

  /// One in five with an accent, one in twenty with an escape.
  std::string_view message() {
    if (one_in(20)) return R"("Please choose \"Exemple\" again")";
    return pick({R"("The bank asks for a new consent")", R"("Wrong password")", R"("Connexion expirée")",
                 R"("Try again later")", R"("Unknown answer")"});
  }

  std::mt19937_64 random_;
  std::string out_;
};

/// At least `size` bytes of events that `write` gives.
template <class Write>
Corpus make_corpus(std::string name, std::size_t size, Write&& write) {
  Corpus corpus;
  corpus.name = std::move(name);
  std::vector<std::size_t> lengths;
  while (corpus.bytes.size() < size) {
    const std::string event = write();
    lengths.push_back(event.size());
    corpus.bytes += event + '\n';
  }
  corpus.bytes.append(Corpus::spare, ' ');
  const char* begin = corpus.bytes.data();
  for (const std::size_t length : lengths) {
    corpus.events.emplace_back(begin, length);
    begin += length + 1;
  }
  return corpus;
}

/// The three corpora: everyday bank events (1.5 KB), heavy ones (27 KB), initial transactions (390 bytes).
inline std::vector<Corpus> make_corpora(std::size_t size) {
  EventWriter writer(20260301);
  std::vector<Corpus> corpora;
  for (const Shape& shape : {Shape{"bank, everyday", 1, 3, 0, 4}, Shape{"bank, heavy", 20, 20, 10, 10}}) {
    corpora.push_back(make_corpus(shape.name, size, [&] { return writer.bank_event(shape); }));
  }
  corpora.push_back(make_corpus("transaction", size, [&] { return writer.transaction_event(); }));
  return corpora;
}

}  // namespace bankhook::bench
