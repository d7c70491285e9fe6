// SPDX-License-Identifier: MIT
// The events as glaze reads and writes them quickest: its names are the members', its arrays std::vector, dates are texts.
#pragma once

#include <bankhook/bankhook.hpp>

#include <glaze/glaze.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace bankhook::bench::glaze {

/// Memory for arrays that is taken back all at once; one at a time is in use, so allocators need not carry it.
inline Arena* arrays = nullptr;

template <class T>
struct Allocator {
  using value_type = T;

  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}  // NOLINT(google-explicit-constructor): as the standard asks for

  [[nodiscard]] T* allocate(std::size_t count) { return static_cast<T*>(arrays->allocate(count * sizeof(T), alignof(T))); }
  void deallocate(T*, std::size_t) {}
  friend bool operator==(const Allocator&, const Allocator&) { return true; }
};

/// Grows from eight elements on, as the other peers' arrays do.
template <class T>
struct Elements : std::vector<T, Allocator<T>> {
  using Base = std::vector<T, Allocator<T>>;
  using Base::Base;
  template <class... Arguments>
  decltype(auto) emplace_back(Arguments&&... arguments) {
    if (Base::capacity() == 0) Base::reserve(8);
    return Base::emplace_back(std::forward<Arguments>(arguments)...);
  }
};

using Text = std::string_view;
using OptionalText = std::optional<std::string_view>;

struct Account {
  Text id;
  OptionalText accountHash;
};
struct Connection {
  Text id;
  OptionalText errorCode, errorMessage;
  Text bank, transactionsEligibleFromDate;
  OptionalText consentExpiresAt;
  Elements<Account> accounts;
};
struct ConnectedCustomer {
  Text id, externalId;
  std::uint64_t connectionsOn{}, connectionsOff{};
  Elements<Connection> connections;
};
struct BankConnectionsUpdateV2 {
  Text event, eventType;
  ConnectedCustomer customer;
  Connection connection;
  Text shoppingHubId, shoppingHubExternalId;
};
struct Customer {
  Text id, externalId;
};
struct InitialTransaction {
  Text id;
  glz::raw_json_view amount;
  OptionalText storeExternalId, placeId, storeName;
  Text status;
  OptionalText rejectionReason;
  Text transactionDate;
  OptionalText transactionId;
  Text date;
};
struct InitialTransactionUpdate {
  Text event, eventType;
  Customer customer;
  InitialTransaction initialTransaction;
};

/// The struct above for the library's.
template <class T>
struct MirrorOf;
template <>
struct MirrorOf<bankhook::BankConnectionsUpdateV2> {
  using type = BankConnectionsUpdateV2;
};
template <>
struct MirrorOf<bankhook::InitialTransactionUpdate> {
  using type = InitialTransactionUpdate;
};
template <class T>
using Mirror = typename MirrorOf<T>::type;

/// Fills a struct above with the values of the library's, member by member; what is printed lies in the arena.
class Mirrorer {
 public:
  explicit Mirrorer(Arena& arena) : arena_(arena) { arrays = &arena; }

  template <detail::reflect::Aggregate From, class To>
  void fill(const From& from, To& to) {
    static_assert(detail::reflect::field_count<From> == detail::reflect::field_count<To>);
    detail::reflect::for_each_field<From>([&]<std::size_t I>() {
      fill(detail::reflect::field<I>(from), detail::reflect::field<I>(to));
      return true;
    });
  }

 private:
  void fill(std::uint64_t from, std::uint64_t& to) { to = from; }
  void fill(Text from, Text& to) { to = from; }
  template <class E>
  void fill(const OpenEnum<E>& from, Text& to) {
    to = from.text();
  }
  template <class T>
  void fill(const TypeTag<T>&, Text& to) {
    to = TypeTag<T>::text();
  }
  void fill(const Decimal& from, glz::raw_json_view& to) {
    to.str = print(Decimal::max_printed, [&](char* out) { return from.print(out); });
  }
  void fill(std::chrono::year_month_day from, Text& to) {
    to = print(10, [&](char* out) { return detail::text::print_date(from, out); });
  }
  template <class T>
    requires std::same_as<T, LocalTimestamp> || std::same_as<T, Timestamp>
  void fill(const T& from, Text& to) {
    to = print(T::max_printed, [&](char* out) { return from.print(out); });
  }
  template <class From>
    requires detail::base::is_nullable<From> || detail::base::is_maybe_absent<From>
  void fill(const From& from, OptionalText& to) {
    if (from) fill(*from, to.emplace());
  }
  template <class From, class To>
  void fill(std::span<const From> from, Elements<To>& to) {
    to.reserve(from.size());
    for (const From& element : from) fill(element, to.emplace_back());
  }

  template <class Print>
  Text print(std::size_t most, Print&& print_to) {
    auto* const out = static_cast<char*>(arena_.allocate(most, 1));
    return {out, static_cast<std::size_t>(print_to(out) - out)};
  }

  Arena& arena_;
};

/// A struct above with the values of the library's.
template <class T>
Mirror<T> mirror_of(const T& event, Arena& arena) {
  Mirror<T> mirror;
  Mirrorer(arena).fill(event, mirror);
  return mirror;
}

}  // namespace bankhook::bench::glaze
