// SPDX-License-Identifier: MIT
// What a reader works on: the text with its windows and first error, the arena, and what it remembers of each field.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/simd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

/// The reader predicts the next text or array of a field by it. A wrong guess costs time, never correctness.
class RememberedLength {
 public:
  /// Of texts: the size that the last ones had, if the next one is likely to have it; else 0.
  [[nodiscard]] std::uint8_t expected_size() const { return expected_; }
  /// Of arrays: how many elements to make room for. What is not needed of it is given back.
  [[nodiscard]] std::size_t likely_count() const { return count_; }

  /// Follows the largest arrays at once, and comes down slowly: room for too many costs less than a call for more.
  void remember_count(std::size_t count) {
    const std::size_t lower = count_ - count_ / 8U;
    count_ = static_cast<std::uint16_t>(std::min<std::size_t>((std::max)(count, lower), UINT16_MAX));
  }

  /// Of a text of another size than the expected one. Texts whose sizes vary are looked at ever more rarely: then all that
  /// is done for one is to count.
  BANKHOOK_INLINE void mispredicted(std::size_t size) {
    if (--patience_ < 0) [[unlikely]]  // one instruction for both
      learn(size);
  }

 private:
  BANKHOOK_NOINLINE void learn(std::size_t size) {
    constexpr unsigned often = 3, longest_pause = UINT8_MAX;
    if (size == last_) {
      patience_ = 0;
      if (++repeated_ < often) return;
      expected_ = last_;
      pause_ = 0;
    } else {
      last_ = static_cast<std::uint8_t>(size);
      expected_ = 0;
      patience_ = pause_;
      pause_ = static_cast<std::uint8_t>((std::min)(2U * pause_ + 1, longest_pause));
    }
    repeated_ = 0;
  }

  // All zero at first, because they lie in memory that was cleared.
  std::uint16_t count_ = 0;
  std::int16_t patience_ = 0;  ///< how many texts are to pass before one is looked at; no byte, which could alias anything
  std::uint8_t expected_ = 0;
  std::uint8_t last_ = 0;
  std::uint8_t repeated_ = 0;  ///< how many times in a row a size was that before it
  std::uint8_t pause_ = 0;     ///< how many will pass if that one is of another size again
};

/// What the reader remembers from payload to payload, in its arena. Little, because each new arena clears it.
struct Remembered {
  static constexpr std::size_t places = 64;

  std::array<RememberedLength, places> lengths;   ///< one a field
  std::array<std::uint8_t, places> next_indices;  ///< which field came after it last, by its index
};
static_assert(sizeof(Remembered) == Arena::lasting_size);

[[nodiscard]] inline Remembered& remembered_in(Arena& arena) { return *static_cast<Remembered*>(arena.lasting()); }
/// For documents, each of which has an arena of its own: guesses only, so no document shows what was read before.
[[nodiscard]] inline Remembered& remembered_by_thread() {
  constinit thread_local Remembered remembered{};
  return remembered;
}

/// The place of field `At` among them: spread by the struct's name. A shared place costs only time; the texts and arrays
/// of the two events share none.
template <class T, std::size_t At>
inline constexpr std::size_t place_of_length = [] {
  std::uint64_t value = 0;
  for (const char c : reflect::type_name<T>) value = value * 31 + static_cast<unsigned char>(c);
  return (((value * 5) >> 12) + At) % Remembered::places;
}();

/// Collects elements that are read in place. Growing moves this array alone; what its elements point to stays.
template <class T>
class ArrayBuilder {
  static_assert(std::is_trivially_copyable_v<T>, "write an element that is trivially copyable: views and plain data");

 public:
  /// `likely`: how many elements there probably are.
  BANKHOOK_INLINE ArrayBuilder(Arena& arena, std::size_t likely) : arena_(arena) {
    const std::size_t count = std::clamp<std::size_t>(likely, 1, max_at_once);
    data_ = next_ = static_cast<T*>(arena_.allocate(count * sizeof(T), alignof(T)));
    limit_ = data_ == nullptr ? data_ : data_ + count;
  }

  /// A new, empty element at the end, or nullptr: no memory. Valid until the next call.
  [[nodiscard]] BANKHOOK_INLINE T* add() {
    if (next_ == limit_) [[unlikely]] {
      const auto [data, limit] = more_room(arena_, data_, limit_);
      if (data == nullptr) return nullptr;
      next_ = data + (next_ - data_);
      data_ = data;
      limit_ = limit;
    }
    return ::new (static_cast<void*>(next_++)) T(reflect::value_initialized<T>());
  }

  /// The array; what was reserved too much goes back to the arena if nothing lies after it.
  [[nodiscard]] BANKHOOK_INLINE std::span<const T> finish() {
    arena_.give_back(next_, limit_);
    return {data_, next_};
  }

 private:
  static constexpr std::size_t max_at_once = 64;

  /// Taken by value, so that the builder itself can stay in registers.
  struct Room {
    T* data;
    T* limit;
  };

  /// Room for more than what lies, full, between `data` and `limit`; without data if there is no memory.
  BANKHOOK_NOINLINE static Room more_room(Arena& arena, T* data, T* limit) {
    const auto size = static_cast<std::size_t>(limit - data);
    const std::size_t more = std::max<std::size_t>(size, 4);
    if (data != nullptr && arena.extend(limit, more * sizeof(T))) return {data, limit + more};
    auto* const larger = static_cast<T*>(arena.allocate((size + more) * sizeof(T), alignof(T)));
    if (larger == nullptr) return {};
    if (size > 0) std::memcpy(static_cast<void*>(larger), data, size * sizeof(T));
    return {larger, larger + size + more};
  }

  Arena& arena_;
  T* data_;
  T* next_;
  T* limit_;
};

/// Bytes after any position that the reader may look at at once: a key with its punctuation and 64 bytes of text.
inline constexpr std::size_t window_size = 128;

/// How many objects and arrays may be open at once, counted from the start of the payload: one more is an error, so that no
/// payload can exhaust the stack.
inline constexpr std::size_t max_depth = 1024;

/// What every reading function gets, with the position as a value of its own (it stays in a register). To `parse` is to
/// take a whole text, to `read` one value; `follow` takes fields in a predicted order, `collect` those in any order. Such a
/// function returns the position after what it read, or nullptr after `fail`.
class ParseContext {
 public:
  /// `readable_after`: bytes after the text that may be read, whatever they hold.
  ParseContext(std::string_view text, Arena& memory, std::size_t readable_after = 0)
      : ParseContext(text, memory, readable_after, remembered_in(memory)) {}
  ParseContext(std::string_view text, Arena& memory, std::size_t readable_after, Remembered& from_before)
      : begin(text.data()), end(text.data() + text.size()), arena(memory), remembered(from_before) {
    const std::size_t readable = text.size() + readable_after;
    windows_end_ = readable < window_size ? begin : begin + (readable - window_size) + 1;
    if (windows_end_ > end) windows_end_ = end + 1;
    copy_tail();
  }
  ParseContext(const ParseContext&) = delete;
  ParseContext& operator=(const ParseContext&) = delete;

  const char* const begin;
  const char* const end;
  Arena& arena;  ///< where decoded text and arrays go
  Remembered& remembered;
  Error error{};
  std::size_t depth = 0;   ///< objects and arrays that are open around the current value
  bool has_space = false;  ///< white space may have been skipped that was not predicted
  /// How much white space there was the last time, before a field at this depth and elsewhere: guesses, which cost only
  /// time.
  [[nodiscard]] std::size_t& spaces_before_field() {
    return spaces_before_fields_[depth % std::size(spaces_before_fields_)];
  }
  std::size_t spaces_elsewhere = 0;
  /// With smaller vectors, looking ahead costs as much as it saves.
  static constexpr bool can_look_ahead = simd::largest_vector > 16;
  bool looks_ahead = false;  ///< texts whose lengths are not predicted are read by `specials_from`
  /// There is something that `diagnose` reports although it is read: an unlisted field, null for a field that may only be
  /// absent, a fraction of other digits than the form has.
  bool has_notes = false;
  /// Something is written in another form: a blank where none is needed, an escaped slash, `\u`, fields in another order,
  /// a number.
  bool has_other_form = false;

  /// Whether `serialize` writes the same bytes.
  [[nodiscard]] bool is_canonical() const { return !has_space && !has_notes && !has_other_form; }

  /// Where the length of field `At` of a `T` is remembered.
  template <class T, std::size_t At>
  [[nodiscard]] BANKHOOK_INLINE RememberedLength& length() const {
    return remembered.lengths[place_of_length<T, At>];
  }

  /// The same bytes as at `p`, of which `window_size` can be read; after the end they are zero or, where the
  /// caller vouched for readable bytes, whatever lies there.
  [[nodiscard]] BANKHOOK_INLINE const char* window(const char* p) const {
    if (p < windows_end_) [[likely]]
      return p;
    return reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(p) + to_tail_);
  }

  /// Which of the 64 bytes from `p` on end a text or are not ASCII, a bit each. They are searched for in larger blocks:
  /// where texts of varied lengths follow each other, each waits for a shift and a count, and not for a search.
  [[nodiscard]] BANKHOOK_NOINLINE std::uint64_t specials_from(const char* p) {
    std::uintptr_t at = reinterpret_cast<std::uintptr_t>(p) - specials_begin_;
    if (at >= 64 * (std::size(specials_) - 1)) {
      specials_begin_ += std::exchange(at, 0);
      for (std::uint64_t& word : specials_) {
        word = p > end ? ~std::uint64_t{0} : simd::escapes<true>(simd::Block64::load(window(p))).high();
        p += 64;
      }
    }
    const std::uint64_t* const word = specials_ + at / 64;
    return word[0] >> at % 64 | word[1] << 1 << (63 - at % 64);
  }

  /// The byte at `p`, or 0 at the end.
  [[nodiscard]] char peek(const char* p) const { return p < end ? *p : '\0'; }

  /// Bytes from the start to `p`, at most to the end.
  [[nodiscard]] std::size_t offset(const char* p) const { return static_cast<std::size_t>((std::min)(p, end) - begin); }

  /// Forgets what was found, for another reading of the text.
  void restart() {
    error = {};
    depth = 0;
    has_space = false;
    looks_ahead = false;
    has_notes = false;
    has_other_form = false;
  }

  /// Takes down the first fault, at `p` or, where the text ran out, at its end. Always nullptr.
  BANKHOOK_COLD const char* fail(Errc code, const char* p, std::string_view field = {}) {
    if (error.code == Errc::none) {
      error = {.code = code, .or_null = false, .offset = offset(p), .field = field};
    }
    return nullptr;
  }
  /// After a fault: takes down the field that it is in, unless it is in a field of that one; a text that is cut is cut in
  /// all that is open. Always nullptr.
  BANKHOOK_COLD const char* failed_in(std::string_view field) {
    if (error.field.empty() && error.code != Errc::truncated) error.field = field;
    return nullptr;
  }
  /// As `fail`, but `truncated` where the text has ended.
  BANKHOOK_COLD const char* fail_or_end(Errc code, const char* p) { return fail(p < end ? code : Errc::truncated, p); }

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

  std::size_t spaces_before_fields_[8]{};
  std::uintptr_t specials_begin_ = 0;  ///< where the bytes begin that `specials_` are of; 0: nowhere
  std::uint64_t specials_[9];
  const char* windows_end_ = nullptr;
  std::uintptr_t to_tail_ = 0;  ///< how far the copy lies from the text
  char tail_[3 * window_size];  ///< the end of the text comes after its first third
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
