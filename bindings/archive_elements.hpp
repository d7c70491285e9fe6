// SPDX-License-Identifier: MIT
// Archives that are not one event a line: where each of their events begins and ends.
#pragma once

#include "archive_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {

/// An event of an archive, or the text found where one is expected.
struct Element {
  std::size_t number = 0;  ///< of the line on which it begins, counted from 1
  std::size_t column = 0;  ///< characters before it on that line
  std::size_t before = 0;  ///< the same in bytes
  std::size_t offset = 0;  ///< in the text that it was cut out of
  std::size_t size = 0;
  std::size_t place = 0;               ///< where it begins in the archive, in bytes
  std::optional<std::size_t> index{};  ///< among those of its line or element, if its path goes through arrays
  std::vector<std::shared_ptr<const std::string>> kept{};  ///< texts of its envelope
};

/// Cuts elements out of text that comes in pieces; each byte is looked at once. Elements are the values between `[`, commas
/// and `]`, or, outside of an array, lines, which go on while a bracket is open, and on which a further object may follow
/// an object. Nothing is left out but white space and the array's own punctuation: where an element, a comma or the end of
/// the array is missing, there is an empty element. An object that begins a line where JSON allows none, no further to the
/// right than the element around it, is an element of its own: so an element that was cut off does not swallow those after
/// it.
class ElementCutter {
 public:
  /// Takes the next piece of the text.
  void add(std::string_view piece) {
    drop(std::exchange(taken_, 0));
    if (!begun_ && elements_.empty()) drop(at_);
    text_ += piece;
    while (at_ < text_.size()) {
      if (text_.size() - at_ < 64 || !step_over_block()) step_to(std::min(at_ + 64, text_.size()));
    }
  }
  /// The text has ended.
  void finish() {
    const bool is_cut = begun_ && (nesting_.depth() > 0 || nesting_.in_string());
    break_off();
    if (std::exchange(in_array_, false) && !is_cut) elements_.push_back(empty());
  }
  /// No more of the text can be read.
  void break_off() {
    drop(std::exchange(taken_, 0));
    if (begun_) end_element();
  }

  /// The elements that were completed since the last call.
  struct Cut {
    std::size_t offset = 0;  ///< of `text` in the whole
    std::string_view text;   ///< until more is added
    std::vector<Element> elements;
  };
  [[nodiscard]] Cut take() {
    taken_ = begun_ ? element_.offset : at_;
    Cut cut{dropped_, std::string_view(text_).substr(0, taken_), std::exchange(elements_, {})};
    for (Element& element : cut.elements) element.place = dropped_ + element.offset;
    return cut;
  }

  /// Whether an element has begun and not ended.
  [[nodiscard]] bool is_within() const { return begun_; }
  [[nodiscard]] bool has_elements() const { return !elements_.empty(); }
  /// How many bytes of the text were not taken.
  [[nodiscard]] std::size_t waiting() const { return text_.size() - taken_; }
  /// How many lines were taken, the last one perhaps in part.
  [[nodiscard]] std::size_t lines() const { return number_ - (position() == line_start_ ? 1 : 0); }

 private:
  [[nodiscard]] std::size_t position() const { return dropped_ + at_; }
  [[nodiscard]] std::size_t before() const { return position() - line_start_; }
  [[nodiscard]] std::size_t column() const { return before() - continued_; }
  /// An element that begins at the position, of which nothing was seen.
  [[nodiscard]] Element empty() const { return {number_, column(), before(), at_, 0}; }

  void step_to(std::size_t end) {
    for (; at_ < end; ++at_) {
      step(text_[at_]);
      continued_ += detail::text::continues_character(text_[at_]);
    }
  }

  /// Takes 64 bytes, of which most are within texts and change nothing; false if they are damaged, so that each counts.
  bool step_over_block() {
    const auto block = detail::simd::Block64::load(text_.data() + at_);
    std::uint64_t carry = nesting_.escapes() ? 1 : 0;
    const std::uint64_t backslashes = matches(block, '\\'), feeds = matches(block, '\n');
    const std::uint64_t quotes = matches(block, '"') & ~escaped_in(backslashes, carry);
    const std::uint64_t inside = parities(quotes) ^ (0 - std::uint64_t{nesting_.in_string()});
    if (((feeds & inside) | (backslashes & ~inside)) != 0) return false;
    std::uint64_t continuing = block.below(-0x40).high();
    std::uint64_t steps = quotes | feeds | ~(inside | matches(block, ' '));
    nesting_.skip(false);  // what was escaped is not among the steps
    const std::size_t start = at_;
    for (; steps != 0; steps &= steps - 1) {
      const std::uint64_t before = (steps & (0 - steps)) - 1;
      continued_ += static_cast<std::size_t>(std::popcount(continuing & before));
      continuing &= ~before;
      at_ = start + static_cast<std::size_t>(std::countr_zero(steps));
      step(text_[at_]);
    }
    continued_ += static_cast<std::size_t>(std::popcount(continuing));
    at_ = start + 64;
    if (nesting_.in_string()) {
      nesting_.skip(carry != 0);
      std::size_t end = at_;
      while (end > start && detail::json::is_space(text_[end - 1])) --end;
      if (end > start) element_.size = end - element_.offset;
    }
    return true;
  }

  void step(char c) {
    const bool is_text = nesting_.in_string();
    if (is_text) nesting_.take(c);
    if (c == '\n') return end_line();
    if (detail::json::is_space(c)) return;
    if (!is_text && !take_punctuation(c)) take_of_element(c);
    if (begun_) element_.size = at_ + 1 - element_.offset;
    starts_line_ = false;
  }

  /// What was seen of the element, without the byte order mark of a file that was joined with others.
  [[nodiscard]] std::string_view seen() const {
    return detail::json::without_mark(std::string_view(text_).substr(element_.offset, element_.size));
  }

  /// Takes what belongs to no element: the brackets and commas of an array.
  bool take_punctuation(char c) {
    if (!in_array_) {
      in_array_ = c == '[' && (!begun_ || seen().empty());
      if (in_array_) forget_element();
      after_comma_ = false;
      return in_array_;
    }
    const bool is_comma = c == ',' && nesting_.depth() == 0;
    if (!is_comma && (c != ']' || nesting_.can_close(c))) return false;
    if (begun_) end_element();
    else if (is_comma || after_comma_) elements_.push_back(empty());
    after_comma_ = is_comma;
    in_array_ = is_comma;
    return true;
  }

  void take_of_element(char c) {
    if (begun_ && c == '{' && !in_array_ && nesting_.is_closed_object()) {
      const std::string_view text = std::string_view(text_).substr(element_.offset, element_.size);
      if (text.ends_with(detail::json::byte_order_mark))
        element_.size -= detail::json::byte_order_mark.size();  // before the next one
      end_element();
    } else if (begun_ && c == '{' && begins_element()) {
      const bool lacks_comma = nesting_.depth() == 0;
      end_element();
      if (lacks_comma) elements_.push_back(empty());
    }
    if (!std::exchange(begun_, true)) element_ = empty();
    nesting_.take(c);
  }

  /// Whether a brace here begins another element, although the one before has no end.
  [[nodiscard]] bool begins_element() const {
    return starts_line_ && column() <= element_.column && !nesting_.expects_value();
  }

  void end_line() {
    ++number_;
    line_start_ = position() + 1;
    continued_ = 0;
    starts_line_ = true;
    if (begun_ && !in_array_ && nesting_.depth() == 0) end_element();
  }

  void end_element() {
    const std::string_view text = seen();
    const std::size_t mark_size = element_.size - text.size();
    element_.offset += mark_size;
    element_.before += mark_size;
    element_.size = text.size();
    if (!text.empty() || in_array_) elements_.push_back(element_);
    forget_element();
  }

  void forget_element() {
    begun_ = false;
    nesting_ = {};
  }

  /// Forgets the start of the text.
  void drop(std::size_t size) {
    text_.erase(0, size);
    dropped_ += size;
    at_ -= size;
    element_.offset -= begun_ ? size : 0;
  }

  std::string text_;
  std::vector<Element> elements_;
  Nesting nesting_;             ///< in the element
  std::size_t dropped_ = 0;     ///< bytes before the text
  std::size_t taken_ = 0;       ///< bytes of the text
  std::size_t at_ = 0;          ///< up to here, the text was looked at
  std::size_t number_ = 1;      ///< of the line
  std::size_t line_start_ = 0;  ///< in the whole
  std::size_t continued_ = 0;   ///< bytes on the line so far that begin no character
  Element element_{};           ///< what was seen of it, but for white space after it
  bool begun_ = false;          ///< the element
  bool in_array_ = false;
  bool after_comma_ = false;
  bool starts_line_ = true;  ///< only white space lies before on the line
};

}  // namespace bankhook::python
