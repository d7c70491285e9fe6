// SPDX-License-Identifier: MIT
// A whole text becomes one value: the entrance to the reader.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/padded.hpp>
#include <bankhook/json/read/parse_context.hpp>

#include <cstddef>
#include <expected>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::json {

/// Whether nothing but white space follows `p`, where a reader stopped; false, with `in.error` set, also if it failed.
inline bool expect_end(ParseContext& in, const char* p) {
  if (p == nullptr) return false;
  if (p > in.end) in.fail(Errc::truncated, in.end);
  else if (p = skip_space(in, p); p != in.end) in.fail(Errc::trailing_text, p);
  return in.error.code == Errc::none;
}

/// Reads `in` from start to end into `out`; false, with `in.error` set, at the first fault. Surrounding white space is
/// fine.
template <class T>
bool read_all(ParseContext& in, T& out) {
  RememberedLength length;
  return expect_end(in, read_value(in, skip_space(in, in.begin), out, length));
}

/// Reads a whole text into a `T`, any type with a Codec. Views in the result point into `text` and `arena`.
template <class T>
[[nodiscard]] BANKHOOK_ENTRY std::expected<T, Error> read(std::string_view text, Arena& arena,
                                                          std::size_t readable_after = 0) {
  ParseContext in(text, arena, readable_after);
  std::expected<T, Error> result(std::in_place);
  if (!read_all(in, *result)) [[unlikely]]
    result = std::unexpected(in.error);
  return result;
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
