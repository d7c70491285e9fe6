// SPDX-License-Identifier: MIT
// An archive of one event a line (NDJSON) as a range: a bad line is an error in its place and never stops the rest.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/events/archive/line_reader.hpp>
#include <bankhook/events/parse.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI {

/// The lines of `ndjson` that are not blank, read one by one into `arena`. The range can be walked once.
/// A line's event is valid until the next one is read; the archive must outlive all. Ends of lines are LF or CR LF.
class Lines {
 public:
  /// @param before how many lines precede `ndjson` in its archive
  Lines(std::string_view ndjson BANKHOOK_LIFETIMEBOUND, Arena& arena BANKHOOK_LIFETIMEBOUND, std::size_t before = 0)
      : reader_(ndjson, arena, before), arena_(&arena) {}
  template <detail::TemporaryText S>
  Lines(S&&, Arena&, std::size_t = 0) = delete;

  class Iterator {
   public:
    using value_type = ArchiveLine;
    using difference_type = std::ptrdiff_t;

    [[nodiscard]] const ArchiveLine& operator*() const { return lines_->line_; }
    [[nodiscard]] const ArchiveLine* operator->() const { return &lines_->line_; }
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

  /// How many lines of the archive precede what was not read yet, blank ones included.
  [[nodiscard]] std::size_t number() const { return reader_.number(); }
  /// How many bytes of `ndjson` were read, with the ends of their lines.
  [[nodiscard]] std::size_t position() const { return reader_.position(); }

 private:
  void advance() {
    arena_->reset();
    done_ = !reader_.next(line_);
  }

  detail::LineReader reader_;
  Arena* arena_;
  ArchiveLine line_{};
  bool done_ = false;
};

/// The lines of `ndjson` that are not blank, read at once and appended to `lines`: unlike those of `Lines`, their events
/// stay valid beside each other until `arena` is reset.
/// @param before how many lines lie before `ndjson` in its archive
/// @return how many lie before what follows `ndjson`
inline std::size_t parse_lines(std::string_view ndjson BANKHOOK_LIFETIMEBOUND, Arena& arena BANKHOOK_LIFETIMEBOUND,
                               std::vector<ArchiveLine>& lines, std::size_t before = 0) {
  detail::LineReader reader(ndjson, arena, before);
  while (reader.next(lines.emplace_back())) {
  }
  lines.pop_back();
  return reader.number();
}
template <detail::TemporaryText S>
std::size_t parse_lines(S&& ndjson, Arena& arena, std::vector<ArchiveLine>& lines, std::size_t before = 0) = delete;

}  // namespace bankhook::inline BANKHOOK_ABI
