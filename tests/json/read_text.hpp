// SPDX-License-Identifier: MIT
// Reads one JSON string in every way that the library has, and insists that all of them agree.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/json/parse.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bankhook::test {

struct OneText {
  std::string_view text;
};

struct NoMember {};

/// The string that the JSON text `json` holds, or nothing if it is rejected: read alone, where it is predicted, after
/// white space, and skipped as an unlisted field. Throws if these ways disagree.
class TextReader {
 public:
  std::optional<std::string> operator()(std::string_view json) {
    arena_.reset();
    const auto alone = detail::json::parse<std::string_view>(json, arena_);
    const std::optional<std::string> result = alone ? std::optional<std::string>(*alone) : std::nullopt;
    object_.assign("{\"text\":").append(json).append("}");
    const auto predicted = detail::json::parse<OneText>(object_, arena_);
    spaced_.assign("{ \"text\" :\n").append(json).append(" } ");
    const auto general = detail::json::parse<OneText>(spaced_, arena_);
    const auto skipped = detail::json::parse<NoMember>(object_, arena_);
    const bool agree = predicted.has_value() == result.has_value() && general.has_value() == result.has_value() &&
                       skipped.has_value() == result.has_value();
    if (!agree || (result && (predicted->text != *result || general->text != *result))) {
      throw std::logic_error("the ways to read a string disagree: " + std::string(json));
    }
    return result;
  }

 private:
  Arena arena_;
  std::string object_;
  std::string spaced_;
};

}  // namespace bankhook::test
