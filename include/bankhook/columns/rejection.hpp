// SPDX-License-Identifier: MIT
// Why a line is in no table but that of rejected lines.
#pragma once

#include <bankhook/columns/derived.hpp>
#include <bankhook/columns/rows.hpp>
#include <bankhook/events/archive/line_reader.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/json/recover/path.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI::columns {

/// A line of more bytes is in no batch: offsets of Arrow's texts and lists have 31 bits.
inline constexpr std::size_t max_line_size = std::size_t{1} << 30;

/// A rejection that owns its texts.
struct Rejection {
  std::string_view rule{};
  std::string path = "$";
  nullable<std::int64_t> offset{};
  std::string expected{};
  std::string found{};
};

/// Looks for the first value that no column holds; `path` leads to it then, and `rejection` says the rest.
template <class V>
[[nodiscard]] bool find_unfit(const V& value, const ColumnOptions& options, std::string& path, Rejection& rejection) {
  if constexpr (!may_not_fit<V>) {
    return false;
  } else if constexpr (reflect::OptionalValue<V>) {
    return value && find_unfit(*value, options, path, rejection);
  } else if constexpr (reflect::Array<V>) {
    const std::size_t size = path.size();
    for (std::size_t i = 0; i < value.size(); ++i) {
      json::append_index(path, i);
      if (find_unfit(value[i], options, path, rejection)) return true;
      path.resize(size);
    }
    return false;
  } else if constexpr (reflect::Structure<V>) {
    const std::size_t size = path.size();
    return !reflect::for_each_field<V>([&]<std::size_t I>() {
      const auto& name = reflect::wire_name<V, I>;
      json::append_name(path, name.view());
      if (find_unfit(reflect::field<I>(value), options, path, rejection)) return false;
      path.resize(size);
      return true;
    });
  } else {
    if (fits(value, options)) return false;
    if constexpr (std::is_same_v<V, Decimal>) {
      rejection.rule = "decimal_fits_column";
      rejection.expected = "a number of at most 38 digits, " + std::to_string(options.scale) + " of them after the point";
      rejection.found = "more digits";
    } else {
      const bool is_micro = options.unit == TimeUnit::microseconds;
      rejection.rule = "timestamp_fits_column";
      rejection.expected = is_micro ? "a time with at most six fraction digits" : "a time in the years 1678 to 2261";
      rejection.found = is_micro ? "more digits" : "another year";
    }
    return true;
  }
}

/// Why `line` is rejected: the first error of `diagnose`, or the value that a column cannot hold. A template, like others
/// here, so that including it without using it costs next to nothing.
template <class = void>
[[nodiscard]] Rejection rejection_of(const ArchiveLine& line, const ColumnOptions& options) {
  Rejection rejection;
  if (line.event) {
    const auto find = [&](const auto& event) { return find_unfit(event, options, rejection.path, rejection); };
    if (std::visit(find, *line.event)) return rejection;
    return {.rule = "line_fits_column", .expected = "a line of at most 1 GiB", .found = "a longer one"};
  }
  for (const Finding& finding : diagnose(line.raw)) {
    if (finding.severity != Severity::error) continue;
    rejection = {.rule = name_of(finding.rule), .path = finding.path, .expected = finding.expected, .found = finding.found};
    if (finding.offset) rejection.offset = static_cast<std::int64_t>(*finding.offset);
    break;
  }
  return rejection;
}

}  // namespace bankhook::inline BANKHOOK_ABI::columns
