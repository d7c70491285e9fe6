// SPDX-License-Identifier: MIT
// Events that were cut out of an archive, read one after the other as lines are.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/events/archive/element_cutter.hpp>
#include <bankhook/events/archive/line_reader.hpp>
#include <bankhook/events/parse.hpp>

#include <cstddef>
#include <new>
#include <span>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// Reads elements into its arena; the interface of LineReader. The text and the elements must outlive it.
class ElementReader {
 public:
  ElementReader(std::string_view text, std::span<const Element> elements, Arena& arena)
      : text_(text), elements_(elements), arena_(&arena) {}

  bool next(ArchiveLine& line) {
    if (elements_.empty()) return false;
    const Element& element = elements_.front();
    elements_ = elements_.subspan(1);
    line.number = number_ = element.number;
    line.raw = text_.substr(element.offset, element.size);
    json::ParseContext in(line.raw, json::ArenaStore(*arena_), text_.size() - element.offset - element.size);
    ::new (static_cast<void*>(&line.event)) ParsedEvent(read_event(in));
    line.has_notes = in.has_notes;
    return true;
  }

  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::string_view text_;
  std::span<const Element> elements_;
  Arena* arena_;
  std::size_t number_ = 0;
};

/// Reads all that is left into `lines`, whose events stay valid beside each other until the arena is reset.
template <class Reader>
void read_all(Reader& reader, std::vector<ArchiveLine>& lines) {
  while (reader.next(lines.emplace_back())) {
  }
  lines.pop_back();
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail
