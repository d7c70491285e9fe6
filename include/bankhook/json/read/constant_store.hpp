// SPDX-License-Identifier: MIT
// The store of a constant expression: typed pools, because raw memory cannot be used there.
#pragma once

#include <bankhook/json/element_types.hpp>
#include <bankhook/json/read/remembered_length.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::json::detail {

/// As much of std::vector as is needed here: in the debug mode of libstdc++ 12, std::vector does not work in constant
/// expressions.
template <class T>
class ConstantVector {
 public:
  constexpr ConstantVector() = default;
  explicit constexpr ConstantVector(std::size_t size) : items_(new T[size]{}), size_(size), room_(size) {}
  constexpr ConstantVector(ConstantVector&& other) noexcept { swap(other); }
  constexpr ConstantVector& operator=(ConstantVector&& other) noexcept {
    swap(other);
    return *this;
  }
  ConstantVector(const ConstantVector&) = delete;
  ConstantVector& operator=(const ConstantVector&) = delete;
  constexpr ~ConstantVector() { delete[] items_; }

  [[nodiscard]] constexpr T* data() { return items_; }
  [[nodiscard]] constexpr std::span<const T> all() const { return {items_, size_}; }
  [[nodiscard]] constexpr T* add() {
    if (size_ == room_) {
      ConstantVector larger(2 * size_ + 1);
      std::ranges::copy(all(), larger.items_);
      larger.size_ = size_;
      swap(larger);
    }
    return &items_[size_++];
  }

 private:
  constexpr void swap(ConstantVector& other) {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }

  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

/// The elements of all arrays of one type, after one another. `Items` is a vector while measuring, then an array.
template <class T, class Items>
struct Pool {
  using Element = T;
  Items items{};
  std::size_t used = 0;

  constexpr std::span<const T> keep(std::span<const T> elements) {
    T* const start = items.data() + used;
    std::ranges::copy(elements, start);
    used += elements.size();
    return {start, elements.size()};
  }
};

/// Collects one array; nested ones may be finished meanwhile.
template <class ThePool>
class ConstantArray {
 public:
  using T = typename ThePool::Element;
  explicit constexpr ConstantArray(ThePool& pool) : pool_(pool) {}
  [[nodiscard]] constexpr T* add() { return elements_.add(); }
  [[nodiscard]] constexpr std::span<const T> finish() { return pool_.keep(elements_.all()); }

 private:
  ThePool& pool_;
  ConstantVector<T> elements_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail

namespace bankhook::inline BANKHOOK_ABI::json {

/// A reader's store over pools: `Characters` for decoded text, `Pools` a tuple of Pool.
template <class Characters, class Pools>
class ConstantStore {
 public:
  constexpr ConstantStore(Characters& characters, Pools& pools) : characters_(characters), pools_(pools) {}

  [[nodiscard]] static constexpr bool is_ready() { return true; }
  template <class T>
  [[nodiscard]] constexpr auto array(std::size_t) {
    return find<T, 0>();
  }
  [[nodiscard]] constexpr char* text(std::size_t size) {
    char* const start = characters_.data() + characters_used_;
    characters_used_ += size;
    return start;
  }
  constexpr void give_back_text(const char*, std::size_t bytes) { characters_used_ -= bytes; }
  [[nodiscard]] constexpr RememberedLength& length(std::size_t) { return length_; }
  [[nodiscard]] constexpr std::size_t characters_used() const { return characters_used_; }

 private:
  template <class T, std::size_t I>
  constexpr auto find() {
    using ThePool = std::tuple_element_t<I, Pools>;
    if constexpr (std::is_same_v<typename ThePool::Element, T>) return detail::ConstantArray<ThePool>(std::get<I>(pools_));
    else return find<T, I + 1>();
  }

  Characters& characters_;
  Pools& pools_;
  std::size_t characters_used_ = 0;
  RememberedLength length_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::json
