// SPDX-License-Identifier: MIT
// The records of a snapshot become a store: verbatim if the layout is the current one, else by the names of their fields.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/tracking/snapshot_error.hpp>
#include <bankhook/tracking/store/decode.hpp>
#include <bankhook/tracking/store/decode_by_name.hpp>
#include <bankhook/tracking/store/encode.hpp>
#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/store/layout.hpp>
#include <bankhook/tracking/store/store.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook::tracking {

/// What a snapshot holds.
template <class Options>
struct Restored {
  Store store{};
  Options options{};
};

}  // namespace bankhook::tracking

namespace bankhook::tracking::detail {

/// A record and, as one more field, its member's place among the members.
template <class Record>
[[nodiscard]] std::string layout_of_chained() {
  std::string layout = layout_of<Record>();
  layout.pop_back();
  return layout += ",member:number}";
}

template <class Options>
[[nodiscard]] std::string layout_of_snapshot() {
  return "{options:" + layout_of<Options>() + ",members:[" + layout_of<MemberRecord>() + "],connections:[" +
         layout_of_chained<ConnectionRecord>() + "],transactions:[" + layout_of_chained<TransactionRecord>() + "]}";
}

/// Whether the ids come in the order of `in_order`, so that none comes twice.
template <class Table>
class Order {
 public:
  explicit Order(const Table& table) : table_(table) {}

  [[nodiscard]] bool takes(IdHash tag, std::string_view id) const {
    return last_ == no_record || tag > last_tag_ || (tag == last_tag_ && id > table_.id_of(last_));
  }
  void add(IdHash tag, RecordId number) {
    last_tag_ = tag;
    last_ = number;
  }

 private:
  const Table& table_;
  RecordId last_ = no_record;
  IdHash last_tag_ = 0;
};

template <class Options>
class Restorer {
 public:
  explicit Restorer(std::string_view layout) : text_(layout) {}

  [[nodiscard]] std::expected<Restored<Options>, SnapshotError> restore(CheckedReader in) {
    if (!layout_.read(text_)) return std::unexpected(SnapshotError::content);
    const bool fine = layout_[0].packing == Packing::structure &&
                      layout_.for_each_field(0, [&](std::uint32_t field) { return read_part(in, field); });
    if (!fine || in.rest() != 0) return std::unexpected(fine ? SnapshotError::content : error_of(unpacker_.error()));
    return std::move(restored_);
  }

 private:
  [[nodiscard]] static SnapshotError error_of(LayoutError error) {
    switch (error) {
      case LayoutError::missing_field: return SnapshotError::missing_field;
      case LayoutError::other_type: return SnapshotError::other_type;
      case LayoutError::content: break;
    }
    return SnapshotError::content;
  }

  [[nodiscard]] bool read_part(CheckedReader& in, std::uint32_t field) {
    Store& store = restored_.store;
    const std::string_view name = layout_[field].name;
    if (name == "options") return read_options(in, field);
    if (name == "members") {
      return read_table(in, field, store.members, layout_of<MemberRecord>(),
                        [&](RecordId, RecordId, const MemberRecord&) {});
    }
    if (name == "connections") {
      return read_table(in, field, store.connections, layout_of_chained<ConnectionRecord>(),
                        [&](RecordId number, RecordId member, const ConnectionRecord& record) {
                          store.link_connection(number, member, Store::is_gone(record));
                        });
    }
    if (name == "transactions") {
      return read_table(
          in, field, store.transactions, layout_of_chained<TransactionRecord>(),
          [&](RecordId number, RecordId member, const TransactionRecord&) { store.link_transaction(number, member); });
    }
    return unpacker_.skip(in, field);
  }

  [[nodiscard]] bool read_options(CheckedReader& in, std::uint32_t type) {
    unpacker_.missing_is_default = true;
    const bool fine = unpacker_.read(in, type, restored_.options);
    unpacker_.missing_is_default = false;
    return fine;
  }

  /// Calls `link(number, member, record)` for each record that is added. `layout` is the current one.
  template <class Record, class Links, class Link>
  [[nodiscard]] bool read_table(CheckedReader& in, std::uint32_t type, Table<Record, Links>& table,
                                const std::string& layout, Link&& link) {
    std::uint64_t count = 0;
    if (!unpacker_.read_count(in, type, count) || table.size() != 0) return false;
    table.reserve_more(static_cast<std::size_t>(count));
    const bool is_verbatim = layout_[type + 1].text == layout;
    Order order(table);
    for (; count > 0; --count) {
      arena_.reset();
      Record record{};
      std::uint64_t member = 0;
      std::string_view bytes;
      const bool fine = is_verbatim ? read_verbatim<Links>(in, record, member, bytes)
                                    : read_by_name<Links>(in, type + 1, record, member, bytes);
      if (!fine) return false;
      const std::string_view id = id_of(bytes);
      const IdHash tag = id_hash(id);
      if (!order.takes(tag, id) || (has_member<Links> && member >= restored_.store.members.size())) return false;
      const RecordId number = table.add_packed(tag, bytes, {});
      order.add(tag, number);
      link(number, static_cast<RecordId>(member), record);
    }
    return true;
  }

  template <class Links, class Record>
  [[nodiscard]] bool read_verbatim(CheckedReader& in, Record& record, std::uint64_t& member, std::string_view& bytes) {
    const char* const first = in.next;
    if (!decode(in, record, &arena_)) return false;
    bytes = {first, in.next};
    return !has_member<Links> || decode_number(in, member);
  }
  template <class Links, class Record>
  [[nodiscard]] bool read_by_name(CheckedReader& in, std::uint32_t type, Record& record, std::uint64_t& member,
                                  std::string_view& bytes) {
    bool has_read_member = !has_member<Links>;
    const auto other = [&](std::uint32_t field) {
      if (!has_member<Links> || layout_[field].name != "member") return unpacker_.skip(in, field);
      has_read_member = true;
      return unpacker_.read(in, field, member);
    };
    if (!unpacker_.read_fields(in, type, record, other)) return false;
    if constexpr (std::is_same_v<Record, ConnectionRecord>) {
      if (!has_field(type, "listing")) record = with_listing(record);
    }
    bytes = encode_into(packed_, record);
    return has_read_member;
  }

  [[nodiscard]] bool has_field(std::uint32_t structure, std::string_view name) const {
    return !layout_.for_each_field(structure, [&](std::uint32_t field) { return layout_[field].name != name; });
  }
  /// Snapshots without listings stored a connection that was no longer listed as deleted. If its last event was not a
  /// delete, it is certain that it was not deleted, so it becomes unlisted and gets the state that its own event gave it.
  [[nodiscard]] static ConnectionRecord with_listing(ConnectionRecord record) {
    if (record.state != ConnectionState::deleted) return record;
    record.listing = Listing::unlisted;
    if (record.event_type == OpenEnum(ConnectionEventType::delete_)) return record;
    const auto type = record.event_type ? record.event_type->known() : std::nullopt;
    record.state.reset();
    if (type == ConnectionEventType::create) record.state = OpenEnum(ConnectionState::created);
    if (type == ConnectionEventType::update) record.state = OpenEnum(ConnectionState::updated);
    return record;
  }

  template <class Links>
  static constexpr bool has_member = std::is_same_v<Links, ChainLinks>;

  [[nodiscard]] static std::string_view id_of(std::string_view encoded) {
    Reader in(encoded);
    std::string_view id;
    static_cast<void>(decode_text(in, id));
    return id;
  }

  std::string_view text_;
  Layout layout_;
  Arena arena_;
  NamedUnpacker unpacker_{layout_, arena_};
  std::string packed_;
  Restored<Options> restored_;
};

}  // namespace bankhook::tracking::detail
