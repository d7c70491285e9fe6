// SPDX-License-Identifier: MIT
// The arena as a reader's store: arrays of unknown length grow in it, in place while they are the last thing there.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/json/read/remembered_length.hpp>
#include <bankhook/reflect/value_initialized.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::json {

/// Collects elements that are read in place. Growing moves this array alone; what its elements point to stays.
template <class T>
class ArrayBuilder {
  static_assert(std::is_trivially_copyable_v<T>, "an_element_of_a_payload_is_trivially_copyable");

 public:
  /// `likely`: how many elements there probably are.
  BANKHOOK_INLINE ArrayBuilder(Arena& arena, std::size_t likely) : arena_(arena) {
    reserve_first(std::clamp<std::size_t>(likely, 1, max_at_once));
  }

  /// A new, empty element at the end, or nullptr: no memory. Valid until the next call.
  [[nodiscard]] BANKHOOK_INLINE T* add() {
    if (next_ == limit_ && !grow()) [[unlikely]]
      return nullptr;
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

  BANKHOOK_INLINE void reserve_first(std::size_t count) {
    data_ = static_cast<T*>(arena_.allocate(count * sizeof(T), alignof(T)));
    next_ = data_;
    limit_ = data_ == nullptr ? data_ : data_ + count;
  }

  BANKHOOK_INLINE bool grow() {
    const auto [data, limit] = more_room(arena_, data_, limit_);
    if (data == nullptr) return false;
    next_ = data + (next_ - data_);
    data_ = data;
    limit_ = limit;
    return true;
  }

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
  T* data_ = nullptr;
  T* next_ = nullptr;
  T* limit_ = nullptr;
};

/// The arena as a reader's store.
class ArenaStore {
 public:
  template <class T>
  using Array = ArrayBuilder<T>;

  explicit ArenaStore(Arena& arena)
      : arena_(&arena), lengths_(static_cast<RememberedLengths*>(arena.lasting(sizeof(RememberedLengths)))) {}
  /// For one payload, after which nothing needs to be remembered.
  ArenaStore(Arena& arena, RememberedLengths& lengths) : arena_(&arena), lengths_(&lengths) {}
  /// Whether there was memory for what every reader needs.
  [[nodiscard]] bool is_ready() const { return lengths_ != nullptr; }
  template <class T>
  [[nodiscard]] BANKHOOK_INLINE ArrayBuilder<T> array(std::size_t likely) {
    return {*arena_, likely};
  }
  /// Room for `size` characters, or nullptr: no memory.
  [[nodiscard]] char* text(std::size_t size) { return static_cast<char*>(arena_->allocate(size, 1)); }
  void give_back_text(char* unused, std::size_t bytes) { arena_->give_back(unused, unused + bytes); }
  [[nodiscard]] BANKHOOK_INLINE RememberedLength& length(std::size_t slot) { return (*lengths_)[slot]; }
  [[nodiscard]] RememberedLengths& lengths() { return *lengths_; }

 private:
  Arena* arena_;
  RememberedLengths* lengths_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::json
