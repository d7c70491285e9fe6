// SPDX-License-Identifier: MIT
// Where decoded text and arrays live: memory that is handed out in order and taken back all at once.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

/// One piece of memory; the bytes follow the head.
struct alignas(std::max_align_t) ArenaBlock {
  ArenaBlock* next;
  std::size_t size;
  [[nodiscard]] char* begin() { return reinterpret_cast<char*>(this + 1); }
};

}}}  // namespace bankhook::BANKHOOK_ABI::detail

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Memory that an arena gave up: its contents stay valid as long as this lives.
class ArenaMemory {
 public:
  constexpr ArenaMemory() = default;
  ArenaMemory(ArenaMemory&& other) noexcept : first_(std::exchange(other.first_, nullptr)) {}
  /// Frees what it held. Not by value: a class with such a field would then pass for one that can be copied.
  ArenaMemory& operator=(ArenaMemory&& other) noexcept {
    ArenaMemory taken(std::move(other));
    std::swap(first_, taken.first_);
    return *this;
  }
  constexpr ~ArenaMemory() {
    while (first_ != nullptr) ::operator delete(std::exchange(first_, first_->next));
  }
  /// Whether it holds any memory.
  [[nodiscard]] explicit operator bool() const { return first_ != nullptr; }

 private:
  friend class Arena;
  detail::ArenaBlock* first_ = nullptr;
};

/// Bump allocation in blocks that are kept until the arena dies. Everything that was parsed into an arena is valid until
/// `reset()` or the destructor. After the largest payload was seen once, `reset()` and parsing again allocate nothing.
/// Not for use by two threads at once. Moving an arena moves no memory: what lies in it stays valid.
class Arena {
 public:
  constexpr Arena() = default;
  /// Reserves `bytes` at once (or later, if there is no memory now).
  explicit Arena(std::size_t bytes) { static_cast<void>(add_block(bytes)); }
  Arena(Arena&& other) noexcept { *this = std::move(other); }
  Arena& operator=(Arena&& other) noexcept {
    std::swap(memory_.first_, other.memory_.first_);
    std::swap(current_, other.current_);
    std::swap(top_, other.top_);
    std::swap(limit_, other.limit_);
    std::swap(lasting_, other.lasting_);
    return *this;
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// `bytes` bytes at a multiple of `alignment` (a power of two up to alignof(max_align_t)), or nullptr: no memory.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) {
    char* const start = aligned(top_, alignment);
    if (start == nullptr || start > limit_ || bytes > static_cast<std::size_t>(limit_ - start)) [[unlikely]] {
      return next_block(bytes) ? allocate(bytes, alignment) : nullptr;
    }
    top_ = start + bytes;
    return start;
  }

  /// Makes the allocation that ends at `end` longer in place, if it is the last one and its block has room.
  [[nodiscard]] bool extend(const void* end, std::size_t bytes) {
    if (end != top_ || bytes > static_cast<std::size_t>(limit_ - top_)) return false;
    top_ += bytes;
    return true;
  }

  /// Takes back the unused end of an allocation: all from `unused` to `end`, if that is where the last one ends.
  void give_back(void* unused, const void* end) {
    if (end == top_) top_ = static_cast<char*>(unused);
  }

  /// Forgets everything that lies in the arena and keeps its memory and what the reader remembers.
  void reset() { enter(memory_.first_); }

  /// Lets go of the memory if anything lies in it: for owners that take a value over. The arena starts again and keeps
  /// what the reader remembers.
  [[nodiscard]] ArenaMemory release() {
    const bool unused = current_ == nullptr || (current_ == memory_.first_ && top_ == current_->begin());
    if (unused) return {};
    enter(nullptr);
    return std::move(memory_);
  }

  /// Makes room for `bytes` at once where the arena holds no memory yet; without memory, later allocations say so.
  void reserve(std::size_t bytes) {
    if (memory_.first_ == nullptr) static_cast<void>(add_block(bytes));
  }

  /// Bytes that the arena holds, used or not.
  [[nodiscard]] std::size_t capacity() const {
    std::size_t bytes = 0;
    for (const Block* block = memory_.first_; block != nullptr; block = block->next) bytes += block->size;
    return bytes;
  }

  /// Bytes for what the reader remembers from payload to payload. They are zero at first, and stay when the arena is reset
  /// or releases its memory. They are the arena's because it is used by one thread, as they are.
  static constexpr std::size_t lasting_size = 576;
  [[nodiscard]] void* lasting() { return lasting_; }

 private:
  using Block = detail::ArenaBlock;
  static constexpr std::size_t smallest_block = 4096;

  [[nodiscard]] static char* aligned(char* p, std::size_t alignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    return p + ((alignment - address % alignment) % alignment);
  }

  void enter(Block* block) {
    current_ = block;
    top_ = block == nullptr ? nullptr : block->begin();
    limit_ = block == nullptr ? nullptr : top_ + block->size;
  }

  /// The next kept block of at least `bytes`, or a new one.
  [[nodiscard]] bool next_block(std::size_t bytes) {
    while (current_ != nullptr && current_->next != nullptr) {
      enter(current_->next);
      if (current_->size >= bytes) return true;
    }
    return add_block((std::max)(bytes, smallest_block));
  }

  /// A block at the end of the chain, twice the last one's size at least; it becomes the current one.
  [[nodiscard]] bool add_block(std::size_t bytes) {
    const std::size_t size = current_ == nullptr ? bytes : (std::max)(current_->size * 2, bytes);
    if (size > SIZE_MAX - sizeof(Block)) return false;
    void* const memory = ::operator new(sizeof(Block) + size, std::nothrow);
    if (memory == nullptr) return false;
    auto* const block = ::new (memory) Block{nullptr, size};
    if (current_ == nullptr) memory_.first_ = block;
    else current_->next = block;
    enter(block);
    return true;
  }

  ArenaMemory memory_;
  Block* current_ = nullptr;
  char* top_ = nullptr;
  char* limit_ = nullptr;
  alignas(std::uint64_t) unsigned char lasting_[lasting_size]{};
};

namespace detail {

/// The arena, which has to outlive what is read into it: functions take any, so that the compiler says what is wrong with
/// it.
template <class Memory>
[[nodiscard]] constexpr Arena& kept(std::remove_reference_t<Memory>& arena) {
  static_assert(std::is_same_v<Memory, Arena&>, "keep the arena in a variable that is not const: it holds what is read");
  return const_cast<Arena&>(arena);
}

}  // namespace detail

}}  // namespace bankhook::BANKHOOK_ABI
