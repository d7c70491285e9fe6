// SPDX-License-Identifier: MIT
// A whole text becomes one value: the entrance to the reader, and texts with readable bytes after them.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/json/parse_context.hpp>

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// A payload with at least `padding` readable bytes of any content after it: a promise by the caller, made by naming
/// this type. Costs nothing and saves some 5 to 10 % on a single small event. PaddedString keeps the promise for you.
struct PaddedView : Bytes {
  /// How many bytes after a payload are read if they may be.
  static constexpr std::size_t padding = detail::json::window_size;

  constexpr explicit PaddedView(Bytes payload BANKHOOK_LIFETIMEBOUND) : Bytes(payload) { readable_after = padding; }
};

/// Owns a payload and the bytes after it that PaddedView promises. Where bytes are received anyway, receive them into one:
/// it is kept from payload to payload, and then allocates nothing.
///
///     PaddedString payload;
///     payload.fill(most, [&](char* out) { return socket.receive(out, most); });
///     const auto event = parse(payload, arena);  // views `payload`
///
/// Making and filling one may throw std::bad_alloc. A moved-from one may only be filled, assigned or destroyed.
class PaddedString {
 public:
  PaddedString() : PaddedString(std::string_view()) {}
  /// Copies `text`.
  explicit PaddedString(std::string_view text) { assign(text); }

  /// Copies `text`, which may not be a part of this. Keeps the memory that there is.
  void assign(std::string_view text) {
    fill(text.size(), [&](char* out) { return text.copy(out, text.size()); });
  }

  /// Lets `write(char* out) -> std::size_t` write at most `most` bytes to `out` and say how many they are.
  template <class Write>
  void fill(std::size_t most, Write&& write) {
    bytes_.resize_and_overwrite(most + PaddedView::padding, [&](char* out, std::size_t) {
      const std::size_t size = std::forward<Write>(write)(out);
      std::char_traits<char>::assign(out + size, PaddedView::padding, '\0');
      return size + PaddedView::padding;
    });
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size() - PaddedView::padding; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// The payload without the bytes after it; valid until this changes or is moved.
  [[nodiscard]] std::string_view text() const& BANKHOOK_LIFETIMEBOUND { return {bytes_.data(), size()}; }
  detail::keep_it_in_a_variable_because_it_is_gone_before_what_views_it text() const&&;
  /// What `parse`, `parse_as` and `is_clean` take.
  operator PaddedView() const& BANKHOOK_LIFETIMEBOUND { return PaddedView(text()); }  // NOLINT(google-explicit-constructor)
  operator PaddedView() const&& = BANKHOOK_DELETE("keep the text in a variable");     // NOLINT(google-explicit-constructor)

  friend bool operator==(const PaddedString& left, const PaddedString& right) { return left.text() == right.text(); }

 private:
  std::string bytes_;
};

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

/// Reads `in` from start to end into `out`; false, with `in.error` set, at the first fault. Surrounding white space and a
/// byte order mark before it are fine.
bool parse_all(ParseContext& in, auto& out) {
  RememberedLength length;
  return expect_end(in, read_value(in, skip_to_value(in), out, length));
}

/// Reads a whole text into a `T`, any type with a Codec. Views in the result point into `text` and `arena`.
template <class T>
[[nodiscard]] BANKHOOK_ENTRY std::expected<T, Error> parse(std::string_view text, Arena& arena,
                                                           std::size_t readable_after = 0) {
  ParseContext in(text, arena, readable_after);
  std::expected<T, Error> result(std::in_place);
  if (!parse_all(in, *result)) [[unlikely]]
    result = std::unexpected(in.error);
  return result;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
