// SPDX-License-Identifier: MIT
// An archive of one event a line (NDJSON) as a range: a bad line is an error in its place and never stops the rest.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/parse.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <expected>
#include <iterator>
#include <new>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bankhook {

/// One line of an archive.
struct Line {
  std::size_t number = 0;                ///< counted from 1, blank lines included
  std::string_view raw;                  ///< the line without its end; lives as long as the archive
  std::expected<AnyEvent, Error> event;  ///< offsets count from the start of the line
  bool skipped_unknown = false;          ///< reading skipped something that no table lists
};

}  // namespace bankhook

namespace bankhook::detail {

/// Takes the lines off an archive. Ends of lines are LF or CR LF.
class LineCutter {
 public:
  explicit LineCutter(std::string_view archive) : rest_(archive), end_(archive.data() + archive.size()) {}

  /// The next line that is not blank, and its number; false at the end. Blank lines count.
  bool next(std::string_view& raw, std::size_t& number) {
    while (!rest_.empty()) {
      const void* const found = std::memchr(rest_.data(), '\n', rest_.size());
      const std::size_t size =
          found == nullptr ? rest_.size() : static_cast<std::size_t>(static_cast<const char*>(found) - rest_.data());
      raw = rest_.substr(0, size);
      rest_.remove_prefix(found == nullptr ? size : size + 1);
      if (raw.ends_with('\r')) raw.remove_suffix(1);
      ++number;
      if (!json::is_blank(raw)) return true;
    }
    return false;
  }

  /// What was not taken off yet.
  [[nodiscard]] std::string_view rest() const { return rest_; }

  /// Takes off the next line, whose end is known: `size` bytes and what ends it. It is not blank.
  void take(std::size_t size, std::string_view& raw, std::size_t& number) {
    raw = rest_.substr(0, size);
    const std::size_t after = std::min(rest_.find('\n', size), rest_.size() - 1) + 1;
    rest_.remove_prefix(after);
    ++number;
  }

  /// Bytes of the archive after a line.
  [[nodiscard]] std::size_t readable_after(std::string_view raw) const {
    return static_cast<std::size_t>(end_ - (raw.data() + raw.size()));
  }

  /// Bytes of the archive that were taken off.
  [[nodiscard]] std::size_t position(std::string_view archive) const { return archive.size() - rest_.size(); }

  /// Whether the next line may be read before its end is known. No byte is read so twice: else lines that are never closed
  /// would each be read to the end of the archive.
  [[nodiscard]] bool may_be_read_ahead() const { return rest_.data() >= tried_; }
  /// The next line was read up to `p` in vain.
  void was_tried_to(const char* p) { tried_ = p; }

 private:
  std::string_view rest_;
  const char* end_;
  const char* tried_ = nullptr;
};

/// Where a line ends at `p`: the place of its LF, of the CR before it, or of the archive's end; else nullptr.
[[nodiscard]] inline const char* line_end_at(const char* p, const char* end) {
  if (p == end || *p == '\n') return p;
  return end - p > 1 && p[0] == '\r' && p[1] == '\n' ? p : nullptr;
}

/// Reads the event at the start of `rest` without looking for the end of its line first: an event that ends where a line
/// may end is that line. False, with nothing done, where it is to be read as other lines are.
[[nodiscard]] inline bool read_ahead(LineCutter& lines, Line& line, Arena& arena) {
  const std::string_view rest = lines.rest();
  json::ParseContext in(rest, json::ArenaStore(arena));
  const std::size_t index = fast_event_index(in);
  if (index >= known_events || !lines.may_be_read_ahead()) return false;
  const char* after = nullptr;
  std::construct_at(&line.event, read_fast(in, index, [&](const char* p) {
    if (p != nullptr && p <= in.end) after = line_end_at(p, in.end);
    if (after == nullptr) lines.was_tried_to(p == nullptr ? in.begin + in.error.offset : std::min(p, in.end));
    return after != nullptr;
  }));
  if (after == nullptr) return false;
  const auto size = static_cast<std::size_t>(after - rest.data());
  if (in.has_space && std::memchr(rest.data(), '\n', size) != nullptr) {
    lines.was_tried_to(after);
    return false;
  }
  lines.take(size, line.raw, line.number);
  line.skipped_unknown = in.skipped_unknown;
  return true;
}

/// Reads the next line that is not blank; false at the end.
inline bool read_next(LineCutter& lines, Line& line, Arena& arena) {
  static_assert(std::is_trivially_destructible_v<decltype(Line::event)>);
  if (read_ahead(lines, line, arena)) [[likely]]
    return true;
  if (!lines.next(line.raw, line.number)) return false;
  json::ParseContext in(line.raw, json::ArenaStore(arena), lines.readable_after(line.raw));
  std::construct_at(&line.event, read_any(in));  // in place: an event is larger than reading it is long
  line.skipped_unknown = in.skipped_unknown;
  return true;
}

}  // namespace bankhook::detail

namespace bankhook {

/// The lines of `ndjson` that are not blank, read one by one into `arena`. The range can be walked once.
/// A line's event is valid until the next one is read; the archive must outlive all. Ends of lines are LF or CR LF.
class Lines {
 public:
  Lines(std::string_view ndjson BANKHOOK_LIFETIMEBOUND, Arena& arena BANKHOOK_LIFETIMEBOUND)
      : lines_(ndjson), arena_(&arena) {}
  template <TemporaryText S>
  Lines(S&&, Arena&) = delete;

  class Iterator {
   public:
    using value_type = Line;
    using difference_type = std::ptrdiff_t;

    [[nodiscard]] const Line& operator*() const { return lines_->line_; }
    [[nodiscard]] const Line* operator->() const { return &lines_->line_; }
    Iterator& operator++() {
      lines_->advance();
      return *this;
    }
    void operator++(int) { ++*this; }
    [[nodiscard]] bool operator==(std::default_sentinel_t) const { return lines_->done_; }

   private:
    friend Lines;
    explicit Iterator(Lines& lines) : lines_(&lines) {}
    Lines* lines_;
  };

  [[nodiscard]] Iterator begin() {
    advance();
    return Iterator(*this);
  }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

 private:
  void advance() {
    arena_->reset();
    done_ = !detail::read_next(lines_, line_, *arena_);
  }

  detail::LineCutter lines_;
  Arena* arena_;
  Line line_{};
  bool done_ = false;
};

/// The lines of `ndjson` that are not blank, read at once and appended to `lines`: unlike those of `Lines`, their events
/// stay valid beside each other until `arena` is reset.
/// @param before how many lines lie before `ndjson` in its archive
/// @return how many lie before what follows `ndjson`
inline std::size_t parse_lines(std::string_view ndjson BANKHOOK_LIFETIMEBOUND, Arena& arena BANKHOOK_LIFETIMEBOUND,
                               std::vector<Line>& lines, std::size_t before = 0) {
  detail::LineCutter cutter(ndjson);
  for (;;) {
    Line& line = lines.emplace_back();
    line.number = before;
    if (!detail::read_next(cutter, line, arena)) break;
    before = line.number;
  }
  before = lines.back().number;
  lines.pop_back();
  return before;
}
template <TemporaryText S>
std::size_t parse_lines(S&& ndjson, Arena& arena, std::vector<Line>& lines, std::size_t before = 0) = delete;

}  // namespace bankhook
