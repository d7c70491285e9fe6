// SPDX-License-Identifier: MIT
// `salvage`: the ids that can still be read in a payload that is not an event.
#pragma once

#include "place_id.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook::python {

/// What a payload is about, as far as it could be read. It owns its texts.
struct Salvaged {
  std::optional<std::string> event{};        ///< its name, listed or not (6.1)
  std::optional<std::string> member{};       ///< `customer.id` (2.1)
  std::optional<std::string> external_id{};  ///< `customer.externalId` (2.1)
  std::optional<std::string> connection{};   ///< `connection.id` (2.2)
  std::optional<std::string> transaction{};  ///< `initialTransaction.id` (2.4)

  bool operator==(const Salvaged&) const = default;
};

/// Where an event has its name or an id: a field, or a field of a field.
struct IdField {
  std::string_view event{};  ///< the name of the listed one that has it, if not all have
  detail::reflect::FieldPath path{};
  std::optional<std::string> Salvaged::* id{};
};

inline constexpr auto id_fields = [] {
  using Bank = BankConnectionsUpdateV2;
  using Purchase = InitialTransactionUpdate;
  constexpr std::string_view bank = detail::reflect::type_wire_name<Bank>.view();
  constexpr std::string_view purchase = detail::reflect::type_wire_name<Purchase>.view();
  return std::array{
      IdField{{}, detail::reflect::path<&detail::Envelope::event>, &Salvaged::event},
      IdField{{}, detail::reflect::path<&Bank::customer, &ConnectedCustomer::id>, &Salvaged::member},
      IdField{{}, detail::reflect::path<&Bank::customer, &ConnectedCustomer::external_id>, &Salvaged::external_id},
      IdField{bank, detail::reflect::path<&Bank::connection, &Connection::id>, &Salvaged::connection},
      IdField{purchase, detail::reflect::path<&Purchase::initial_transaction, &InitialTransaction::id>,
              &Salvaged::transaction},
  };
}();

/// Reads the ids and skips all else. It is strict where the text is broken: a wrong id is worse than none.
class Salvager {
 public:
  Salvager(std::string_view text, Arena& arena) : reader_(text, arena, SyntaxFault{this}) {}
  Salvager& operator=(Salvager&&) = delete;

  [[nodiscard]] Salvaged read() {
    reader_.p = detail::json::skip_to_value(reader_.in);
    if (begins_with('{')) read_object({});
    forget_doubtful();
    return std::move(found_);
  }

 private:
  using Id = std::optional<std::string> Salvaged::*;

  struct SyntaxFault {
    Salvager* salvager;
    void operator()(Errc code, const char* at) const { salvager->fault(code, at); }
  };

  /// A bracket that closes something else than what is open: from here on, no field is known to be where it seems to be.
  void fault(Errc code, const char* at) {
    if (at == reader_.in.end) return;
    const bool in_object = code == Errc::expected_field_name || code == Errc::expected_comma_or_brace;
    const bool in_array = code == Errc::expected_comma_or_bracket ||
                          (code == Errc::expected_value && reader_.steps.back().kind == detail::json::Step::Kind::nothing);
    if ((in_object && *at == ']') || (in_array && *at == '}')) reader_.stop();
  }

  [[nodiscard]] bool begins_with(char opener) const { return reader_.p < reader_.in.end && *reader_.p == opener; }

  /// Reads the object that is the field `around` of the payload, or for an empty name the payload.
  void read_object(std::string_view around) {
    detail::json::Container object = reader_.open();
    detail::json::Name name;
    while (reader_.next_field(object, name)) {
      const auto is_around = [&](const IdField& field) { return field.path.names.front() == name.text; };
      const Id id = name.is_good ? id_at(around, name.text) : nullptr;
      if (id != nullptr) take_text(id);
      else if (name.is_good && around.empty() && begins_with('{') && std::ranges::any_of(id_fields, is_around))
        read_object(name.text);
      else reader_.skip_value();
    }
    reader_.close(object);
  }

  static Id id_at(std::string_view around, std::string_view name) {
    for (const IdField& field : id_fields) {
      const auto names = field.path.names;
      if (names.back() == name && around == (names.size() > 1 ? names.front() : "")) return field.id;
    }
    return nullptr;
  }

  /// Takes the string at the position if it is whole: a string that lost a quote ends at the quote of the next one.
  void take_text(Id id) {
    if (!begins_with('"')) return reader_.skip_value();
    std::string_view text;
    reader_.in.error = {};
    const char* const after = detail::json::read_any_text(reader_.in, reader_.p + 1, text);
    if (after == nullptr) return reader_.skip_value();
    reader_.p = after;
    reader_.skip_space();
    if (reader_.p < reader_.in.end && *reader_.p != ',' && *reader_.p != '}') return;
    if (found_.*id && *(found_.*id) != text) doubtful_.*id = "";
    found_.*id = text;
  }

  /// Drops what is there twice with two values, and what the event, if it is a listed one, does not have.
  void forget_doubtful() {
    const std::string event = doubtful_.event ? "" : found_.event.value_or("");
    const bool is_listed = detail::event_index(event) != detail::known_events;
    for (const IdField& field : id_fields) {
      const bool is_of_another = is_listed && !field.event.empty() && field.event != event;
      if (is_of_another || doubtful_.*field.id) (found_.*field.id).reset();
    }
  }

  detail::json::RecoveringReader<SyntaxFault> reader_;
  Salvaged found_{};
  Salvaged doubtful_{};  ///< has a text where two values were found
};

/// Whom and what a payload is about, even if `parse` rejects it: cut off, changed on the way, or with a wrong type
/// somewhere. Takes any bytes, throws nothing (but std::bad_alloc), and takes time linear in their length.
/// - Nothing is invented: an id counts if it is a whole JSON string in its listed field. Half a string is no id. If one
///   field has two different ids, neither counts.
/// - A listed event has the ids of its table only; of one that is not listed, or whose name cannot be read, all are taken.
/// - An id whose letters were changed is as good as any other. Nothing here says that it exists.
///
/// `salvage(cut_payload).transaction == "trx-7"`
/// @return texts of its own; all of them, if the payload is an event
[[nodiscard]] inline Salvaged salvage(std::string_view json) {
  Arena arena;
  return Salvager(json, arena).read();
}

}  // namespace bankhook::python
