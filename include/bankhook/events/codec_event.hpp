// SPDX-License-Identifier: MIT
// How "any event" is read and written: the name in the payload decides which struct it becomes.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/read/read.hpp>
#include <bankhook/json/write/write.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook::detail {

/// What all events have in common and dispatch needs (6.1).
struct Envelope {
  static constexpr std::string_view section = "6.1";

  std::string_view event;
};

/// The events that are known come first in AnyEvent.
inline constexpr std::size_t known_events = std::variant_size_v<AnyEvent> - 1;

/// How a payload of the event `T` begins where nothing is unusual.
template <class T>
inline constexpr auto fast_begin = join(FixedString("{\""), reflect::wire_name<Envelope, 0>, FixedString("\":\""),
                                        reflect::type_wire_name<T>, FixedString("\""));

/// The index of the event as which the payload begins in the usual way; that of UnknownEvent if it does not. Not for
/// constant expressions.
template <class Context>
BANKHOOK_INLINE std::size_t fast_event_index(Context& in) {
  const char* const window = in.window(in.begin);
  std::size_t index = known_events;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(
        ((simd::begins_with<fast_begin<std::variant_alternative_t<I, AnyEvent>>>(window) && (index = I, true)) || ...));
  }(std::make_index_sequence<known_events>());
  return index;
}

/// The name of the event with index `I` as it stands in a payload, and where to look for it: at its first underscore, which
/// few other texts have.
template <std::size_t I>
struct Mention {
  static constexpr auto text =
      join(FixedString("\""), reflect::type_wire_name<std::variant_alternative_t<I, AnyEvent>>, FixedString("\""));
  static constexpr std::size_t anchor = [] {
    std::size_t at = 0;
    while (at < text.size() && text.characters[at] != '_') ++at;
    return at < text.size() ? at : 0;
  }();
  static constexpr char first = text.characters[anchor];
  static constexpr char second = text.characters[anchor + 1];

  /// Whether the name stands in the text with its anchor at `p`.
  template <class Context>
  static bool stands_around(Context& in, const char* p) {
    return p - in.begin >= static_cast<std::ptrdiff_t>(anchor) && simd::begins_with<text>(in.window(p - anchor));
  }
};

static_assert(known_events <= 32, "events_are_counted_by_the_bits_of_a_word");

/// The index of the first event not among `others`, a bit each, whose name stands anywhere in the text; `known_events` if
/// there is none. Not for constant expressions.
template <class Context>
BANKHOOK_NOINLINE std::size_t mentioned_event_index(Context& in, std::uint32_t others) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    for (const char* p = in.begin; p < in.end; p += sizeof(simd::Block32)) {
      const char* const window = in.window(p);
      std::uint32_t anchors = (simd::pairs_of(window, Mention<I>::first, Mention<I>::second) | ...);
      for (; anchors != 0; anchors &= anchors - 1) {
        const char* const anchor = p + std::countr_zero(anchors);
        std::size_t index = known_events;
        static_cast<void>((((others >> I & 1) == 0 && Mention<I>::stands_around(in, anchor) && (index = I, true)) || ...));
        if (index != known_events) return index;
      }
    }
    return known_events;
  }(std::make_index_sequence<known_events>());
}

/// The event's name if it is the first member, else empty. Judges nothing: who reads the payload afterwards does.
template <class Context>
constexpr std::string_view leading_event_name(Context& in) {
  constexpr std::string_view member = reflect::wire_name<Envelope, 0>.view();
  const auto after = [&](const char* p, char token) { return json::skip_space(in, in.peek(p) == token ? p + 1 : in.end); };
  const char* p = after(json::skip_space(in, in.begin), '{');
  if (in.peek(p) != '"' || !json::word_at(in, p + 1, member)) return {};
  p += 1 + member.size();
  if (in.peek(p) != '"') return {};
  p = after(json::skip_space(in, p + 1), ':');
  if (in.peek(p) != '"') return {};
  const char* const name = ++p;
  while (p < in.end && *p != '"' && *p != '\\') ++p;
  return in.peek(p) == '"' ? std::string_view(name, p) : std::string_view();
}

/// The index of the event with this name in AnyEvent; that of UnknownEvent for all others.
constexpr std::size_t event_index(std::string_view name) {
  std::size_t index = known_events;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(
        ((name == reflect::type_wire_name<std::variant_alternative_t<I, AnyEvent>>.view() && (index = I, true)) || ...));
  }(std::make_index_sequence<known_events>());
  return index;
}

}  // namespace bankhook::detail

namespace bankhook::json {

template <>
struct Codec<UnknownEvent> {
  static constexpr std::size_t fixed = 0;
  /// As it came, without the white space that means nothing: one event stays one line.
  template <FixedString before, class Out>
  static constexpr bool write(Out& out, const UnknownEvent& value, std::size_t) {
    static_assert(before.size() == 0);
    return out.minified(value.raw);
  }
};

template <>
struct Codec<AnyEvent> {
  static constexpr std::size_t fixed = 0;
  template <FixedString before, class Out>
  static constexpr bool write(Out& out, const AnyEvent& value, std::size_t room) {
    return std::visit(
        [&](const auto& event) {
          return Codec<std::remove_cvref_t<decltype(event)>>::template write<before>(out, event, room);
        },
        value);
  }
};

}  // namespace bankhook::json
