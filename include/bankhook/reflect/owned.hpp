// SPDX-License-Identifier: MIT
// A deep copy of any value with its own storage, for those who keep values longer than the payload they came from.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/open_enum.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace bankhook::reflect {

/// Moves everything that `value` views into `arena`, deeply. False if there is no memory; `value` is then half moved.
template <class T>
[[nodiscard]] bool move_into(T& value, Arena& arena);

}  // namespace bankhook::reflect

namespace bankhook::reflect::detail {

inline bool move_text(std::string_view& text, Arena& arena) {
  auto* const copy = static_cast<char*>(arena.allocate(text.size(), 1));
  if (copy == nullptr) return false;
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  text = {copy, text.size()};
  return true;
}

template <class E>
bool move_enum(OpenEnum<E>& value, Arena& arena) {
  if (value.is_known()) return true;
  std::string_view text = value.text();
  if (!move_text(text, arena)) return false;
  value = OpenEnum<E>::of(text);
  return true;
}

template <class T>
bool move_array(std::span<const T>& array, Arena& arena) {
  if (array.empty()) {
    array = {};
    return true;
  }
  auto* const copy = static_cast<T*>(arena.allocate(array.size_bytes(), alignof(T)));
  if (copy == nullptr) return false;
  std::uninitialized_copy(array.begin(), array.end(), copy);
  array = {copy, array.size()};
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (!move_into(copy[i], arena)) return false;
  }
  return true;
}

}  // namespace bankhook::reflect::detail

namespace bankhook::reflect {

template <class T>
bool move_into(T& value, Arena& arena) {
  if constexpr (std::is_same_v<T, std::string_view>) return detail::move_text(value, arena);
  else if constexpr (is_open_enum<T>) return detail::move_enum(value, arena);
  else if constexpr (detail::is_span<T>) return detail::move_array(value, arena);
  else if constexpr (is_nullable<T> || is_maybe_absent<T>) return !value || move_into(*value, arena);
  else if constexpr (Aggregate<T>) {
    return for_each_member<T>([&]<std::size_t I>() { return move_into(member<I>(value), arena); });
  } else return true;
}

}  // namespace bankhook::reflect

namespace bankhook {

/// A `T` and all that it views, in storage of its own. Movable; a moved-from one may only be assigned or destroyed.
/// Reading from several threads at once is safe. Construction throws std::bad_alloc where there is no memory.
template <class T>
class Owned {
 public:
  explicit Owned(const T& value) : state_(std::make_unique<State>(value)) {
    if (!reflect::move_into(state_->value, state_->arena)) fail_without_memory();
  }
  Owned(const Owned& other) : Owned(*other) {}
  Owned(Owned&&) noexcept = default;
  Owned& operator=(const Owned& other) { return *this = Owned(other); }
  Owned& operator=(Owned&&) noexcept = default;
  ~Owned() = default;

  /// The value; its views live as long as this owner, wherever it is moved to.
  [[nodiscard]] const T& operator*() const { return state_->value; }
  [[nodiscard]] const T* operator->() const { return &state_->value; }

  friend bool operator==(const Owned& left, const Owned& right) { return reflect::equal(*left, *right); }

 private:
  struct State {
    explicit State(const T& value_) : value(value_) {}
    T value;
    Arena arena;
  };
  std::unique_ptr<State> state_;
};

}  // namespace bankhook
