// SPDX-License-Identifier: MIT
// An event that owns its payload and everything it views, for those who want no lifetimes to think of.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/json/read/parse_context.hpp>
#include <bankhook/json/read/read.hpp>

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
  template <class = void>
  [[nodiscard]] static std::expected<Document, Error> parse(std::string_view bytes) {
    if (bytes.size() > SIZE_MAX / 4) return std::unexpected(Error{.code = Errc::out_of_memory});
    base::prefetch_text(bytes.data(), bytes.size());
    Arena arena(room_for(bytes.size()));
    void* const place = arena.allocate(sizeof(State), alignof(State));
    auto* const copy = static_cast<char*>(arena.allocate(bytes.size() + PaddedView::padding, 1));
    if (place == nullptr || copy == nullptr) return std::unexpected(Error{.code = Errc::out_of_memory});
    if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
    std::memset(copy + bytes.size(), 0, PaddedView::padding);
    const std::string_view raw(copy, bytes.size());
    json::ParseContext in(raw, arena, PaddedView::padding);
    std::unique_ptr<State, End> state(::new (place) State{raw, detail::read_event(in), {}});
    if (!state->event) return std::unexpected(state->event.error());
    state->memory = arena.release();
    return Document(std::move(state));
  }

  /// The event; valid as long as this document lives, wherever it is moved to.
  [[nodiscard]] const AnyEvent& event() const& BANKHOOK_LIFETIMEBOUND { return *state_->event; }
  const AnyEvent& event() const&& = delete;
  /// The payload, byte for byte.
  [[nodiscard]] std::string_view raw() const& BANKHOOK_LIFETIMEBOUND { return state_->raw; }
  std::string_view raw() const&& = delete;

 private:
  /// Lies in the memory that it owns, before its payload and what the event views.
  struct State {
    std::string_view raw;
    std::expected<AnyEvent, Error> event;
    ArenaMemory memory;
  };
  struct End {
    void operator()(State* state) const {
      const ArenaMemory memory = std::move(state->memory);  // ends after the state
      state->~State();
    }
  };

  /// Bytes for everything at once, so that most documents are one piece of memory. Arrays take up to half of what their
  /// text takes and, because they grow, as much again; the shortest texts are transactions, which have none.
  [[nodiscard]] static std::size_t room_for(std::size_t size) {
    constexpr std::size_t shortest_with_arrays = 600;
    const std::size_t arrays = size < shortest_with_arrays ? 0 : size;
    return sizeof(State) + size + PaddedView::padding + alignof(std::max_align_t) + arrays;
  }

  explicit Document(std::unique_ptr<State, End> state) : state_(std::move(state)) {}

  std::unique_ptr<State, End> state_;
};

}  // namespace bankhook::inline BANKHOOK_ABI
