// SPDX-License-Identifier: MIT
// The arena: what lies in it stays where it is, and memory that it has once is used again.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace base_arena_test {

using bankhook::Arena;

namespace {

char* take(Arena& arena, std::size_t bytes, std::size_t alignment = 1) {
  return static_cast<char*>(arena.allocate(bytes, alignment));
}

}  // namespace

TEST_CASE("an arena is moved, never copied") {
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Arena>);
  STATIC_REQUIRE(std::is_nothrow_move_assignable_v<Arena>);
  STATIC_REQUIRE(!std::is_copy_constructible_v<Arena>);
  STATIC_REQUIRE(!std::is_copy_assignable_v<Arena>);
}

TEST_CASE("an arena that was never used holds no memory") {
  Arena arena;
  CHECK(arena.capacity() == 0);
  arena.reset();
  CHECK(arena.capacity() == 0);
}

TEST_CASE("an arena reserves at once what it is asked for") {
  Arena arena(100'000);
  const std::size_t reserved = arena.capacity();
  CHECK(reserved >= 100'000);
  REQUIRE(take(arena, 100'000) != nullptr);
  CHECK(arena.capacity() == reserved);
}

TEST_CASE("an allocation lies at a multiple of its alignment") {
  Arena arena;
  for (const std::size_t alignment : {1U, 2U, 4U, 8U, 16U}) {
    for (int i = 0; i < 300; ++i) {
      const auto address = reinterpret_cast<std::uintptr_t>(take(arena, 3, alignment));
      REQUIRE(address % alignment == 0);
    }
  }
}

TEST_CASE("allocations do not overlap, however large they are") {
  Arena arena;
  std::vector<std::pair<char*, std::size_t>> taken;
  for (std::size_t i = 0; i < 400; ++i) {
    const std::size_t bytes = i % 50 == 49 ? 40 * i : i % 23;
    taken.emplace_back(take(arena, bytes), bytes);
    REQUIRE(taken.back().first != nullptr);
    std::memset(taken.back().first, static_cast<int>(i % 251), bytes);
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto [begin, bytes] = taken[i];
    for (std::size_t at = 0; at < bytes; ++at) REQUIRE(begin[at] == static_cast<char>(i % 251));
  }
}

TEST_CASE("a reset arena gives out the same memory again and asks for no more") {
  Arena arena;
  const auto fill = [&] {
    for (int i = 0; i < 100; ++i) REQUIRE(take(arena, 333) != nullptr);
  };
  fill();
  const std::size_t capacity = arena.capacity();
  for (int round = 0; round < 10; ++round) {
    arena.reset();
    char* const first = take(arena, 1);
    arena.reset();
    CHECK(take(arena, 1) == first);
    fill();
    CHECK(arena.capacity() == capacity);
  }
}

TEST_CASE("the last allocation grows in place, an earlier one does not") {
  Arena arena(1000);
  char* const first = take(arena, 10);
  CHECK(arena.extend(first + 10, 10));
  char* const second = take(arena, 10);
  CHECK(second == first + 20);
  CHECK_FALSE(arena.extend(first + 20, 10));
  CHECK(arena.extend(second + 10, 10));
}

TEST_CASE("an allocation does not grow beyond its block") {
  Arena arena(1000);
  char* const first = take(arena, 10);
  CHECK_FALSE(arena.extend(first + 10, arena.capacity()));
  CHECK(take(arena, 1) == first + 10);
}

TEST_CASE("what the last allocation does not need goes back, that of an earlier one stays") {
  Arena arena(1000);
  char* const first = take(arena, 100);
  arena.give_back(first + 40, first + 100);
  char* const second = take(arena, 10);
  CHECK(second == first + 40);
  arena.give_back(first + 10, first + 40);
  CHECK(take(arena, 1) == second + 10);
}

TEST_CASE("an impossible allocation is a null pointer, not a crash, and the arena stays usable") {
  Arena arena;
  CHECK(take(arena, SIZE_MAX) == nullptr);
  CHECK(take(arena, 16) != nullptr);
}

TEST_CASE("what lies in an arena stays where it is when the arena moves") {
  Arena arena;
  char* const text = take(arena, 4);
  std::memcpy(text, "text", 4);
  Arena moved = std::move(arena);
  Arena assigned;
  assigned = std::move(moved);
  CHECK(std::memcmp(text, "text", 4) == 0);
  CHECK(take(assigned, 1) == text + 4);
}

TEST_CASE("what the reader remembers is zero at first, stays when the arena is reset, and moves with it") {
  Arena arena;
  auto* const lasting = static_cast<char*>(arena.lasting());
  CHECK(std::string_view(lasting, Arena::lasting_size) == std::string(Arena::lasting_size, '\0'));
  lasting[7] = 42;
  arena.reset();
  CHECK(lasting[7] == 42);
  Arena moved = std::move(arena);
  CHECK(static_cast<char*>(moved.lasting())[7] == 42);
}

TEST_CASE("memory that an arena lets go of keeps what lies in it, and the arena begins again") {
  Arena arena;
  char* const text = take(arena, 4);
  std::memcpy(text, "text", 4);
  *static_cast<char*>(arena.lasting()) = 42;
  const bankhook::ArenaMemory memory = arena.release();
  CHECK(arena.capacity() == 0);
  CHECK(*static_cast<char*>(arena.lasting()) == 42);
  CHECK(take(arena, 4) != text);
  CHECK(std::memcmp(text, "text", 4) == 0);
}

TEST_CASE("an arena in which nothing lies keeps its memory when asked to let it go") {
  Arena arena(1000);
  const std::size_t capacity = arena.capacity();
  {
    const bankhook::ArenaMemory memory = arena.release();
    CHECK_FALSE(memory);
  }
  CHECK(arena.capacity() == capacity);
}

TEST_CASE("memory that is assigned leaves nothing where it was, and what it replaces ends at once") {
  Arena one, other;
  static_cast<void>(take(one, 4));
  std::memcpy(take(other, 4), "text", 4);
  bankhook::ArenaMemory kept = one.release();
  bankhook::ArenaMemory later = other.release();
  kept = std::move(later);
  CHECK(kept);
  CHECK_FALSE(later);  // NOLINT(bugprone-use-after-move)
}

}  // namespace base_arena_test
