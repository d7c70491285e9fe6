// SPDX-License-Identifier: MIT
// Where in a text a byte offset is, for people: line, column and the path of the value there. Slow, for errors only.
#pragma once

#include <bankhook/json/path.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook {

/// A place in a payload.
struct Place {
  std::size_t line = 1;    ///< counted from 1
  std::size_t column = 1;  ///< characters (not bytes) from the begin of the line, counted from 1
  std::string path = "$";  ///< `$.connection.accounts[2].id`; the object itself where a member is missing or misnamed
};

}  // namespace bankhook

namespace bankhook::json::detail {

/// Follows the brackets and names of a text, right or wrong, up to a byte.
class PathWalker {
 public:
  explicit PathWalker(std::string_view text, std::size_t offset) : text_(text), offset_(offset) {
    while (at_ < offset_) step();
    const bool closes = offset_ < text_.size() && (text_[offset_] == '}' || text_[offset_] == ',');
    if (closes && !levels_.empty() && levels_.back().is_object) levels_.back().name = {};
  }

  [[nodiscard]] std::string path() const {
    std::vector<Step> steps;
    for (const Level& level : levels_) {
      if (!level.is_object) steps.push_back({.kind = Step::Kind::index, .index = level.index});
      else if (level.name.data() != nullptr) steps.push_back({.kind = Step::Kind::name, .name = level.name});
      else break;
      if (steps.size() > most_steps) break;
    }
    return path_of(steps);
  }

 private:
  struct Level {
    bool is_object = false;
    std::string_view name{};
    std::size_t index = 0;
  };
  static constexpr std::size_t most_levels_named = 2048;

  void step() {
    const char c = text_[at_++];
    if (c == '"') string();
    else if (c == '{' || c == '[') open(c == '{');
    else if (c == '}' || c == ']') close();
    else if (c == ',' && !levels_.empty() && unnamed_ == 0) next();
  }

  void string() {
    const std::size_t start = at_;
    while (at_ < offset_ && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2U : 1U;
    if (at_ >= offset_) return;  // the place is inside of it
    const bool is_name =
        unnamed_ == 0 && !levels_.empty() && levels_.back().is_object && levels_.back().name.data() == nullptr;
    if (is_name) levels_.back().name = text_.substr(start, at_ - start);
    ++at_;
  }

  void open(bool is_object) {
    if (levels_.size() == most_levels_named) ++unnamed_;
    else levels_.push_back({.is_object = is_object});
  }
  void close() {
    if (unnamed_ > 0) --unnamed_;
    else if (!levels_.empty()) levels_.pop_back();
  }
  void next() {
    levels_.back().name = {};
    ++levels_.back().index;
  }

  std::string_view text_;
  std::size_t offset_;
  std::size_t at_ = 0;
  std::vector<Level> levels_{};
  std::size_t unnamed_ = 0;
};

}  // namespace bankhook::json::detail

namespace bankhook {

/// The place of byte `offset` (at most the size) in `text`, which need not be JSON.
[[nodiscard]] inline Place locate(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  Place place;
  for (const char c : text.substr(0, offset)) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (c == '\n') ++place.line, place.column = 1;
    else if (!continues) ++place.column;
  }
  place.path = json::detail::PathWalker(text, offset).path();
  return place;
}

}  // namespace bankhook
