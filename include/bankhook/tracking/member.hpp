// SPDX-License-Identifier: MIT
// What is stored of one member: records, found by their ids, each in a block of bytes that is smaller than its struct.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/reflect/owned.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/tracking/digest.hpp>
#include <bankhook/tracking/records.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// Written instead of a text's size or an enumerator: the size follows, or a text.
inline constexpr std::size_t escape = 0xFF;

/// Gives the bytes of `value` to `put(start, count)`, part by part. A text takes its size and its bytes, an enumerator one
/// byte, an optional one byte and its value, anything plain its own bytes.
template <class T, class Put>
BANKHOOK_INLINE void encode(const T& value, Put& put) {
  const auto put_byte = [&](std::size_t number) {
    const auto byte = static_cast<char>(number);
    put(&byte, 1);
  };
  if constexpr (reflect::Text<T>) {
    const std::size_t size = value.size();
    put_byte(std::min(size, escape));
    if (size >= escape) put(&size, sizeof size);
    put(value.data(), size);
  } else if constexpr (reflect::OpenEnumeration<T>) {
    const auto known = value.known();
    put_byte(known ? static_cast<std::size_t>(*known) : escape);
    if (!known) encode(value.text(), put);
  } else if constexpr (reflect::HasParts<T>) {
    static_assert(!reflect::Array<T> && !reflect::Alternatives<T>, "an_encoded_struct_has_no_arrays_and_no_variants");
    if constexpr (reflect::OptionalValue<T>) put_byte(value.has_value());
    reflect::for_each_part(value, [&](const auto& part) { return encode(part, put), true; });
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "an_encoded_value_is_plain");
    put(&value, sizeof value);
  }
}
template <class T>
[[nodiscard]] std::size_t encoded_size(const T& value) {
  std::size_t size = 0;
  auto count = [&](const void*, std::size_t bytes) { size += bytes; };
  encode(value, count);
  return size;
}

/// Reads what `encode` wrote and returns the position after it. Texts view the bytes.
template <class T>
const char* decode(const char* in, T& out) {
  if constexpr (reflect::Text<T>) {
    std::size_t size = static_cast<unsigned char>(*in++);
    if (size == escape) {
      std::memcpy(&size, in, sizeof size);
      in += sizeof size;
    }
    out = {in, size};
    return in + size;
  } else if constexpr (reflect::OpenEnumeration<T>) {
    const std::size_t known = static_cast<unsigned char>(*in++);
    std::string_view text;
    if (known == escape) in = decode(in, text);
    out = known == escape ? T::of(text) : T(static_cast<typename T::enum_type>(known));
    return in;
  } else if constexpr (reflect::OptionalValue<T>) {
    out.reset();
    return *in++ == 0 ? in : decode(in, out.emplace());
  } else if constexpr (reflect::HasParts<T>) {
    reflect::for_each_part(out, [&](auto& part) { return in = decode(in, part), true; });
    return in;
  } else {
    std::memcpy(&out, in, sizeof out);
    return in + sizeof out;
  }
}

/// A deep copy of a `T` without arrays, as `Owned<T>` is one, in fewer bytes: it is made a `T` again each time it is looked
/// at. A moved-from one may only be assigned or destroyed. Construction throws std::bad_alloc if memory runs out.
template <class T>
class Encoded {
 public:
  explicit Encoded(const T& value) : bytes_(std::make_unique_for_overwrite<char[]>(encoded_size(value))) {
    char* out = bytes_.get();
    auto write = [&](const void* bytes, std::size_t count) {
      if (count != 0) std::memcpy(out, bytes, count);
      out += count;
    };
    encode(value, write);
  }
  Encoded(const Encoded& other) : Encoded(*other) {}
  Encoded(Encoded&&) noexcept = default;
  Encoded& operator=(const Encoded& other) { return *this = Encoded(other); }
  Encoded& operator=(Encoded&&) noexcept = default;
  ~Encoded() = default;

  /// The value; its texts live as long as this, wherever it is moved to.
  [[nodiscard]] T operator*() const {
    T value{};
    decode(bytes_.get(), value);
    return value;
  }
  /// The first text of a struct that begins with one.
  [[nodiscard]] std::string_view first_text() const {
    std::string_view text;
    decode(bytes_.get(), text);
    return text;
  }
  /// How many bytes it has allocated.
  [[nodiscard]] std::size_t size() const { return encoded_size(**this); }

 private:
  std::unique_ptr<char[]> bytes_;
};

struct MemberRecord {
  Customer customer{};
  nullable<Membership> membership{};
  /// The connection whose event was the last one to be applied with everything that it said.
  nullable<std::string_view> last_connection{};
};
struct MemberRest {
  nullable<Membership> membership{};
  nullable<std::string_view> last_connection{};
};
struct ConnectionRecord {
  Connection connection{};
  nullable<OpenEnum<ConnectionEventType>> event_type{};  ///< of its last accepted event; null: none of its own has come
  nullable<OpenEnum<ConnectionState>> state{};
  std::string_view seen{};  ///< digests of its last accepted events

  /// Where its next step starts. One that has had no event of its own is known from lists alone, whatever they said last.
  [[nodiscard]] std::optional<ConnectionState> place() const {
    if (!event_type) return ConnectionState::listed;
    return state ? state->known() : std::nullopt;
  }
  /// Whether it is one of the member's connections now.
  [[nodiscard]] bool is_live() const { return state != ConnectionState::deleted && state != ConnectionState::unlisted; }
};
struct TransactionRecord {
  InitialTransaction initial_transaction{};
  nullable<OpenEnum<TransactionStatus>> state{};
  std::string_view seen{};
};

[[nodiscard]] inline std::string_view id_of(const Account& one) { return one.id; }
[[nodiscard]] inline std::string_view id_of(const Owned<ConnectionRecord>& one) { return one->connection.id; }
[[nodiscard]] inline std::string_view id_of(const Encoded<TransactionRecord>& one) { return one.first_text(); }

/// Plain data. Live connections and the others are apart: a long history has many of the others, and no event walks them.
/// Transactions are most of what a tracker has, and have no arrays: encoded, they take a third of the bytes.
struct Member {
  /// Its ids and what else there is of it are apart: a transaction's event may change the ids, and then copies these only.
  Owned<Customer> customer{Customer{}};
  Owned<MemberRest> rest{MemberRest{}};
  Records<Encoded<TransactionRecord>> transactions{};
  Records<Owned<ConnectionRecord>> live{};
  Records<Owned<ConnectionRecord>> gone{};

  [[nodiscard]] const Owned<ConnectionRecord>* find_connection(const IdKey& key) const {
    const auto* const found = live.find(key);
    return found != nullptr ? found : gone.find(key);
  }
  [[nodiscard]] MemberRecord record() const { return {*customer, rest->membership, rest->last_connection}; }
  void put(const MemberRecord& one) {
    Owned ids(one.customer);  // first: if memory runs out, neither changes
    rest = Owned(MemberRest{one.membership, one.last_connection});
    customer = std::move(ids);
  }
  void put(const ConnectionRecord& one) {
    const Owned<ConnectionRecord> stored(one);
    const IdKey key(id_of(stored));
    (one.is_live() ? gone : live).remove(key);
    (one.is_live() ? live : gone).put(key, stored);
  }
  /// Its connections in the order of their ids, those that are deleted or unlisted, too.
  [[nodiscard]] std::vector<const Owned<ConnectionRecord>*> connections_in_order() const {
    std::vector<const Owned<ConnectionRecord>*> all = live.in_order();
    const auto others = gone.in_order();
    all.insert(all.end(), others.begin(), others.end());
    sort(all, [](const auto* a, const auto* b) { return id_of(*a) < id_of(*b); });
    return all;
  }
  /// Forgets what is not wanted, see `Tracker::forget_unwanted`. Whether anything is left.
  template <class IsWanted>
  bool keep(const IsWanted& is_wanted) {
    const std::string_view id = customer->id;
    live.remove_if([&](const auto& one) { return !is_wanted.connection(id_of(one), id, false); });
    gone.remove_if([&](const auto& one) { return !is_wanted.connection(id_of(one), id, true); });
    transactions.remove_if([&](const auto& one) { return !is_wanted.transaction(id_of(one)); });
    return !live.empty() || !gone.empty() || !transactions.empty();
  }
  /// Bytes that it has allocated, about. Looks at everything that is tracked.
  [[nodiscard]] std::size_t size() const {
    return customer.size() + rest.size() + live.memory() + gone.memory() + transactions.memory();
  }

  /// What queries give back; views this member.
  [[nodiscard]] TrackedMember shown() const { return {*customer, rest->membership}; }
  [[nodiscard]] TrackedConnection shown(const ConnectionRecord& one) const {
    return {one.connection, one.event_type, one.state, customer->id};
  }
  [[nodiscard]] TrackedTransaction shown(const TransactionRecord& one) const {
    return {one.initial_transaction, one.state, *customer};
  }
  /// The same of a record that was looked for; empty for nullptr.
  [[nodiscard]] auto shown_or_nothing(const auto* stored) const {
    return stored == nullptr ? std::nullopt : std::optional(shown(**stored));
  }
  /// The same of some of its records, after what is in `out`.
  template <class Stored, class Shown>
  void show(const std::vector<const Stored*>& records, std::vector<Shown>& out) const {
    for (const Stored* const one : records) out.push_back(shown(**one));
  }
};

[[nodiscard]] inline std::string_view id_of(const Member& one) { return one.customer->id; }

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
