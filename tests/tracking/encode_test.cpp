// SPDX-License-Identifier: MIT
// Packing: every value of the library comes back exactly as it was, spelling included; other bytes are refused.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/tracking/store/decode.hpp>
#include <bankhook/tracking/store/encode.hpp>
#include <bankhook/tracking/store/layout.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

using namespace bankhook;

namespace {

/// `<a>` to `<f>`.
class Grade {
 public:
  static constexpr Errc form_error = Errc::expected_string;
  static constexpr std::size_t max_printed = 3;

  constexpr Grade() = default;
  constexpr explicit Grade(char letter) : letter_(letter) {}
  static constexpr bool scan(std::string_view text, Grade& out) {
    if (text.size() != 3 || text[0] != '<' || text[1] < 'a' || text[1] > 'f' || text[2] != '>') return false;
    out.letter_ = text[1];
    return true;
  }
  constexpr char* print(char* out) const {
    *out++ = '<';
    *out++ = letter_;
    *out++ = '>';
    return out;
  }
  constexpr bool operator==(const Grade&) const = default;

 private:
  char letter_ = 'a';
};

struct Graded {
  std::string_view id;
  Grade grade;
  maybe_absent<Grade> former;
};

template <class T>
std::string encoded(const T& value) {
  std::string memory;
  return std::string(tracking::encode_into(memory, value));
}

/// Whether `bytes` are taken as a `T`, all of them, into `out`.
template <class T>
bool taken(std::string_view bytes, T& out, Arena& arena) {
  tracking::Reader in(bytes);
  return tracking::decode(in, out, &arena) && in.rest() == 0;
}

template <class T>
T there_and_back(const T& value, Arena& arena) {
  const std::string bytes = encoded(value);
  auto* const kept = static_cast<char*>(arena.allocate(bytes.size(), 1));
  bytes.copy(kept, bytes.size());
  T out{};
  REQUIRE(taken({kept, bytes.size()}, out, arena));
  REQUIRE(encoded(out) == bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    T cut{};
    REQUIRE_FALSE(taken(std::string_view(bytes).substr(0, size), cut, arena));
  }
  return out;
}

}  // namespace

TEST_CASE("decimals come back with their places") {
  Arena arena;
  for (const Decimal value : {Decimal(), Decimal(1990, 2), Decimal(199, 1), Decimal(-1, -3),
                              Decimal(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<int>::max()),
                              Decimal(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<int>::min())}) {
    const Decimal back = there_and_back(value, arena);
    CHECK(back.unscaled() == value.unscaled());
    CHECK(back.scale() == value.scale());
  }
}

TEST_CASE("timestamps come back as they were written") {
  Arena arena;
  for (const std::string_view text :
       {"2026-05-04T12:15:30Z", "2026-05-04T12:15:30.0Z", "2026-05-04T12:15:30.123456789+02:00",
        "0001-01-01T00:00:00-23:59", "9999-12-31T23:59:59.9-0030", "2026-05-04T12:15:30+00:00", "2026-05-04T12:15:30-00:00",
        "2026-05-04T12:15:30-0000", "2026-05-04T12:15:30.500-00", "2026-05-04T12:15:30+14", "2026-05-04T12:15:30",
        "2026-05-04T12:15:30.250"}) {
    CHECK(to_string(there_and_back(*Timestamp::parse(text), arena)) == text);
  }
  for (const std::string_view text :
       {"2027-03-01 09:30:00.0000", "2027-03-01 09:30:00.000000001", "2027-03-01 23:59:59.9"}) {
    CHECK(to_string(there_and_back(*LocalTimestamp::parse(text), arena)) == text);
  }
}

TEST_CASE("a value type that describes its form is encoded as its text") {
  Arena arena;
  CHECK(there_and_back(Grade('b'), arena) == Grade('b'));
  CHECK(tracking::layout_of<Graded>() == "{id:text,grade:text,former:?text}");
  std::string memory;
  const std::string encoded(tracking::encode_into(memory, Graded{"a", Grade('b'), Grade('c')}));
  CHECK(encoded ==
        "\x01"
        "a\x03<b>\x01\x03<c>");
  tracking::CheckedReader bad(std::string_view("\x03<B>"));
  Grade out;
  CHECK_FALSE(tracking::decode(bad, out, nullptr));
}

TEST_CASE("texts, null, absent, empty and values of the future are told apart") {
  Arena arena;
  const std::string long_text(100'000, 'x');
  for (const std::string_view text : {std::string_view(), std::string_view("a"), std::string_view(long_text)}) {
    CHECK(there_and_back(text, arena) == text);
    CHECK(there_and_back(nullable<std::string_view>(text), arena) == text);
  }
  CHECK_FALSE(there_and_back(nullable<std::string_view>(), arena).has_value());
  CHECK_FALSE(there_and_back(nullable<OpenEnum<RejectionReason>>(), arena).has_value());
  CHECK(there_and_back(OpenEnum(RejectionReason::bank_consent_expired), arena) == RejectionReason::bank_consent_expired);
  CHECK(there_and_back(OpenEnum<RejectionReason>::of("other"), arena).text() == "other");
  CHECK(there_and_back(OpenEnum<RejectionReason>::of(""), arena).text().empty());
}

TEST_CASE("whole resources come back, with arrays in the arena") {
  Arena arena;
  const std::array accounts{Account{"acc-1", "hash"}, Account{"acc-2", std::nullopt}};
  Connection connection{.id = "conn-1", .error_code = "1", .bank = "Banque Exemple", .accounts = accounts};
  connection.consent_expires_at = *LocalTimestamp::parse("2027-03-01 09:30:00.0000");
  CHECK(there_and_back(connection, arena) == connection);
  CHECK(there_and_back(InitialTransaction{}, arena) == InitialTransaction{});
}

TEST_CASE("a date that no calendar has comes back as well, since a struct can hold it") {
  Arena arena;
  const std::chrono::year_month_day empty{};
  CHECK(there_and_back(empty, arena) == empty);
}

TEST_CASE("one value has one spelling: longer numbers and enumerators as text are refused") {
  Arena arena;
  std::uint64_t number = 0;
  CHECK(taken(std::string_view("\x05"), number, arena));
  CHECK_FALSE(taken(std::string_view("\x85\x00", 2), number, arena));
  CHECK(taken(std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"), number, arena));
  CHECK(number == std::numeric_limits<std::uint64_t>::max());
  CHECK_FALSE(taken(std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"), number, arena));
  OpenEnum<TransactionStatus> status;
  CHECK_FALSE(taken(std::string_view("\0\x07"
                                     "created",
                                     9),
                    status, arena));
  CHECK_FALSE(taken(std::string_view("\x04"), status, arena));
}

TEST_CASE("whatever bytes are taken, packing gives the same bytes") {
  Arena arena;
  std::mt19937_64 random(5);
  const std::array accounts{Account{"acc-1", "hash"}, Account{"acc-2", std::nullopt}};
  Connection connection{.id = "conn-1", .error_code = "1", .bank = "Banque", .accounts = accounts};
  connection.consent_expires_at = *LocalTimestamp::parse("2027-03-01 09:30:00.0000");
  const std::string whole = encoded(connection);
  std::size_t taken_count = 0;
  for (int i = 0; i < 50'000; ++i) {
    arena.reset();
    std::string bytes = whole;
    for (int change = 0; change < 2; ++change) bytes[random() % bytes.size()] = static_cast<char>(random());
    Connection out{};
    if (!taken(bytes, out, arena)) continue;
    ++taken_count;
    REQUIRE(encoded(out) == bytes);
  }
  CHECK(taken_count > 1000);
}
