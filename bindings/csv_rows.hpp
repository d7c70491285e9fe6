// SPDX-License-Identifier: MIT
// Rows of CSV (RFC 4180): where they and their cells end, and what a cell contains.
#pragma once

#include "envelopes.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {

/// A row, with its cells as they stand, quotes included: none if a quote in it is not as RFC 4180 has it.
struct CsvRow {
  std::size_t number = 0;           ///< of the line on which it begins, counted from 1
  std::size_t offset = 0;           ///< in the text that it was cut out of
  std::size_t size = 0;             ///< without the line's end
  std::vector<std::size_t> ends{};  ///< of its cells, in that text
};

/// Cuts rows out of text that comes in pieces; each byte is looked at at most twice. A quote that begins or ends no cell
/// breaks a row: it goes up to the line with the quote, or is that line; so a row that was cut off does not swallow others.
class RowCutter {
 public:
  /// How many cells of a row are cut out.
  std::size_t most_cells = 1000;

  void add(std::string_view piece) {
    text_.erase(0, gone_);
    dropped_ += gone_;
    for (std::size_t* const at : {&row_.offset, &block_, &seen_}) *at -= gone_;
    for (std::size_t& end : row_.ends) end -= gone_;
    gone_ = 0;
    text_ += piece;
    scan();
  }
  /// The text has ended.
  void finish() {
    if (!text_.empty() && !text_.ends_with('\n')) add("\n");
    if (row_.offset < text_.size()) break_row(text_.size());
  }

  struct Cut {
    std::size_t offset = 0;   ///< of `text` in the whole
    std::string_view text{};  ///< until more is added
    std::vector<CsvRow> rows{};
  };
  /// The rows that were completed since the last call.
  [[nodiscard]] Cut take() {
    gone_ = std::min(row_.offset, block_);  // the block in which the next row lies may have begun before
    return {dropped_, std::string_view(text_).substr(0, row_.offset), std::exchange(rows_, {})};
  }
  [[nodiscard]] bool has_rows() const { return !rows_.empty(); }
  /// How many bytes of a row wait for its end.
  [[nodiscard]] std::size_t waiting() const { return text_.size() - row_.offset; }
  /// How many lines were taken.
  [[nodiscard]] std::size_t lines() const { return row_.number - 1; }

 private:
  void scan() {
    while (seen_ < text_.size()) {
      if (is_broken_) {
        seen_ = text_.find('\n', seen_);
        if (seen_ == text_.npos) seen_ = text_.size();
        else break_row(seen_ + 1);
      } else if (!scan_block()) {
        const std::size_t line = text_.rfind('\n', seen_ - 1) + 1;
        if (line > row_.offset) break_row(line);
        else is_broken_ = true;
      }
    }
  }

  /// Looks at 64 bytes, or those that are there of them; false if a quote is wrong, at `seen_`.
  bool scan_block() {
    const char* const start = text_.data() + block_;
    const detail::simd::Block64 block = block_at(start, text_.data() + text_.size());
    const std::size_t size = std::min<std::size_t>(64, text_.size() - block_);
    const std::uint64_t quotes = matches(block, '"'), commas = matches(block, ','), feeds = matches(block, '\n');
    const std::uint64_t inside = parities(quotes) ^ inside_;
    const std::uint64_t before = quotes | commas | feeds, closed = (quotes & ~inside) << 1 | closed_;
    const std::uint64_t fresh = ~std::uint64_t{0} << (seen_ - block_) & ~std::uint64_t{0} >> (64 - size);
    std::uint64_t opens = fresh & quotes & inside & ~(before << 1 | begins_), goes_on = fresh & closed & ~before;
    if (opens != 0) opens &= ~(matches(block, detail::json::byte_order_mark.back()) << 1);
    if (goes_on != 0) goes_on &= ~matches(block, '\r');
    const std::uint64_t wrong = opens | goes_on;
    std::uint64_t marks = (feeds | (commas & ~inside)) & fresh & ((wrong & (0 - wrong)) - 1);
    for (; marks != 0; marks &= marks - 1) {
      const std::size_t at = block_ + static_cast<std::size_t>(std::countr_zero(marks));
      const bool is_inside = (inside & marks & (0 - marks)) != 0;
      if (is_inside) ++lines_;
      else if (text_[at] == '\n') end_row(at);
      else if (row_.ends.size() + 1 < most_cells) row_.ends.push_back(at);
    }
    if (wrong != 0) return seen_ = block_ + static_cast<std::size_t>(std::countr_zero(wrong)), false;
    seen_ = block_ + size;
    if (size < 64) return true;
    block_ = seen_;
    inside_ = 0 - (inside >> 63);
    begins_ = (before | matches(block, detail::json::byte_order_mark.back())) >> 63;
    closed_ = (quotes & ~inside) >> 63;
    return true;
  }

  /// The row ends at this line's end.
  void end_row(std::size_t at) {
    const bool has_return = at > row_.offset && text_[at - 1] == '\r';
    row_.size = at - row_.offset - (has_return ? 1 : 0);
    row_.ends.push_back(row_.offset + row_.size);
    const std::size_t next = row_.number + std::exchange(lines_, 0) + 1;
    rows_.push_back(std::exchange(row_, {.number = next, .offset = at + 1}));
  }
  /// What was seen of the row, which is not a row, ends at `end`.
  void break_row(std::size_t end) {
    row_.ends.clear();
    row_.size = std::string_view(text_).substr(0, end).find_last_not_of("\r\n") + 1 - row_.offset;
    const std::string_view whole = std::string_view(text_).substr(row_.offset, end - row_.offset);
    const std::size_t next = row_.number + static_cast<std::size_t>(std::ranges::count(whole, '\n'));
    rows_.push_back(std::exchange(row_, {.number = next, .offset = end}));
    block_ = seen_ = end;
    inside_ = closed_ = lines_ = 0;
    begins_ = 1;
    is_broken_ = false;
  }

  std::string text_{};
  std::vector<CsvRow> rows_{};
  CsvRow row_{.number = 1};   ///< that has not ended
  std::size_t lines_ = 0;     ///< that ended within it
  std::size_t dropped_ = 0;   ///< bytes before the text
  std::size_t gone_ = 0;      ///< bytes of the text that were taken
  std::size_t block_ = 0;     ///< the next one
  std::size_t seen_ = 0;      ///< up to here, the text was looked at
  std::uint64_t inside_ = 0;  ///< as of the block: all bits if it begins within quotes
  std::uint64_t begins_ = 1;  ///< a cell may begin with it
  std::uint64_t closed_ = 0;  ///< a quote before it closed a cell
  bool is_broken_ = false;    ///< a quote on the row's first line is wrong
};

/// Copies what a cell contains, and gives where it ends. 16 more bytes are written; those of the cell's text that follow it
/// can be read up to `readable`.
inline char* copy_cell(std::string_view cell, const char* readable, char* out) {
  const char* from = cell.data();
  const auto copy_to = [&](const char* to) { out = copy_run(from, to, readable - to >= 16, out); };
  if (!cell.starts_with('"')) return copy_to(from + cell.size()), out;
  const char* const last = from + cell.size() - 1;  // the quote that closes it
  ++from;
  for (const char* at = from; at < last; at += 64) {
    std::uint64_t quotes = matches(block_at(at, readable), '"');
    for (; quotes != 0; quotes &= quotes - 1) {
      const char* const quote = at + std::countr_zero(quotes);
      if (quote >= last) break;
      if (quote < from) continue;  // the second one of two
      copy_to(quote + 1);
      from = quote + 2;
    }
  }
  if (from < last) copy_to(last);
  return out;
}

}  // namespace bankhook::python
