// SPDX-License-Identifier: MIT
// A deep copy of any value with its own storage, for those who keep values longer than the payload they came from.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace reflect {

/// Copies everything that `value` views into `memory`, deeply: an Arena, or anything else with its `allocate`. False if
/// memory runs out; `value` then views some of its old memory.
template <class T, class Memory>
[[nodiscard]] bool move_into(T& value, Memory& memory) {
  if constexpr (Text<T>) {
    auto* const copy = static_cast<char*>(memory.allocate(value.size(), 1));
    if (copy == nullptr) return false;
    simd::copy_text(value, copy);
    value = {copy, value.size()};
  } else if constexpr (OpenEnumeration<T>) {
    std::string_view text = value.text();
    if (value.is_known()) return true;
    if (!move_into(text, memory)) return false;
    value = T::of(text);
  } else if constexpr (Array<T>) {
    using Element = typename T::value_type;
    static_assert(std::is_trivially_copyable_v<Element>,
                  "write an element that is trivially copyable: views and plain data");
    if (value.empty()) return value = {}, true;
    auto* const copy = static_cast<Element*>(memory.allocate(value.size_bytes(), alignof(Element)));
    if (copy == nullptr) return false;
    value = {copy, std::copy(value.begin(), value.end(), copy)};
    return std::all_of(copy, copy + value.size(), [&](Element& element) { return move_into(element, memory); });
  } else if constexpr (HasParts<T>) {
    return for_each_part(value, [&](auto& part) { return move_into(part, memory); });
  } else {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_member_pointer_v<T>,
                  "write a value of views and plain data, which can be copied deeply");
  }
  return true;
}

/// The places in a block of what a value views, deeply: arrays where they may stand, one after the other, then all texts,
/// so that next to nothing is lost between them.
struct ViewedBytes {
  std::size_t arrays;     ///< where the next array may begin
  std::size_t texts = 0;  ///< where the next text begins; while the bytes are counted, after the arrays
  char* block = nullptr;  ///< once they are counted

  /// The place of the next `bytes` of this alignment.
  std::size_t take(std::size_t bytes, std::size_t alignment) {
    if (alignment == 1) return std::exchange(texts, texts + bytes);
    const std::size_t start = (arrays + alignment - 1) / alignment * alignment;
    arrays = start + bytes;
    return start;
  }
  /// Takes what `move_into` would allocate for `value`.
  template <class T>
  void add(const T& value) {
    if constexpr (Text<T>) take(value.size(), 1);
    else if constexpr (OpenEnumeration<T>) take(value.is_known() ? 0 : value.text().size(), 1);
    else if constexpr (HasParts<T>) {
      if constexpr (Array<T>) {
        using Element = typename T::value_type;
        static_assert(alignof(Element) <= alignof(std::max_align_t), "write an element without an alignment of its own");
        if (!value.empty()) take(value.size_bytes(), alignof(Element));
      }
      for_each_part(value, [this](const auto& part) { return this->add(part), true; });
    }
  }
  [[nodiscard]] std::size_t size() const { return arrays + texts; }
  /// The block is handed out as planned.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) { return block + take(bytes, alignment); }
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::reflect

namespace bankhook { inline namespace BANKHOOK_ABI {

/// A `T` and all that it views, in one block of exactly that size: the value, its texts and arrays, and what
/// their alignment needs. Movable; a moved-from one may only be assigned or destroyed. Reading from several threads
/// at once is safe. Construction throws std::bad_alloc if memory runs out.
template <class T>
class Owned {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t),
                "own a value of plain data and views: std::string_view for text");

 public:
  explicit Owned(const T& value) {
    detail::reflect::ViewedBytes viewed{sizeof(T)};
    viewed.add(value);
    auto* const block = static_cast<char*>(::operator new(viewed.size()));
    value_ = ::new (static_cast<void*>(block)) T(value);
    detail::reflect::ViewedBytes rest{sizeof(T), viewed.arrays, block};
    static_cast<void>(detail::reflect::move_into(*value_, rest));  // everything has its place already
  }
  Owned(const Owned& other) : Owned(*other) {}
  Owned(Owned&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Owned& operator=(Owned other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Owned() { ::operator delete(value_); }

  /// The value; its views live as long as this owner, wherever it is moved to.
  [[nodiscard]] const T& operator*() const& BANKHOOK_LIFETIMEBOUND { return *value_; }
  detail::keep_it_in_a_variable_because_it_is_gone_before_what_views_it operator*() const&&;
  [[nodiscard]] const T* operator->() const& BANKHOOK_LIFETIMEBOUND { return value_; }
  detail::keep_it_in_a_variable_because_it_is_gone_before_what_views_it operator->() const&&;
  /// How many bytes the block has.
  [[nodiscard]] std::size_t size() const {
    detail::reflect::ViewedBytes viewed{sizeof(T)};
    viewed.add(*value_);
    return viewed.size();
  }

  friend bool operator==(const Owned& left, const Owned& right) { return detail::reflect::equal(*left, *right); }

 private:
  T* value_;
};

}}  // namespace bankhook::BANKHOOK_ABI
