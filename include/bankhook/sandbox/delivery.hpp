// SPDX-License-Identifier: MIT
// A delivery: the bytes that reach the consumer, the event they were made of, and the label if they were touched.
#pragma once

#include <bankhook/sandbox/fault.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace bankhook {

/// Views into the sandbox, valid until its next call.
struct Delivery {
  std::string_view payload{};    ///< what the consumer gets
  std::string_view original{};   ///< the payload of the same event as the service meant it
  std::uint64_t number = 0;      ///< number of the event in the history, counted from 0; a gap is a drop
  std::optional<Fault> fault{};  ///< nothing where neither this delivery nor an earlier one that shows here was touched
};

}  // namespace bankhook
