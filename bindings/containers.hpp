// SPDX-License-Identifier: MIT
// Payloads out of what contains them: JSON, through its arrays and texts, cells of CSV, base64.
#pragma once

#include "archive_elements.hpp"
#include "csv_rows.hpp"
#include "envelopes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {

/// A step of a path: to the field of this name or, without one, to each element.
using Step = std::optional<std::string>;

/// The steps of `Records[].body`. An empty path leads to the field whose name is empty.
inline std::vector<Step> steps_of(std::string_view path) {
  std::vector<Step> steps;
  for (bool is_last = false; !is_last;) {
    std::string_view name = path.substr(0, path.find('.'));
    is_last = name.size() == path.size();
    path.remove_prefix(name.size() + (is_last ? 0 : 1));
    std::size_t arrays = 0;
    for (; name.ends_with("[]"); ++arrays) name.remove_suffix(2);
    if (!name.empty() || arrays == 0) steps.emplace_back(name);
    steps.resize(steps.size() + arrays);
  }
  return steps;
}

/// Leaves out the start of an element.
inline void move_on(Element& element, std::string_view start) {
  element.place += start.size();
  if (start.contains('\n')) {
    const std::size_t line = start.rfind('\n') + 1;
    element.number += static_cast<std::size_t>(std::ranges::count(start, '\n'));
    element.column = element.before = 0;
    start.remove_prefix(line);
  }
  element.column += detail::text::count_characters(start);
  element.before += start.size();
}

/// What a cell of CSV contains.
inline std::string contents_of(std::string_view cell, const char* readable) {
  std::string text(cell.size() + 16, '\0');
  text.resize(static_cast<std::size_t>(copy_cell(cell, readable, text.data()) - text.data()));
  return text;
}

/// Takes payloads out of what contains them, and puts them one after the other, a line's end after each.
class Unwrapper {
 public:
  Unwrapper() = default;
  /// @param at the path of the payloads; nothing if they are whole lines or cells
  /// @param keep the paths of texts that are kept beside a payload, through the arrays that its own path goes through
  Unwrapper(const std::optional<std::string>& at, bool is_base64, const std::vector<std::string>& keep)
      : is_base64_(is_base64), kept_(keep.size()) {
    if (at) steps_ = steps_of(*at);
    has_arrays_ = std::ranges::find(steps_, Step()) != steps_.end();
    for (const std::string& path : keep) {
      const std::size_t end = path.rfind("[]");
      const auto arrays = end == path.npos ? std::vector<Step>() : steps_of(std::string_view(path).substr(0, end + 2));
      const bool is_beside = arrays.size() <= steps_.size() && std::equal(arrays.begin(), arrays.end(), steps_.begin());
      keep_.emplace_back(is_beside ? arrays.size() : nowhere,
                         path.substr(end == path.npos ? 0 : std::min(end + 3, path.size())));
    }
  }

  /// The next payloads go to `out`, which has room for what they are in and 64 bytes more. They are in a text after which
  /// bytes can be read up to `readable`.
  void begin(char* out, std::vector<Element>& elements, const char* readable) {
    out_ = begin_ = out;
    elements_ = &elements;
    readable_ = readable;
  }
  /// How many bytes were put there.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(out_ - begin_); }
  /// Whether something was where the path leads.
  [[nodiscard]] bool has_found() const { return has_found_; }

  /// Takes what a line or an element contains, which begins at `where`; the whole if nothing is at the path.
  void take(std::string_view envelope, const Element& where) {
    begin_envelope(envelope, where);
    keep_texts(0, envelope);
    const char* const end = envelope.data() + envelope.size();
    detail::json::ParseContext in(envelope, arena_, static_cast<std::size_t>(readable_ - end));
    if (steps_.empty()) {
      place_ = envelope.data();
      take_text(envelope, 0);
    } else {
      follow(in, detail::json::skip_to_value(in), 0);
    }
    if (!is_found_) add_whole(envelope);
  }

  /// The same for the cell with this index in a row; of those with the indices `kept` the text is kept.
  void take_row(std::string_view row, const Element& where, std::span<const std::string_view> cells, std::size_t index,
                std::span<const std::size_t> kept) {
    begin_envelope(row, where);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const bool has_text = kept[i] < cells.size() && !cells[kept[i]].empty();
      kept_[i] = has_text ? std::make_shared<const std::string>(contents_of(cells[kept[i]], readable_)) : nullptr;
    }
    if (index < cells.size()) {
      place_ = cells[index].data() + (cells[index].starts_with('"') ? 1 : 0);
      is_verbatim_ = true;
      if (steps_.empty() && !is_base64_) take_text({out_, copy_cell(cells[index], readable_, out_)}, 0);
      else take_text(cells[index].starts_with('"') ? contents_of(cells[index], readable_) : cells[index], 0);
    }
    if (!is_found_) add_whole(row);
  }

 private:
  static constexpr std::size_t nowhere = std::string::npos;

  void begin_envelope(std::string_view envelope, const Element& where) {
    arena_.reset();
    at_ = where;
    cursor_ = envelope.data();
    place_ = nullptr;
    index_ = 0;
    open_arrays_ = 0;
    is_found_ = is_broken_ = is_verbatim_ = false;
  }

  /// Keeps the texts that lie after so many steps of the path.
  void keep_texts(std::size_t steps, std::string_view text) {
    for (std::size_t i = 0; i < keep_.size(); ++i) {
      const auto& [after, path] = keep_[i];
      if (after >= steps) kept_[i] = after == steps ? kept_text(text, path, arena_) : nullptr;
    }
  }

  /// Follows the path from this step and from the value at `p` on. Gives where the value ends; nullptr if it does not, or
  /// if nobody has to know.
  const char* follow(detail::json::ParseContext& in, const char* p, std::size_t step) {
    const char first = in.peek(p);
    if (first == '"') return follow_text(in, p, step);
    if (step == steps_.size()) {
      const char* const end = skip_enveloped(in, p);
      if (end != nullptr) add({p, end});
      return end;
    }
    if (first == '[' && !steps_[step]) return follow_elements(in, p, step + 1);
    if (first != '{' || !steps_[step]) return skip_enveloped(in, p);
    bool is_passed = false;
    return visit_fields(in, p, [&](std::string_view name, const char* value) {
      if (is_passed || name != *steps_[step]) return skip_enveloped(in, value);
      is_passed = true;
      has_found_ = has_found_ || step + 1 == steps_.size();
      const char* const end = follow(in, value, step + 1);
      return open_arrays_ > 0 ? end : nullptr;
    });
  }

  const char* follow_text(detail::json::ParseContext& in, const char* p, std::size_t step) {
    const bool is_last = step == steps_.size() && !is_base64_;
    const char* end = is_last ? p : end_of_value(in, p);
    if (end == nullptr) return end;
    std::string decoded;
    std::string_view text(p + 1, is_last ? p + 1 : end - 1);
    if (is_last || text.contains('\\')) {
      if (!is_last) decoded.resize(text.size() + 16);
      char* const begin = is_last ? out_ : decoded.data();
      char* to = begin;
      const char* const last = decode_text(in, p + 1, to);
      if (is_last) end = last != nullptr ? last : end_of_value(in, p);
      if (last == nullptr) return end;
      text = {begin, to};
    }
    const char* const place = std::exchange(place_, place_ == nullptr ? p + 1 : place_);
    take_text(text, step);
    place_ = place;
    return end;
  }

  /// Each element is a value of its own: if nothing is at the path, it is taken whole; so is what is left if there is no
  /// next one and no end.
  const char* follow_elements(detail::json::ParseContext& in, const char* p, std::size_t step) {
    ++open_arrays_;
    p = detail::json::skip_space(in, p + 1);
    while (p != nullptr && in.peek(p) != ']') {
      const char* const element = p;
      keep_texts(step, {element, in.end});
      is_found_ = false;
      const char* const end = follow(in, element, step);
      p = end == nullptr ? end : detail::json::skip_space(in, end);
      const bool goes_on = p != nullptr && (in.peek(p) == ',' || in.peek(p) == ']');
      if (!is_found_) add_whole({element, goes_on ? end : in.end});
      else if (!goes_on && !is_broken_) add_whole({in.end, 0});
      is_broken_ = is_broken_ || !goes_on;
      if (!goes_on) p = nullptr;
      else if (*p == ',' && in.peek(p = detail::json::skip_space(in, p + 1)) == ']') add_whole({p, 0});
    }
    --open_arrays_;
    is_found_ = has_found_ = true;
    return p == nullptr ? p : p + 1;
  }

  /// Goes on within a text, or takes it.
  void take_text(std::string_view text, std::size_t step) {
    std::string decoded;
    if (is_base64_) {
      if (step < steps_.size()) decoded.resize(text.size() + 1);
      char* const to = step < steps_.size() ? decoded.data() : out_;
      if (const auto size = decode_base64(text, to)) text = {to, *size};
      else if (steps_.empty() && !is_verbatim_) return;  // a line that is no base64
    }
    if (step < steps_.size()) {
      detail::json::ParseContext in(text, arena_);
      follow(in, detail::json::skip_to_value(in), step);
    } else {
      add(without_head(text));
    }
  }

  /// Adds what has nothing at the path.
  void add_whole(std::string_view text) {
    const bool had_found = has_found_;
    if (open_arrays_ == 0) place_ = nullptr;
    add(text);
    has_found_ = had_found;
  }

  /// Adds a payload that begins in the envelope, unless `place_` says where it does; or that is at `out_` already.
  void add(std::string_view payload) {
    const char* const place = place_ == nullptr ? payload.data() : place_;
    move_on(at_, {cursor_, place});
    cursor_ = place;
    if (payload.data() != out_) std::memmove(out_, payload.data(), payload.size());
    if (place_ != nullptr && !is_verbatim_) {  // of a text, whose ends of lines are not those of the archive
      for (const char end : {'\n', '\r'}) {
        const std::span<char> text(out_, payload.size());
        if (std::string_view(out_, payload.size()).contains(end)) std::ranges::replace(text, end, ' ');
      }
    }
    Element& element = elements_->emplace_back(at_);
    element.offset = size();
    element.size = payload.size();
    element.kept = kept_;
    if (has_arrays_) element.index = index_++;
    out_ += payload.size();
    *out_++ = '\n';
    is_found_ = has_found_ = true;
  }

  std::vector<Step> steps_{};
  bool is_base64_ = false;
  bool has_arrays_ = false;
  std::vector<std::pair<std::size_t, std::string>> keep_{};  ///< after how many steps of the path, and how to go on there
  std::vector<KeptText> kept_{};
  Arena arena_{};
  char *begin_ = nullptr, *out_ = nullptr;
  const char* readable_ = nullptr;
  std::vector<Element>* elements_ = nullptr;
  Element at_{};                  ///< the last place in the envelope
  const char* cursor_ = nullptr;  ///< it
  const char* place_ = nullptr;   ///< of the text that the value is in; null if it is in none
  std::size_t index_ = 0;         ///< of the next payload in the envelope
  std::size_t open_arrays_ = 0;   ///< whose elements are followed
  bool is_found_ = false;         ///< something was taken of the envelope, or of the element
  bool has_found_ = false;        ///< something was at the path of any, perhaps in part
  bool is_broken_ = false;        ///< an array of the envelope has no end
  bool is_verbatim_ = false;      ///< the payload's lines are those of the archive
};

}  // namespace bankhook::python
