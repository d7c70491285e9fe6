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

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// The events that are known come first in AnyEvent.
inline constexpr std::size_t known_events = std::variant_size_v<AnyEvent> - 1;

/// The index of the event with this name in AnyEvent; that of UnknownEvent for all others.
constexpr std::size_t event_index(std::string_view name) {
  std::size_t index = known_events;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(
        ((name == reflect::type_wire_name<std::variant_alternative_t<I, AnyEvent>>.view() && (index = I, true)) || ...));
  }(std::make_index_sequence<known_events>());
  return index;
}

/// The name of an event. Reading stops after that of a known event, because the payload is then read again as that event.
class EventName {
 public:
  constexpr EventName() = default;
  explicit constexpr EventName(std::string_view text) : text_(text) {}

  [[nodiscard]] constexpr std::string_view text() const { return text_; }
  [[nodiscard]] constexpr std::size_t index() const { return event_index(text_); }
  [[nodiscard]] constexpr bool is_known() const { return index() < known_events; }

 private:
  std::string_view text_{};
};

/// What all events have in common and dispatch needs (6.1).
struct Envelope {
  static constexpr std::string_view section = "6.1";

  EventName event;
};

/// How a payload of the event `T` begins where nothing is unusual.
template <class T>
inline constexpr auto fast_begin = join_literals(FixedString("{\""), reflect::wire_name<Envelope, 0>, FixedString("\":\""),
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

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI::json {

template <>
struct Codec<bankhook::detail::EventName> {
  static constexpr char opener = '"';
  static constexpr Errc expected = Errc::expected_string;

  /// Stops, without an error, after the name of a known event.
  template <class Context>
  static constexpr const char* read(Context& in, const char* p, const char*, bankhook::detail::EventName& out,
                                    RememberedLength&) {
    std::string_view text;
    p = detail::read_any_text(in, p, text);
    out = bankhook::detail::EventName(text);
    return out.is_known() ? nullptr : p;
  }
};

template <>
struct Codec<UnknownEvent> {
  static constexpr std::size_t fixed = 0;
  /// Verbatim, without insignificant white space: one event stays one line.
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

}  // namespace bankhook::inline BANKHOOK_ABI::json
