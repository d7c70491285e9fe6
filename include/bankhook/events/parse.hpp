// SPDX-License-Identifier: MIT
// Payload bytes become events: `parse` for any event, `parse_as` for one type, `Document` for a payload and its event.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/json/can_hold.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/parse.hpp>
#include <bankhook/json/parse_context.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <new>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

/// What all events have in common and dispatch needs (6.1).
struct Envelope {
  static constexpr std::string_view section = "6.1";
  std::string_view event{};
};

/// The name of the field that names the event, with its quotes, and the name of the event `T` with its own.
inline constexpr auto event_field = join_literals(FixedString("\""), reflect::wire_name<Envelope, 0>, FixedString("\""));
template <class T>
inline constexpr auto quoted_name = join_literals(FixedString("\""), reflect::type_wire_name<T>, FixedString("\""));

/// How a payload of the event `T` begins where nothing is unusual, with `blank` after the colon.
template <class T, FixedString blank>
inline constexpr auto usual_start = join_literals(FixedString("{"), event_field, FixedString(":"), blank, quoted_name<T>);

/// The event that a payload names.
struct NamedEvent {
  std::size_t index;     ///< in AnyEvent; that of UnknownEvent if it names none
  std::size_t size = 0;  ///< of the start of the payload that ends with the name; 0 where that was only looked for
};

/// The event that the payload names in the usual way: first, without white space or with one blank.
BANKHOOK_INLINE NamedEvent event_at_start(json::ParseContext& in) {
  const char* const window = in.window(in.begin);
  NamedEvent named{known_events};
  const auto begins_with = [&]<class T, FixedString blank>() {
    if (!simd::begins_with<usual_start<T, blank>>(window)) return false;
    named.size = usual_start<T, blank>.size();
    return true;
  };
  named.index = find_event([&]<class T>() { return begins_with.template operator()<T, FixedString("")>(); });
  if (named.index == known_events) [[unlikely]] {
    in.has_other_form = true;
    named.index = find_event([&]<class T>() { return begins_with.template operator()<T, FixedString(" ")>(); });
  }
  return named;
}

/// The event that the payload seems to be: the first in the order of AnyEvent, from `least` on, whose name is found after a
/// field that names an event, at whatever depth. The first bytes are searched first, then from the end: with sorted keys,
/// all connections come before the name.
BANKHOOK_NOINLINE inline NamedEvent likely_event(json::ParseContext& in, std::size_t least) {
  NamedEvent likely{known_events};
  using simd::Block64;
  constexpr std::size_t first = 2;
  const Block64 quote = Block64::repeat('"');
  const Block64 second = Block64::repeat(event_field.characters[2]);
  const std::size_t blocks = static_cast<std::size_t>(in.end - in.begin) / sizeof(Block64) + 1;
  for (std::size_t i = 0, at = 0; i < blocks; ++i) {
    const char* const window = in.window(in.begin + at);
    at = i + 1 < first ? at + sizeof(Block64) : i + 1 == first ? (blocks - 1) * sizeof(Block64) : at - sizeof(Block64);
    const Block64 fits =
        Block64::load(window + 2).same(second) & Block64::load(window + event_field.size() - 1).same(quote);
    if (!fits.any()) [[likely]]
      continue;
    for (auto found = fits.high(); found != 0; found &= found - 1) {
      const char* p = window + std::countr_zero(found);
      if (!simd::begins_with<event_field>(p)) continue;
      p += event_field.size();
      for (int most = 32; most > 0 && (*p == ':' || json::is_space(*p)); --most) ++p;
      const std::size_t index = find_event([&]<class T>() { return simd::begins_with<quoted_name<T>>(p); });
      if (index == least) return {index};
      if (index > least) likely.index = (std::min)(likely.index, index);
    }
  }
  return likely;
}

using ParsedEvent = std::expected<AnyEvent, Error>;
/// Reads the text as the event with index `At`, whose name ends the first `size` bytes, or stands anywhere if that is 0.
/// `expect_end(p)` says whether the event may end at `p`, which is null where `in` has an error.
template <std::size_t At, class ExpectEnd>
BANKHOOK_NOINLINE ParsedEvent parse_as_event(json::ParseContext& in, std::size_t size, ExpectEnd expect_end) {
  using T = std::variant_alternative_t<At, AnyEvent>;
  static_assert(std::is_same_v<reflect::FieldType<T, 0>, TypeTag<T>>);
  static_assert(reflect::wire_name<T, 0>.view() == reflect::wire_name<Envelope, 0>.view(), "the first field is event");
  ParsedEvent result(std::in_place, std::in_place_index<At>, reflect::ValueInitialized());
  T& event = *std::get_if<At>(&*result);
  json::RememberedLength length;
  const char* const p = size != 0 ? json::Codec<T>::follow_after_first(in, in.begin + size, event)
                                  : json::read_value_outlined(in, json::skip_to_value(in), event, length);
  if (!expect_end(p)) [[unlikely]]
    result = std::unexpected(in.error);
  return result;
}

/// Reads the text as the known event that it names.
template <std::size_t At = 0, class ExpectEnd>
BANKHOOK_INLINE ParsedEvent parse_as_named(json::ParseContext& in, NamedEvent named, ExpectEnd expect_end) {
  if constexpr (At + 1 < known_events) {
    if (named.index != At) return parse_as_named<At + 1>(in, named, expect_end);
  }
  return parse_as_event<At>(in, named.size, expect_end);
}
BANKHOOK_INLINE ParsedEvent parse_as_named(std::same_as<json::ParseContext> auto& in, NamedEvent named) {
  return parse_as_named(in, named, [&in](const char* p) { return json::expect_end(in, p); });
}

/// The name does not stand where it usually does: the text is read as each event that it names somewhere, in the order of
/// AnyEvent: what is less than an event is found out early. If none fits, one pass over the envelope finds the name, maybe
/// with escapes. It has checked all of the text then, which is read again only if it is a known event after all.
BANKHOOK_NOINLINE ParsedEvent parse_as_found(std::same_as<json::ParseContext> auto& in) {
  for (NamedEvent named{0}; (named = likely_event(in, named.index)).index < known_events; ++named.index) {
    if (ParsedEvent event = parse_as_named(in, named)) return event;
    in.restart();
  }
  Envelope envelope;
  constexpr const json::Names& names = json::names<Envelope>;
  const char* const open = json::skip_to_value(in);
  const char* const p = in.peek(open) == '{' ? json::collect_fields(in, open + 1, &envelope, 0, {names.none()}, names).p
                                             : in.fail_or_end(Errc::expected_object, open);
  const NamedEvent named{event_index(envelope.event)};
  if (named.index == known_events && !json::expect_end(in, p)) return std::unexpected(in.error);
  if (named.index < known_events) return in.restart(), parse_as_named(in, named);
  in.has_notes = in.has_other_form = false;  // all fields of an envelope but the name count as unlisted
  return ParsedEvent(std::in_place, UnknownEvent{envelope.event, std::string_view(open, p)});
}

/// Reads the whole text as the event that it names.
BANKHOOK_ENTRY ParsedEvent parse_event(std::same_as<json::ParseContext> auto& in) {
  const NamedEvent named = event_at_start(in);
  if (named.index < known_events) [[likely]]
    return parse_as_named(in, named);
  return parse_as_found(in);
}

/// Called by `parse`, which is constexpr so that compilers name this one where a constant expression cannot read.
[[nodiscard]] ParsedEvent parse_while_the_program_runs(const Bytes& json, std::same_as<Arena> auto& arena) {
  json::ParseContext in(json, arena, json.readable_after);
  return parse_event(in);
}

}}}  // namespace bankhook::BANKHOOK_ABI::detail

namespace bankhook { inline namespace BANKHOOK_ABI {

// `parse` and all else that reads an event are templates only so that a unit that includes them and reads none does not
// compile the reader: a third of what parse.hpp costs.

/// Reads one event (spec 6) from a JSON text.
/// @param json the payload, in any form of bytes, before which a byte order mark is read over; the event's views point
///   into it, so it must outlive them.
/// @param arena where decoded text and arrays go; the event is valid until the arena is reset or destroyed.
/// @return the event, or the first fault with its byte offset. An unknown event name is no fault (UnknownEvent), nor
///   are an unknown value of an enumeration (kept as text) and unlisted fields (skipped, their syntax checked).
/// Allocates nothing once the arena is warm. One pass if the text begins with `{"event":"...`, without white space or with
/// a blank after the colon; otherwise a short search for the name comes first. Unknown events, wrong payloads, and those
/// with another event's name deeper inside take up to four passes.
template <std::convertible_to<const Arena&> Memory>
[[nodiscard]] constexpr std::expected<AnyEvent, Error> parse(Bytes json BANKHOOK_LIFETIMEBOUND,
                                                             Memory&& arena BANKHOOK_LIFETIMEBOUND) {
  return detail::parse_while_the_program_runs(json, detail::kept<Memory>(arena));
}
template <class Text, std::convertible_to<const Arena&> Memory>
  requires(!std::convertible_to<Text, Bytes>)
detail::what_is_read_is_text_or_bytes_beside_each_other parse(Text&& text, Memory&& arena);

/// Reads one value of type `T`: an event, a resource, or any struct of fields that JSON can hold.
/// Arguments and lifetimes as for `parse`; another event's name is an error here (`wrong_event`).
template <class T, std::convertible_to<const Arena&> Memory>
[[nodiscard]] std::expected<T, Error> parse_as(Bytes json BANKHOOK_LIFETIMEBOUND, Memory&& arena BANKHOOK_LIFETIMEBOUND) {
  if constexpr (detail::json::can_hold<T, detail::json::Inside<detail::json::Filled>>)
    return detail::json::parse<T>(json, detail::kept<Memory>(arena), json.readable_after);
  else return std::unexpected(Error{});
}
template <class T, class Text, std::convertible_to<const Arena&> Memory>
  requires(!std::convertible_to<Text, Bytes>)
detail::what_is_read_is_text_or_bytes_beside_each_other parse_as(Text&& text, Memory&& arena);

BANKHOOK_ONCE(detail::ParsedEvent detail::parse_event(detail::json::ParseContext&));
BANKHOOK_ONCE(std::expected<BankConnectionsUpdateV2, Error> detail::json::parse(std::string_view, Arena&, std::size_t));
BANKHOOK_ONCE(std::expected<InitialTransactionUpdate, Error> detail::json::parse(std::string_view, Arena&, std::size_t));

/// One payload and its event. Movable; a moved-from one may only be assigned or destroyed. Reading it from several
/// threads at once is safe.
class Document {
 public:
  /// What `parse` gives: std::expected, of which a temporary one gives no pointer, because the event would be gone before
  /// what views it. Keep it: `const auto document = Document::parse(bytes);`, then `document->event()`.
  class Result;

  /// Copies `bytes`, in any form, and reads them; the argument may be gone afterwards. The first fault with its byte
  /// offset, else. What the reader remembers stays with the thread.
  [[nodiscard]] static Result parse(const auto& bytes);
  /// The same for one document after another: `arena` keeps what the reader remembers, and its memory becomes the
  /// document's. If anything lies in it, all of its memory goes first; an empty arena gives what it has, however much.
  template <std::convertible_to<const Arena&> Memory>
  [[nodiscard]] static Result parse(const auto& any_bytes, Memory&& arena);

  /// The event; valid as long as this document lives, wherever it is moved to.
  [[nodiscard]] const AnyEvent& event() const& BANKHOOK_LIFETIMEBOUND { return *state_->event; }
  detail::keep_it_in_a_variable_because_it_is_gone_before_what_views_it event() const&&;
  /// The payload, byte for byte; a byte order mark before it is not part of it.
  [[nodiscard]] std::string_view raw() const& BANKHOOK_LIFETIMEBOUND { return state_->raw; }
  detail::keep_it_in_a_variable_because_it_is_gone_before_what_views_it raw() const&&;
  /// The payload, if `serialize` would write the same bytes.
  [[nodiscard]] std::optional<std::string_view> json() const& BANKHOOK_LIFETIMEBOUND {
    return state_->is_canonical ? std::optional(state_->raw) : std::nullopt;
  }
  detail::keep_it_in_a_variable_because_it_is_gone_before_what_views_it json() const&&;

 private:
  /// Lies in the document's memory, before its payload and what the event views.
  struct State {
    std::string_view raw;
    std::expected<AnyEvent, Error> event;
    bool is_canonical = false;
  };

  /// Bytes for everything at once, so that most documents are one piece of memory. Arrays take up to half of what their
  /// text takes and, because they grow, as much again; the shortest texts are transactions, which have none.
  [[nodiscard]] static std::size_t room_for(std::size_t size) {
    constexpr std::size_t shortest_with_arrays = 600;
    const std::size_t arrays = size < shortest_with_arrays ? 0 : size;
    return sizeof(State) + size + PaddedView::padding + alignof(std::max_align_t) + arrays;
  }

  [[nodiscard]] static Result parse(std::string_view bytes, std::same_as<Arena> auto& arena,
                                    detail::json::Remembered& remembered);

  Document(ArenaMemory memory, const State* state) : memory_(std::move(memory)), state_(state) {
    static_assert(std::is_trivially_destructible_v<State>);
  }

  ArenaMemory memory_;
  const State* state_;
};

class Document::Result : public std::expected<Document, Error> {
 public:
  using std::expected<Document, Error>::expected;

  [[nodiscard]] Document* operator->() & BANKHOOK_LIFETIMEBOUND { return &**this; }
  [[nodiscard]] const Document* operator->() const& BANKHOOK_LIFETIMEBOUND { return &**this; }
  detail::keep_it_in_a_variable_because_it_is_gone_before_what_views_it operator->() const&&;
};

Document::Result Document::parse(const auto& bytes) {
  Arena arena;
  return parse(detail::text_in(bytes), arena, detail::json::remembered_by_thread());
}
template <std::convertible_to<const Arena&> Memory>
Document::Result Document::parse(const auto& any_bytes, Memory&& any_arena) {
  Arena& arena = detail::kept<Memory>(any_arena);
  return parse(detail::text_in(any_bytes), arena, detail::json::remembered_in(arena));
}
Document::Result Document::parse(std::string_view bytes, std::same_as<Arena> auto& arena,
                                 detail::json::Remembered& remembered) {
  if (bytes.size() > SIZE_MAX / 4) return std::unexpected(Error{.code = Errc::out_of_memory});
  detail::base::prefetch_text(bytes.data(), bytes.size());
  static_cast<void>(arena.release());
  arena.reserve(room_for(bytes.size()));
  void* const place = arena.allocate(sizeof(State), alignof(State));
  auto* const copy = static_cast<char*>(arena.allocate(bytes.size() + PaddedView::padding, 1));
  if (place == nullptr || copy == nullptr) return std::unexpected(Error{.code = Errc::out_of_memory});
  if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
  std::memset(copy + bytes.size(), 0, PaddedView::padding);
  const std::string_view raw(copy, bytes.size());
  detail::json::ParseContext in(raw, arena, PaddedView::padding, remembered);
  auto* const state = ::new (place) State{detail::json::without_mark(raw), detail::parse_event(in)};
  if (!state->event) return std::unexpected(state->event.error());
  state->is_canonical = in.is_canonical();
  return Document(arena.release(), state);
}

}}  // namespace bankhook::BANKHOOK_ABI
