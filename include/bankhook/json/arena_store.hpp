// SPDX-License-Identifier: MIT
// The arena as a reader's store: arrays of unknown length grow in it, in place while they are the last thing there.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

namespace bankhook::json {

/// Collects elements that are read in place. Growing moves this array alone; what its elements point to stays.
template <class T>
class ArrayBuilder {
  static_assert(std::is_trivially_copyable_v<T>, "an_element_of_a_payload_is_trivially_copyable");

 public:
  /// `likely`: how many elements there probably are.
  BANKHOOK_INLINE ArrayBuilder(Arena& arena, std::size_t likely) : arena_(arena) {
    reserve_first(std::clamp<std::size_t>(likely, 1, most_at_once));
  }

  /// A new, empty element at the end, or nullptr: no memory. Valid until the next call.
  [[nodiscard]] BANKHOOK_INLINE T* add() {
    if (size_ == capacity_ && !grow()) [[unlikely]]
      return nullptr;
    return ::new (data_ + size_++) T();
  }

  /// The array; what was reserved too much goes back to the arena if nothing lies behind it.
  [[nodiscard]] BANKHOOK_INLINE std::span<const T> finish() {
    arena_.give_back(data_ + size_, data_ + capacity_);
    return {data_, size_};
  }

 private:
  static constexpr std::size_t most_at_once = 64;

  BANKHOOK_INLINE void reserve_first(std::size_t count) {
    data_ = static_cast<T*>(arena_.allocate(count * sizeof(T), alignof(T)));
    capacity_ = data_ == nullptr ? 0 : count;
  }

  BANKHOOK_NOINLINE bool grow() {
    const std::size_t more = std::max<std::size_t>(capacity_, 4);
    if (data_ != nullptr && arena_.extend(data_ + capacity_, more * sizeof(T))) {
      capacity_ += more;
      return true;
    }
    auto* const larger = static_cast<T*>(arena_.allocate((capacity_ + more) * sizeof(T), alignof(T)));
    if (larger == nullptr) return false;
    if (size_ > 0) std::memcpy(static_cast<void*>(larger), data_, size_ * sizeof(T));
    data_ = larger;
    capacity_ += more;
    return true;
  }

  Arena& arena_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// The arena as a reader's store.
class ArenaStore {
 public:
  template <class T>
  using Array = ArrayBuilder<T>;

  explicit ArenaStore(Arena& arena) : arena_(&arena) {}
  template <class T>
  [[nodiscard]] BANKHOOK_INLINE ArrayBuilder<T> array(std::size_t likely) {
    return {*arena_, likely};
  }
  /// Room for `size` characters, or nullptr: no memory.
  [[nodiscard]] char* text(std::size_t size) { return static_cast<char*>(arena_->allocate(size, 1)); }
  /// `count` empty texts, or none: no memory.
  [[nodiscard]] std::span<std::string_view> names(std::size_t count) {
    auto* const names =
        static_cast<std::string_view*>(arena_->allocate(count * sizeof(std::string_view), alignof(std::string_view)));
    if (names == nullptr) return {};
    for (std::size_t i = 0; i < count; ++i) ::new (names + i) std::string_view();
    return {names, count};
  }
  void give_back_text(char* unused, std::size_t bytes) { arena_->give_back(unused, unused + bytes); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t& length(std::size_t slot) { return arena_->lengths()[slot]; }

 private:
  Arena* arena_;
};

}  // namespace bankhook::json
