// SPDX-License-Identifier: MIT
// The one reader of archives of one event a line (NDJSON): a bad line is an error in its place and never stops the rest.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/parse.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <expected>
#include <iterator>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// One line of an archive: its `number`, its `raw` text and its `event`, or the error.
struct ArchiveLine {
  std::size_t number = 0;                ///< counted from 1, blank lines included
  std::string_view raw;                  ///< without its end and a byte order mark; lives as long as the archive
  std::expected<AnyEvent, Error> event;  ///< offsets count from the start of `raw`
  bool has_notes = false;                ///< `diagnose` reports something, although it was read
  bool is_canonical = false;             ///< `serialize` writes the bytes of `raw`
};

/// What the lines of an archive are, counted; goes on from part to part.
struct LineCounts {
  std::size_t lines = 0;  ///< blank ones, too
  /// By the place of their type in AnyEvent: the listed ones, then those that are not.
  std::array<std::size_t, std::variant_size_v<AnyEvent>> events{};
  std::size_t rejected = 0;        ///< lines that `parse` rejects; blank lines are not counted
  std::size_t first_rejected = 0;  ///< the number of the first of them; 0 if all were read

  /// Counts a line, after those before it.
  constexpr void add(const ArchiveLine& line) {
    lines = line.number;
    ++(line.event ? events[(line.event->index)()] : rejected);
    if (!line.event && rejected == 1) first_rejected = line.number;
  }
  bool operator==(const LineCounts&) const = default;
};

namespace detail {

/// Reads the lines of an archive that are not blank, one after the other, into its arena. Ends of lines are LF or CR LF.
class LineReader {
 public:
  /// @param before how many lines precede `archive`
  LineReader(std::string_view archive, Arena& arena, std::size_t before)
      : rest_(archive), size_(archive.size()), number_(before), arena_(&arena) {}

  /// Reads the next line; false at the end. In place, because an event is larger than reading it is long.
  bool next(std::same_as<ArchiveLine> auto& line);

  /// How many lines precede what is left, blank ones included.
  [[nodiscard]] std::size_t number() const { return number_; }
  /// How many bytes were read, ends of lines included.
  [[nodiscard]] std::size_t position() const { return size_ - rest_.size(); }

 private:
  /// Cuts out the next line that is not blank; false at the end.
  bool cut(std::string_view& raw) {
    while (!rest_.empty()) {
      const std::size_t size = (std::min)(rest_.find('\n'), rest_.size());
      raw = json::without_mark(rest_.substr(0, size));  // of a file that was joined with others, too
      rest_.remove_prefix((std::min)(size + 1, rest_.size()));
      if (raw.ends_with('\r')) raw.remove_suffix(1);
      ++number_;
      if (!json::is_blank(raw)) return true;
    }
    return false;
  }

  /// Reads the next event without looking for the end of its line first: an event that ends where a line may end is that
  /// line. False, with nothing taken, if the line is to be cut out first.
  bool read_ahead(std::same_as<ArchiveLine> auto& line) {
    json::ParseContext in(rest_, *arena_);
    const NamedEvent named = event_at_start(in);
    if (named.index >= known_events || rest_.data() < tried_) return false;
    const char* end = nullptr;
    // Not construct_at, which would copy what a function returns.
    ::new (static_cast<void*>(&line.event)) ParsedEvent(parse_as_named(in, named, [&](const char* p) {
      if (p != nullptr && p <= in.end) end = line_end_at(p, in.end);
      if (end == nullptr) tried_ = p == nullptr ? in.begin + in.error.offset : (std::min)(p, in.end);
      return end != nullptr;
    }));
    if (end == nullptr) return false;
    const auto size = static_cast<std::size_t>(end - in.begin);
    if (in.has_space && std::memchr(in.begin, '\n', size) != nullptr) {  // white space of the event, but the line's end
      tried_ = end;
      return false;
    }
    line.raw = rest_.substr(0, size);
    line.has_notes = in.has_notes;
    line.is_canonical = in.is_canonical();
    rest_.remove_prefix((std::min)(rest_.find('\n', size), rest_.size() - 1) + 1);
    ++number_;
    return true;
  }

  /// Where a line ends at `p`: the place of its LF, of the CR before it, or of the archive's end; else nullptr.
  [[nodiscard]] static const char* line_end_at(const char* p, const char* end) {
    if (p == end || *p == '\n') return p;
    return end - p > 1 && p[0] == '\r' && p[1] == '\n' ? p : nullptr;
  }

  std::string_view rest_;
  std::size_t size_;
  std::size_t number_;
  Arena* arena_;
  /// Reading ahead up to here was given up: no byte is read ahead twice, or lines that are never closed would each be
  /// read to the end of the archive.
  const char* tried_ = nullptr;
};

BANKHOOK_ENTRY bool LineReader::next(std::same_as<ArchiveLine> auto& line) {
  static_assert(std::is_trivially_destructible_v<decltype(ArchiveLine::event)>);
  if (!read_ahead(line)) [[unlikely]] {
    if (!cut(line.raw)) return false;
    const char* const end = line.raw.data() + line.raw.size();
    json::ParseContext in(line.raw, *arena_, static_cast<std::size_t>(rest_.data() + rest_.size() - end));
    ::new (static_cast<void*>(&line.event)) ParsedEvent(parse_event(in));
    line.has_notes = in.has_notes;
    line.is_canonical = in.is_canonical();
  }
  line.number = number_;
  return true;
}

BANKHOOK_ONCE(bool LineReader::next(ArchiveLine&));

/// Counts what `reader` reads, and calls `f(const ArchiveLine&) -> bool` for each line until that returns false.
void read_each(auto& reader, Arena& arena, LineCounts& counts, auto f) {
  ArchiveLine line{};
  for (arena.reset(); reader.next(line); arena.reset()) {
    counts.add(line);
    if (!f(line)) break;
  }
  counts.lines = reader.number();
}

struct lines_are_read_while_they_are_walked_so_they_are_not_const;

}  // namespace detail

/// The lines of `ndjson` that are not blank, read one by one into `arena`. The range can be walked once.
/// A line's event is valid until the next one is read; the archive must outlive all. Ends of lines are LF or CR LF.
class Lines {
 public:
  /// @param before how many lines precede `ndjson` in its archive
  template <std::convertible_to<const Arena&> Memory>
  Lines(Bytes ndjson BANKHOOK_LIFETIMEBOUND, Memory&& arena BANKHOOK_LIFETIMEBOUND, std::size_t before = 0)
      : reader_(ndjson, detail::kept<Memory>(arena), before), arena_(&detail::kept<Memory>(arena)) {}

  class Iterator {
   public:
    using value_type = ArchiveLine;
    using difference_type = std::ptrdiff_t;

    [[nodiscard]] const ArchiveLine& operator*() const { return lines_->line_; }
    [[nodiscard]] const ArchiveLine* operator->() const { return &lines_->line_; }
    template <class = void>
    Iterator& operator++() {
      lines_->advance();
      return *this;
    }
    template <class = void>
    void operator++(int) {
      ++*this;
    }
    [[nodiscard]] bool operator==(std::default_sentinel_t) const { return lines_->done_; }

   private:
    friend Lines;
    explicit Iterator(Lines& lines) : lines_(&lines) {}
    Lines* lines_;
  };

  template <class = void>
  [[nodiscard]] Iterator begin() {
    if (!std::exchange(begun_, true)) advance();
    return Iterator(*this);
  }
  detail::lines_are_read_while_they_are_walked_so_they_are_not_const begin() const;
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

  /// How many lines of the archive precede what was not read yet, blank ones included.
  [[nodiscard]] std::size_t number() const { return reader_.number(); }
  /// How many bytes of `ndjson` were read, with the ends of their lines.
  [[nodiscard]] std::size_t position() const { return reader_.position(); }

 private:
  template <class = void>
  void advance() {
    arena_->reset();
    done_ = !reader_.next(line_);
  }

  detail::LineReader reader_;
  Arena* arena_;
  ArchiveLine line_{};
  bool begun_ = false;  ///< `begin` gives the line that was read last, however often it is called
  bool done_ = false;
};

/// The lines of `ndjson` that are not blank, read at once and appended to `lines`: unlike those of `Lines`, their events
/// stay valid beside each other until `arena` is reset.
/// @param before how many lines lie before `ndjson` in its archive
/// @return how many lie before what follows `ndjson`
template <std::convertible_to<const Arena&> Memory>
std::size_t parse_lines(Bytes ndjson BANKHOOK_LIFETIMEBOUND, Memory&& arena BANKHOOK_LIFETIMEBOUND,
                        std::vector<ArchiveLine>& lines, std::size_t before = 0) {
  detail::LineReader reader(ndjson, detail::kept<Memory>(arena), before);
  while (reader.next(lines.emplace_back())) {
  }
  lines.pop_back();
  return reader.number();
}

}}  // namespace bankhook::BANKHOOK_ABI
