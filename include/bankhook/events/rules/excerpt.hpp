// SPDX-License-Identifier: MIT
// The part of a payload's line around a finding, as data: what `explain` prints and notebooks mark.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/temporary_text.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/codec_event.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/json/recover/redacted.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI {

/// A line of a payload around a finding, cut to a width. It is UTF-8 with one character for each of the payload's, without
/// control characters (a tab is a blank) and, unless they were asked for, without values.
struct Excerpt {
  std::size_t line = 1;  ///< counted from 1
  std::string text{};
  std::size_t start = 0;  ///< byte in `text` where the marked part starts; the text's size if that lies after the text
  std::size_t end = 0;    ///< byte after the marked part

  bool operator==(const Excerpt&) const = default;
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

/// Whether `text` is the name of a field or a listed value anywhere in a `T`.
template <class T>
constexpr bool is_listed_in(std::string_view text) {
  if constexpr (reflect::OptionalValue<T> || reflect::Array<T>) {
    return is_listed_in<reflect::InnermostType<T>>(text);
  } else if constexpr (reflect::OpenEnumeration<T>) {
    constexpr const auto& texts = reflect::enumerator_texts<typename T::enum_type>;
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  } else if constexpr (reflect::Structure<T>) {
    const auto& names = reflect::wire_names<T>;
    bool is_listed = std::find(names.begin(), names.end(), text) != names.end();
    reflect::for_each_field<T>([&]<std::size_t I>() {
      is_listed = is_listed || is_listed_in<reflect::FieldType<T, I>>(text);
      return !is_listed;
    });
    return is_listed;
  } else {
    return false;
  }
}

/// Whether the specification lists a text as a name or a value; it can then be shown, because it is not personal.
struct IsListedText {
  [[nodiscard]] constexpr bool operator()(std::string_view text) const {
    return event_index(text) < known_events || [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (is_listed_in<std::variant_alternative_t<I, AnyEvent>>(text) || ...);
    }(std::make_index_sequence<known_events>());
  }
};

/// The part of the line around `offset` that is shown, at most `shown` bytes. Looks no further than these many bytes.
struct Window {
  std::size_t from = 0, to = 0;
  bool is_cut_before = false, is_cut_after = false;

  constexpr Window(std::string_view text, std::size_t offset, std::size_t shown) : from(offset), to(offset) {
    const auto ends = [&](std::size_t at) { return text[at] == '\n' || text[at] == '\r'; };
    while (from > 0 && !ends(from - 1) && offset - from < shown) --from;
    while (to < text.size() && !ends(to) && to - offset < shown) ++to;
    if (to - from > shown) shorten(text, offset, shown);
    is_cut_before = from > 0 && text[from - 1] != '\n' && text[from - 1] != '\r';
    is_cut_after = to < text.size() && !ends(to);
  }

 private:
  constexpr void shorten(std::string_view text, std::size_t offset, std::size_t shown) {
    const std::size_t before = shown * 3 / 5;
    const auto continues = [&](std::size_t at) { return at < text.size() && text::continues_character(text[at]); };
    if (offset - from > before) from = offset - before;
    if (to - from > shown) to = from + shown;
    while (from < offset && continues(from)) ++from;
    while (to > offset && continues(to)) --to;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// Makes the excerpts of one payload. If findings come in the payload's order, as `diagnose` gives them, it goes through
/// the payload once.
class Excerpts {
 public:
  /// @param json the payload, which must outlive this
  explicit Excerpts(std::string_view json BANKHOOK_LIFETIMEBOUND, Redaction redaction = Redaction::on)
      : json_(json), redacted_(json, redaction, detail::IsListedText()) {}
  template <detail::TemporaryText S>
  explicit Excerpts(S&& json, Redaction redaction = Redaction::on) = delete;

  /// The excerpt for a finding of this payload; nothing for one without an offset, as `check` gives them.
  /// @param width how many characters it has at most; two are left for the marks of what is cut, or for a caret after the
  ///        text; 4 bytes of the line are shown however small it is
  [[nodiscard]] std::optional<Excerpt> of(const Finding& finding, std::size_t width = 102) {
    if (!finding.offset || !finding.line) return std::nullopt;
    const std::size_t offset = std::min(*finding.offset, json_.size());
    const detail::Window window(json_, offset, std::max<std::size_t>(width, 6) - 2);
    Excerpt excerpt{.line = *finding.line, .text = window.is_cut_before ? "…" : ""};
    const auto mark = redacted_.append(excerpt.text, window.from, offset, window.to);
    excerpt.start = mark.start;
    excerpt.end = mark.end;
    if (window.is_cut_after) excerpt.text += "…";
    return excerpt;
  }

 private:
  std::string_view json_;
  json::RedactedText<detail::IsListedText> redacted_;
};

}  // namespace bankhook::inline BANKHOOK_ABI
