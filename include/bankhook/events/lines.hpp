// SPDX-License-Identifier: MIT
// An archive of one event a line (NDJSON) as a range: a bad line is an error in its place and never stops the rest.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/parse.hpp>

#include <cstddef>
#include <cstring>
#include <expected>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>

namespace bankhook {

/// One line of an archive.
struct Line {
  std::size_t number = 0;                ///< counted from 1, blank lines included
  std::string_view raw;                  ///< the line without its end; lives as long as the archive
  std::expected<AnyEvent, Error> event;  ///< offsets count from the begin of the line
};

/// The lines of `ndjson` that are not blank, read one by one into `arena`. The range can be walked once.
/// A line's event is valid until the next one is read; the archive must outlive all. Ends of lines are LF or CR LF.
class Lines {
 public:
  Lines(std::string_view ndjson BANKHOOK_LIFETIMEBOUND, Arena& arena BANKHOOK_LIFETIMEBOUND)
      : rest_(ndjson), readable_end_(ndjson.data() + ndjson.size()), arena_(&arena) {}
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
  static_assert(std::is_trivially_destructible_v<decltype(Line::event)>);

  void advance() {
    while (take_line()) {
      if (json::is_blank(line_.raw)) continue;
      arena_->reset();
      json::Source in(line_.raw, json::ArenaStore(*arena_),
                      static_cast<std::size_t>(readable_end_ - (line_.raw.data() + line_.raw.size())));
      std::construct_at(&line_.event, detail::read_any(in));  // in place: an event is larger than reading it is long
      return;
    }
    done_ = true;
  }

  /// Moves the next line from the rest to `line_`; false at the end.
  bool take_line() {
    if (rest_.empty()) return false;
    const void* const found = std::memchr(rest_.data(), '\n', rest_.size());
    const std::size_t size =
        found == nullptr ? rest_.size() : static_cast<std::size_t>(static_cast<const char*>(found) - rest_.data());
    line_.raw = rest_.substr(0, size);
    rest_.remove_prefix(found == nullptr ? size : size + 1);
    if (line_.raw.ends_with('\r')) line_.raw.remove_suffix(1);
    ++line_.number;
    return true;
  }

  std::string_view rest_;
  const char* readable_end_;
  Arena* arena_;
  Line line_{};
  bool done_ = false;
};

}  // namespace bankhook
