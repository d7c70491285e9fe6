// SPDX-License-Identifier: MIT
// Encoded: every value of the library comes back exactly as it was, spelling included.
#include <bankhook_catch.hpp>

#include <bankhook/base/optional.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/tracking/member.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace tracking_encoded_test {

using namespace bankhook;
using tracking::Encoded;
using tracking::TransactionRecord;

namespace {

/// A struct of anything.
template <class T>
struct One {
  T value{};
};

/// For values that view nothing.
template <class T>
T there_and_back(const T& value) {
  return (*Encoded(One<T>{value})).value;
}

}  // namespace

TEST_CASE("decimals come back with their places") {
  for (const Decimal value : {Decimal(), Decimal(1990, 2), Decimal(199, 1), Decimal(-1, -3),
                              Decimal(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<int>::max()),
                              Decimal(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<int>::min())}) {
    const Decimal back = there_and_back(value);
    CHECK(back.unscaled() == value.unscaled());
    CHECK(back.scale() == value.scale());
  }
}

TEST_CASE("timestamps come back as they were written") {
  for (const std::string_view text :
       {"2026-05-04T12:15:30Z", "2026-05-04T12:15:30.0Z", "2026-05-04T12:15:30.123456789+02:00",
        "0001-01-01T00:00:00-23:59", "9999-12-31T23:59:59.9-0030", "2026-05-04T12:15:30+00:00", "2026-05-04T12:15:30-00:00",
        "2026-05-04T12:15:30-0000", "2026-05-04T12:15:30.500-00", "2026-05-04T12:15:30+14", "2026-05-04T12:15:30",
        "2026-05-04T12:15:30.250"}) {
    CHECK(to_string(there_and_back(*Timestamp::parse(text))) == text);
  }
  for (const std::string_view text :
       {"2027-03-01 09:30:00.0000", "2027-03-01 09:30:00.000000001", "2027-03-01 23:59:59.9"}) {
    CHECK(to_string(there_and_back(*LocalTimestamp::parse(text))) == text);
  }
}

TEST_CASE("texts of every length come back, and those that view the encoded bytes stay where those are moved to") {
  for (const std::size_t size : std::array<std::size_t, 8>{0, 1, 15, 16, 254, 255, 256, 70'000}) {
    const std::string text(size, 'x');
    Encoded<One<std::string_view>> encoded(One<std::string_view>{text});
    const std::string_view back = (*encoded).value;
    const Encoded<One<std::string_view>> copy = encoded;
    const Encoded<One<std::string_view>> moved = std::move(encoded);
    REQUIRE((back == text && (*copy).value == text && moved.first_text() == text));
    REQUIRE(moved.first_text().data() == back.data());
    REQUIRE(copy.first_text().data() != back.data());
  }
}

TEST_CASE("null, absent and empty texts are kept apart, and so are values that are not listed") {
  const auto kept = [](const auto& value) { return Encoded(One{value}); };
  CHECK_FALSE((*kept(nullable<std::string_view>())).value.has_value());
  CHECK_FALSE((*kept(maybe_absent<std::string_view>())).value.has_value());
  const auto empty = kept(nullable<std::string_view>(""));
  CHECK((*empty).value == "");
  const auto text = kept(maybe_absent<std::string_view>("x"));
  CHECK((*text).value == "x");
  using Reason = OpenEnum<RejectionReason>;
  CHECK_FALSE((*kept(nullable<Reason>())).value.has_value());
  for (const std::string_view name : {"purchaseNotFound", "bankConsentExpired", "", "lostInTheMail"}) {
    const auto reason = kept(nullable<Reason>(Reason::of(name)));
    const nullable<Reason> back = (*reason).value;
    REQUIRE(back.has_value());
    CHECK(back->text() == name);
    CHECK(back->is_known() == Reason::of(name).is_known());
  }
}

TEST_CASE("records of random fields come back, in fewer bytes than they take as a struct") {
  std::mt19937_64 random(5);
  const std::string letters(300, 'y');
  const auto text = [&] { return std::string_view(letters).substr(0, random() % 40); };
  std::size_t bytes = 0;
  for (int i = 0; i < 2000; ++i) {
    TransactionRecord record{.state = OpenEnum<TransactionStatus>::of(text())};
    InitialTransaction& one = record.initial_transaction;
    one.id = text();
    one.amount = Decimal(static_cast<std::int64_t>(random()), static_cast<int>(random() % 9));
    if (random() % 2 == 0) one.store_external_id = text();
    if (random() % 2 == 0) one.place_id = text();
    if (random() % 2 == 0) one.rejection_reason = OpenEnum(RejectionReason::bank_consent_expired);
    if (random() % 2 == 0) one.transaction_id = letters;
    one.transaction_date = std::chrono::year(2026) / 5 / static_cast<int>(1 + random() % 31);
    record.seen = text();
    const Encoded<TransactionRecord> encoded(record);
    const TransactionRecord back = *encoded;
    REQUIRE(serialize(back) == serialize(record));
    REQUIRE(encoded.first_text() == one.id);
    bytes += encoded.size();
  }
  CHECK(bytes / 2000 < sizeof(TransactionRecord) + 150);
}

}  // namespace tracking_encoded_test
