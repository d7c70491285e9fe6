// SPDX-License-Identifier: MIT
// Objects and arrays of a text that may be broken: every fault is reported and mended, and the reader goes on after it.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/json/parse_context.hpp>
#include <bankhook/json/recover/path.hpp>
#include <bankhook/json/recover/recovering_text.hpp>
#include <bankhook/json/tokens.hpp>
#include <bankhook/text/number.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

/// An object or array that is open, and what its reader stands after.
struct Container {
  enum class After : std::uint8_t { opener, item, comma };
  bool is_object = false;
  After after = After::opener;
  bool is_whole = true;    ///< nothing of it was skipped, so what is not in it is missing
  bool is_closed = false;  ///< by its own bracket
  std::size_t count = 0;   ///< items so far
};

/// A field's name and where it stands.
struct Name {
  std::string_view text{};
  const char* at = nullptr;  ///< its opening quote
  bool is_good = false;      ///< it could be read
};

/// Walks a text that may be hardly JSON. Each byte is looked at a few times at most. Where the text is JSON it sees what
/// the quick reader sees; where the quick reader stops at a syntax fault, it reports that one, at the same place or before,
/// as `report(Errc, const char* at)`.
/// It mends a missing or doubled comma or colon, one at the end, brackets of the wrong kind or missing, strings that their
/// line ends, and names without value. Anything else that is not JSON is skipped, up to what can be.
template <class Report>
class RecoveringReader {
 public:
  RecoveringReader(std::string_view text, Arena& arena, Report report)
      : in(text, arena), p(in.begin), report_(std::move(report)) {}

  ParseContext in;
  const char* p;              ///< the position
  std::vector<Step> steps{};  ///< the way to it
  bool ended = false;         ///< nothing is left to read: the text ended inside a value, or reading was stopped

  BANKHOOK_INLINE void skip_space() { p = json::skip_space(in, p); }
  void fault(Errc code, const char* at) {
    if (code == Errc::truncated) end_of_text(at);
    else report_(code, at);
  }
  /// The text ends too early, which is reported once; nothing is left to read.
  void end_of_text(const char* at) {
    if (!ended) report_(Errc::truncated, at);
    leave();
  }

  /// Stops reading after the current token.
  void stop() { is_stopped_ = true; }

  /// Enters the object or array that opens at the position.
  [[nodiscard]] Container open() {
    const bool is_object = *p++ == '{';
    ++open_[is_object];
    steps.push_back({});
    return {.is_object = is_object};
  }
  void close(const Container& container) {
    --open_[container.is_object];
    steps.pop_back();
  }

  /// Goes to the value of the next field; false where the object is over.
  bool next_field(Container& object, Name& name) {
    steps.back().kind = Step::Kind::nothing;
    while (to_item(object)) {
      if (*p == '"') {
        if (read_name(object, name)) {
          steps.back() = {.kind = name.is_good ? Step::Kind::name : Step::Kind::nothing, .name = name.text};
          ++object.count;
          return true;
        }
      } else {
        fault(Errc::expected_field_name, p);
        resume_at_separator(object);
      }
    }
    return false;
  }

  /// Goes to the next element; false where the array is over.
  bool next_element(Container& array) {
    steps.back().kind = Step::Kind::nothing;
    if (!to_item(array)) return false;
    steps.back() = {.kind = Step::Kind::index, .index = array.count++};
    return true;
  }

  /// Skips the value at the position and checks its syntax, without recursion.
  void skip_value() {
    std::vector<Container> levels;
    Name name;
    for (;;) {
      if (opens_too_deep()) skip_too_deep();
      else if (opens()) levels.push_back(open());
      else skip_scalar();
      while (!levels.empty() &&
             !(levels.back().is_object ? next_field(levels.back(), name) : next_element(levels.back()))) {
        close(levels.back());
        levels.pop_back();
      }
      if (levels.empty()) return;
    }
  }

  /// Checks the string at the position and goes after it.
  void skip_string() {
    const char* const end = validate_string(in, p, [this](Errc code, const char* at) {
      fault(code, at);
      return !is_stopped_;
    });
    p = ended ? in.end : end;
  }

  /// Skips what begins no value; whoever expected one has said so.
  void skip_junk() {
    p = after_junk(p, in.end);
    is_mending_ = true;
  }

  /// Whether an object or array opens at the position although as many as allowed are already open.
  [[nodiscard]] bool opens_too_deep() const { return opens() && open_[0] + open_[1] >= max_depth; }
  void skip_too_deep() {
    fault(Errc::nested_too_deeply, p);
    p = after_brackets(p, in.end);
  }

 private:
  void leave() {
    ended = true;
    p = in.end;
  }

  [[nodiscard]] bool opens() const { return p < in.end && (*p == '{' || *p == '['); }

  void skip_scalar() {
    if (p == in.end || ends_in_word(p, in.end)) return end_of_text(p);
    if (*p == '"') return skip_string();
    if (!begins_value(p, in.end)) {
      fault(Errc::expected_value, p);
      return skip_junk();
    }
    if (*p != '-' && (*p < '0' || *p > '9')) {
      p += *p == 'f' ? 5 : 4;
      return;
    }
    const text::Scan number = text::skip_number(p, in.end);
    p = number.next;
    if (number.error == Errc::none) return;
    fault(number.error, number.next);
    if (!ended) skip_junk();
  }

  /// Goes to where the next item begins, or after the closing bracket: then false.
  bool to_item(Container& container) {
    using enum Container::After;
    for (;;) {
      if (is_stopped_) return leave(), false;
      skip_space();
      if (p == in.end) return end_of_text(p), false;
      const char c = *p;
      if (c == (container.is_object ? '}' : ']')) return close_at_bracket(container), false;
      if (c == '}' || c == ']') {
        fault(container.after == item ? separator_of(container) : item_of(container), p);
        container.is_whole = false;
        if (open_[!container.is_object] > 0) return false;  // it closes what is around, and this with it
        ++p;
      } else if (c == ',') {
        if (container.after != item) fault(item_of(container), p);
        container.after = comma;
        ++p;
      } else if (container.after != item) {
        is_mending_ = false;
        container.after = item;
        return true;
      } else {
        if (!is_mending_) fault(separator_of(container), p);
        if (begins_item(container)) {
          is_mending_ = false;
          return true;
        }
        resume_at_separator(container);
      }
    }
  }

  void close_at_bracket(Container& container) {
    if (container.after == Container::After::comma) fault(item_of(container), p);
    container.is_closed = true;
    is_mending_ = false;
    ++p;
  }

  /// Whether what stands here is an item rather than the rest of a broken one.
  [[nodiscard]] bool begins_item(const Container& container) const {
    if (!container.is_object) return begins_value(p, in.end);
    return *p == '"' && (!is_mending_ || colon_follows(after_string(p, in.end), in.end));
  }

  /// Skips at least a byte, up to a separator, a closing bracket, or in an object a name.
  void resume_at_separator(Container& container) {
    container.is_whole = false;
    container.after = Container::After::item;
    is_mending_ = true;
    do {
      if (*p == '"') p = after_string(p, in.end);
      else if (*p == '{' || *p == '[') p = after_brackets(p, in.end);
      else p = p + 1;
      p = after_noise(p, in.end);
      skip_space();
    } while (p < in.end && *p != ',' && *p != '}' && *p != ']' && !begins_item(container));
  }

  /// Reads the name at the position and goes to its value; false where it has none.
  bool read_name(Container& object, Name& name) {
    name = {.at = p};
    in.error.code = Errc::none;
    const char* const after = read_any_text(in, p + 1, name.text);
    name.is_good = after != nullptr;
    if (name.is_good) p = after;
    else skip_string();
    object.is_whole &= name.is_good;
    skip_space();
    if (p == in.end) return end_of_text(p), false;
    const char* const next = json::skip_space(in, p + 1);
    if (*p != ':') {
      fault(Errc::expected_colon, p);
      if (begins_value(p, in.end)) return true;
      const bool stands_for_colon = std::string_view(",}]").find(*p) == std::string_view::npos;
      if (!stands_for_colon || !begins_value(next, in.end)) {
        object.is_whole = false;
        is_mending_ = true;
        return false;
      }
    }
    p = next;
    return true;
  }

  [[nodiscard]] static Errc separator_of(const Container& container) {
    return container.is_object ? Errc::expected_comma_or_brace : Errc::expected_comma_or_bracket;
  }
  [[nodiscard]] static Errc item_of(const Container& container) {
    return container.is_object ? Errc::expected_field_name : Errc::expected_value;
  }

  Report report_;
  std::size_t open_[2] = {0, 0};  ///< arrays and objects around the position
  bool is_stopped_ = false;
  bool is_mending_ = false;  ///< something was skipped: the next missing separator is part of the same fault
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
