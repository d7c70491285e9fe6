// SPDX-License-Identifier: MIT
// How "any event" is read and written: the name in the payload decides which struct it becomes.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/read/parse_context.hpp>
#include <bankhook/json/write/sink.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// The events that are known come first in AnyEvent.
inline constexpr std::size_t known_events = std::variant_size_v<AnyEvent> - 1;

/// The index of the event for which `is_it.template operator()<T>()`; that of UnknownEvent if it is no known one.
template <class IsIt>
BANKHOOK_INLINE constexpr std::size_t find_event(IsIt&& is_it) {
  std::size_t index = known_events;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(((is_it.template operator()<std::variant_alternative_t<I, AnyEvent>>() && (index = I, true)) || ...));
  }(std::make_index_sequence<known_events>());
  return index;
}

/// The index of the event with this name in AnyEvent; that of UnknownEvent for all others.
constexpr std::size_t event_index(std::string_view name) {
  return find_event([&]<class T>() { return name == reflect::type_wire_name<T>.view(); });
}

/// What all events have in common and dispatch needs (6.1).
struct Envelope {
  static constexpr std::string_view section = "6.1";

  std::string_view event{};
};

/// The name of the field that names the event, with its quotes, and the name of the event `T` with its own.
inline constexpr auto event_field = join_literals(FixedString("\""), reflect::wire_name<Envelope, 0>, FixedString("\""));
template <class T>
inline constexpr auto quoted_name = join_literals(FixedString("\""), reflect::type_wire_name<T>, FixedString("\""));

/// How a payload of the event `T` begins where nothing is unusual.
template <class T>
inline constexpr auto fast_begin = join_literals(FixedString("{"), event_field, FixedString(":"), quoted_name<T>);

/// The index of the event as which the payload begins in the usual way; that of UnknownEvent if it does not.
BANKHOOK_INLINE std::size_t fast_event_index(json::ParseContext& in) {
  const char* const window = in.window(in.begin);
  return find_event([&]<class T>() { return simd::begins_with<fast_begin<T>>(window); });
}

/// The index of the event that the payload seems to be: the first in the order of AnyEvent, from `least` on, whose name is
/// found after a field that names an event, at whatever depth; else that of UnknownEvent. The first bytes are
/// searched first, then from the end: with sorted keys, all connections come before the name.
BANKHOOK_NOINLINE inline std::size_t likely_event_index(json::ParseContext& in, std::size_t least) {
  std::size_t likely = known_events;
  using simd::Block32;
  constexpr std::size_t first = 4;
  const Block32 quote = Block32::repeat('"');
  const Block32 second = Block32::repeat(event_field.characters[2]);
  const std::size_t blocks = static_cast<std::size_t>(in.end - in.begin) / sizeof(Block32) + 1;
  for (std::size_t i = 0; i < blocks; ++i) {
    const char* const window = in.window(in.begin + (i < first ? i : blocks - 1 + first - i) * sizeof(Block32));
    const Block32 fits =
        Block32::load(window + 2).same(second) & Block32::load(window + event_field.size() - 1).same(quote);
    for (auto found = fits.high(); found != 0; found &= found - 1) {
      const char* at = window + std::countr_zero(found);
      if (!simd::begins_with<event_field>(at)) continue;
      at += event_field.size();
      for (int most = 32; most > 0 && (*at == ':' || json::is_space(*at)); --most) ++at;
      const std::size_t index = find_event([&]<class T>() { return simd::begins_with<quoted_name<T>>(at); });
      if (index == least) return index;
      if (index > least) likely = std::min(likely, index);
    }
  }
  return likely;
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI::json {

template <>
struct Codec<UnknownEvent> {
  static constexpr std::size_t fixed = 0;
  /// Verbatim, without insignificant white space: one event stays one line.
  template <FixedString before>
  static bool write(Sink& out, const UnknownEvent& value, std::size_t) {
    static_assert(before.size() == 0);
    return out.minified(value.raw);
  }
};

template <>
struct Codec<AnyEvent> {
  static constexpr std::size_t fixed = 0;
  template <FixedString before>
  static bool write(Sink& out, const AnyEvent& value, std::size_t room) {
    return std::visit([&]<class T>(const T& event) { return Codec<T>::template write<before>(out, event, room); }, value);
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::json
