// SPDX-License-Identifier: MIT
// One thing that is wrong with a payload: the rule, what it rests on, the place, what was expected and what was found.
#pragma once

#include <bankhook/base/evidence.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook {

/// Holds no value of the payload: `found` is a kind (`number`, `text of another form`), never an id, a hash or a name.
/// The path may hold the names of unlisted members. Owns what it does not view; the views have static storage.
struct Finding {
  std::string_view rule{};     ///< stable id: `status_equals_event_type`
  Evidence evidence{};         ///< what the rule rests on
  std::string_view section{};  ///< of the specification
  Severity severity{};         ///< `error` if `parse` rejects the payload for it
  std::string path{};          ///< `$.connection.accounts[2].id`
  std::size_t offset = 0;      ///< bytes from the begin of the payload; 0 where there is none, as behind `check`
  std::size_t line = 0;        ///< counted from 1; 0 where there is no payload
  std::size_t column = 0;      ///< characters (not bytes) from the begin of the line, counted from 1; 0 without payload
  std::string expected{};      ///< `string or null`
  std::string found{};         ///< `number`

  bool operator==(const Finding&) const = default;
};

}  // namespace bankhook
