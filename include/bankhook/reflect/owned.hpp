// SPDX-License-Identifier: MIT
// A deep copy of any value with its own storage, for those who keep values longer than the payload they came from.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// Copies everything that `value` views into `memory`, deeply: an Arena, or anything else with its `allocate`. False if
/// memory runs out; `value` then views some of its old memory.
template <class T, class Memory>
[[nodiscard]] bool move_into(T& value, Memory& memory);

}  // namespace bankhook::inline BANKHOOK_ABI::reflect

namespace bankhook::inline BANKHOOK_ABI::reflect::detail {

/// A type that is copied by its own bytes alone: numbers, dates, tags. It must not view anything, because that would not
/// be copied.
template <class T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_member_pointer_v<T>;

template <class Memory>
bool move_text(std::string_view& text, Memory& memory) {
  auto* const copy = static_cast<char*>(memory.allocate(text.size(), 1));
  if (copy == nullptr) return false;
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  text = {copy, text.size()};
  return true;
}

template <class E, class Memory>
bool move_enum(OpenEnum<E>& value, Memory& memory) {
  if (value.is_known()) return true;
  std::string_view text = value.text();
  if (!move_text(text, memory)) return false;
  value = OpenEnum<E>::of(text);
  return true;
}

template <class T, class Memory>
bool move_array(std::span<const T>& array, Memory& memory) {
  if (array.empty()) {
    array = {};
    return true;
  }
  auto* const copy = static_cast<T*>(memory.allocate(array.size_bytes(), alignof(T)));
  if (copy == nullptr) return false;
  std::uninitialized_copy(array.begin(), array.end(), copy);
  array = {copy, array.size()};
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (!move_into(copy[i], memory)) return false;
  }
  return true;
}

/// The bytes that a value views, deeply: grouped by alignment, the strictest first, so that no padding is needed between
/// them, in whatever order texts and arrays follow each other.
class ViewedBytes {
 public:
  /// Adds what `value` views: exactly what `move_into` would allocate. Not inlined: GCC 12 would warn of the alternatives
  /// that a variant does not hold.
  template <class T>
  BANKHOOK_NOINLINE void add(const T& value) {
    if constexpr (Text<T>) add(value.size(), 1);
    else if constexpr (OpenEnumeration<T>) add(value.is_known() ? 0 : value.text().size(), 1);
    else if constexpr (HasParts<T>) {
      if constexpr (Array<T>) {
        static_assert(alignof(typename T::element_type) <= alignof(std::max_align_t),
                      "an_element_is_aligned_as_operator_new_aligns");
        add(value.size_bytes(), alignof(typename T::element_type));
      }
      for_each_part(value, [this](const auto& part) { return this->add(part), true; });
    }
  }

  /// Turns the sizes into places, `first` bytes after the start of a block, and returns the size of the block.
  std::size_t place(std::size_t first) {
    for (std::size_t i = bytes_.size(); i-- > 0;) {
      if (bytes_[i] == 0) continue;
      const std::size_t alignment = std::size_t{1} << i;
      const std::size_t start = (first + alignment - 1) / alignment * alignment;
      first = start + std::exchange(bytes_[i], start);
    }
    return first;
  }
  /// After `place`: the place of the next `bytes` of this alignment.
  [[nodiscard]] std::size_t take(std::size_t bytes, std::size_t alignment) {
    return std::exchange(at(alignment), at(alignment) + bytes);
  }

 private:
  void add(std::size_t bytes, std::size_t alignment) { at(alignment) += bytes; }
  [[nodiscard]] std::size_t& at(std::size_t alignment) {
    return bytes_[static_cast<std::size_t>(std::countr_zero(alignment))];
  }

  std::array<std::size_t, std::bit_width(alignof(std::max_align_t))> bytes_{};  // 1, 2, 4, ...
};

/// One block of memory, handed out as planned.
struct PlannedBlock {
  char* start;
  ViewedBytes places;

  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) { return start + places.take(bytes, alignment); }
};

}  // namespace bankhook::inline BANKHOOK_ABI::reflect::detail

namespace bankhook::inline BANKHOOK_ABI::reflect {

template <class T, class Memory>
bool move_into(T& value, Memory& memory) {
  if constexpr (Text<T>) return detail::move_text(value, memory);
  else if constexpr (OpenEnumeration<T>) return detail::move_enum(value, memory);
  else if constexpr (Array<T>) return detail::move_array(value, memory);
  else if constexpr (HasParts<T>) return for_each_part(value, [&](auto& part) { return move_into(part, memory); });
  else {
    static_assert(detail::Plain<T>, "a_value_that_is_neither_a_view_nor_plain_cannot_be_copied_deeply");
    return true;
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::reflect

namespace bankhook::inline BANKHOOK_ABI {

/// A `T` and all that it views, in one block of exactly that size: the value, its texts and arrays, and at most 16 bytes
/// between the value and them. Movable; a moved-from one may only be assigned or destroyed. Reading from several threads
/// at once is safe. Construction throws std::bad_alloc if memory runs out.
template <class T>
class Owned {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t),
                "an_owned_value_is_plain_data_and_views");

 public:
  explicit Owned(const T& value) {
    reflect::detail::ViewedBytes viewed;
    viewed.add(value);
    auto* const block = static_cast<char*>(::operator new(viewed.place(sizeof(T))));
    value_.reset(::new (static_cast<void*>(block)) T(value));
    reflect::detail::PlannedBlock rest{block, viewed};
    static_cast<void>(reflect::move_into(*value_, rest));  // everything has its place already
  }
  Owned(const Owned& other) : Owned(*other) {}
  Owned(Owned&&) noexcept = default;
  Owned& operator=(const Owned& other) { return *this = Owned(other); }
  Owned& operator=(Owned&&) noexcept = default;
  ~Owned() = default;

  /// The value; its views live as long as this owner, wherever it is moved to.
  [[nodiscard]] const T& operator*() const& BANKHOOK_LIFETIMEBOUND { return *value_; }
  const T& operator*() const&& = delete;
  [[nodiscard]] const T* operator->() const& BANKHOOK_LIFETIMEBOUND { return value_.get(); }
  const T* operator->() const&& = delete;
  /// How many bytes the block has.
  [[nodiscard]] std::size_t size() const {
    reflect::detail::ViewedBytes viewed;
    viewed.add(*value_);
    return viewed.place(sizeof(T));
  }

  friend bool operator==(const Owned& left, const Owned& right) { return reflect::equal(*left, *right); }

 private:
  struct Free {
    void operator()(T* block) const { ::operator delete(block); }
  };
  std::unique_ptr<T, Free> value_;
};

}  // namespace bankhook::inline BANKHOOK_ABI
