// SPDX-License-Identifier: MIT
// An event that owns its payload and everything it views, for those who want no lifetimes to think of.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/json/read/arena_store.hpp>
#include <bankhook/json/read/remembered_length.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI {

/// One payload and its event. Movable; a moved-from one may only be assigned or destroyed. Reading it from several
/// threads at once is safe.
class Document {
 public:
  /// Copies `bytes` and reads them; the argument may be gone afterwards. The first fault with its byte offset, else.
  [[nodiscard]] static std::expected<Document, Error> parse(std::string_view bytes) {
    std::unique_ptr<void, Free> memory(::operator new(room_for(bytes.size()), std::nothrow));
    if (!memory) return std::unexpected(Error{.code = Errc::out_of_memory});
    char* const copy = static_cast<char*>(memory.get()) + sizeof(State);
    if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
    std::memset(copy + bytes.size(), 0, PaddedView::padding);
    const std::string_view raw(copy, bytes.size());
    Arena arena;
    json::RememberedLengths lengths{};
    json::ParseContext in(raw, json::ArenaStore(arena, lengths), PaddedView::padding);
    const auto event = detail::read_event(in);
    if (!event) return std::unexpected(event.error());
    return Document(::new (memory.release()) State{raw, std::move(arena), *event});
  }

  /// The event; valid as long as this document lives, wherever it is moved to.
  [[nodiscard]] const AnyEvent& event() const BANKHOOK_LIFETIMEBOUND { return state_->event; }
  /// The payload, byte for byte.
  [[nodiscard]] std::string_view raw() const BANKHOOK_LIFETIMEBOUND { return state_->raw; }

 private:
  /// Lies before its payload, in one piece of memory.
  struct State {
    std::string_view raw;
    Arena arena;
    AnyEvent event;
  };
  struct Free {
    void operator()(void* memory) const { ::operator delete(memory); }
    void operator()(State* state) const {
      state->~State();
      ::operator delete(state);
    }
  };

  /// Bytes for a state and its payload. Of a size that cannot be, all that there are: the allocation fails.
  [[nodiscard]] static std::size_t room_for(std::size_t size) {
    constexpr std::size_t others = sizeof(State) + PaddedView::padding;
    static_assert(alignof(State) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    return size > SIZE_MAX - others ? SIZE_MAX : size + others;
  }

  explicit Document(State* state) : state_(state) {}

  std::unique_ptr<State, Free> state_;
};

}  // namespace bankhook::inline BANKHOOK_ABI
