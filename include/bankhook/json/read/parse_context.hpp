// SPDX-License-Identifier: MIT
// The text that is read: its bounds, the first error, and windows that may be read beyond the end without touching it.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::json {

/// Bytes after any position that the reader may look at at once: a key with its punctuation and 64 bytes of text.
inline constexpr std::size_t window_size = 128;

/// How many objects and arrays may be open at once, counted from the start of the payload: one more is an error, so that no
/// payload can exhaust the stack.
inline constexpr std::size_t max_depth = 1024;

/// What every reading function gets, with the position as a value of its own (it stays in a register).
/// Such a function returns the position after what it read, or nullptr after `fail`.
/// `Store` is where decoded text and arrays go: an ArenaStore, or a reference to its twin for constant expressions.
template <class Store>
class ParseContext {
 public:
  /// `readable_after`: bytes after the text that may be read, whatever they hold.
  /// Without memory for the store, the text is an empty one with that error.
  constexpr ParseContext(std::string_view text, Store&& storage, std::size_t readable_after = 0)
      : begin(text.data()),
        end(text.data() + (storage.is_ready() ? text.size() : 0)),
        store(static_cast<Store&&>(storage)) {
    std::size_t readable = text.size() + readable_after;
    if (!store.is_ready()) [[unlikely]] {
      fail(Errc::out_of_memory, begin);
      readable = 0;
    }
    windows_end_ = readable < window_size ? begin : begin + (readable - window_size) + 1;
    if (windows_end_ > end) windows_end_ = end + 1;
    if !consteval {
      copy_tail();
    }
  }
  ParseContext(const ParseContext&) = delete;
  ParseContext& operator=(const ParseContext&) = delete;

  const char* const begin;
  const char* const end;
  Store store;
  Error error{};
  std::size_t depth = 0;   ///< objects and arrays that are open around the current value
  bool has_space = false;  ///< white space may have been skipped
  /// How much white space there was the last time, before a field and elsewhere: guesses, which cost only time.
  std::size_t spaces_before_field = 0;
  std::size_t spaces_elsewhere = 0;
  /// There is something that `diagnose` reports although it is read: an unlisted field, null for a field that may only be
  /// absent, a fraction of other digits than the form has.
  bool has_notes = false;
  /// A missing field is null or an empty array, if it can be: for values that were stored before it was added.
  bool missing_is_null = false;

  /// The same bytes as at `p`, of which `window_size` can be read; after the end they are zero or, where the
  /// caller vouched for readable bytes, whatever lies there. Not for constant expressions.
  [[nodiscard]] BANKHOOK_INLINE const char* window(const char* p) const {
    if (p < windows_end_) [[likely]]
      return p;
    return reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(p) + to_tail_);
  }

  /// The byte at `p`, or 0 at the end.
  [[nodiscard]] constexpr char peek(const char* p) const { return p < end ? *p : '\0'; }

  /// Bytes from the start to `p`, at most to the end.
  [[nodiscard]] constexpr std::size_t offset(const char* p) const {
    return static_cast<std::size_t>(std::min(p, end) - begin);
  }

  /// Forgets what was found, for another reading of the text.
  constexpr void restart() {
    error = {};
    depth = 0;
    has_space = false;
    has_notes = false;
  }

  /// Takes down the first fault, at `p` or, where the text ran out, at its end. Always nullptr.
  BANKHOOK_COLD constexpr const char* fail(Errc code, const char* p, std::string_view field = {}) {
    if (error.code == Errc::none) {
      error = {.code = code, .or_null = false, .offset = offset(p), .field = field};
    }
    return nullptr;
  }
  /// As `fail`, but `truncated` where the text has ended.
  BANKHOOK_COLD constexpr const char* fail_or_end(Errc code, const char* p) {
    return fail(p < end ? code : Errc::truncated, p);
  }

 private:
  /// The last bytes are read from a copy with zeros after them. No prediction goes further than a window beyond the end,
  /// because there it finds zeros. With spare bytes after the text, nothing is copied.
  void copy_tail() {
    using simd::Block32;
    char* const tail_end = tail_ + window_size;
    for (std::size_t at = 0; at < 2 * window_size; at += sizeof(Block32)) Block32::repeat(0).store(tail_end + at);
    to_tail_ = reinterpret_cast<std::uintptr_t>(tail_end) - reinterpret_cast<std::uintptr_t>(end);
    if (windows_end_ > end) return;
    const auto size = static_cast<std::size_t>(end - begin);
    if (size >= window_size) [[likely]] {
      for (std::size_t at = 0; at < window_size; at += sizeof(Block32))
        Block32::load(end - window_size + at).store(tail_ + at);
    } else if (size > 0) {
      std::memcpy(tail_end - size, begin, size);
    }
  }

  const char* windows_end_ = nullptr;
  std::uintptr_t to_tail_ = 0;  ///< how far the copy lies from the text
  char tail_[3 * window_size];  ///< the end of the text comes after its first third
};

template <class Store>
ParseContext(std::string_view, Store&&, std::size_t = 0) -> ParseContext<Store>;

}  // namespace bankhook::inline BANKHOOK_ABI::json
