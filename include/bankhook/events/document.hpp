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

#include <cstring>
#include <expected>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

namespace bankhook {

/// One payload and its event. Movable; a moved-from one may only be assigned or destroyed. Reading it from several
/// threads at once is safe.
class Document {
 public:
  /// Copies `bytes` and reads them; the argument may be gone afterwards. The first fault with its byte offset, else.
  [[nodiscard]] static std::expected<Document, Error> parse(std::string_view bytes) {
    const Error no_memory{.code = Errc::out_of_memory};
    std::unique_ptr<char[]> copy(new (std::nothrow) char[bytes.size() + PaddedView::padding]);
    std::unique_ptr<State> state(new (std::nothrow) State);
    if (!copy || !state) return std::unexpected(no_memory);
    if (!bytes.empty()) std::memcpy(copy.get(), bytes.data(), bytes.size());
    std::memset(copy.get() + bytes.size(), 0, PaddedView::padding);
    state->raw = {copy.get(), bytes.size()};
    state->bytes = std::move(copy);
    json::RememberedLengths lengths{};
    json::ParseContext in(state->raw, json::ArenaStore(state->arena, lengths), PaddedView::padding);
    const auto event = detail::read_any(in);
    if (!event) return std::unexpected(event.error());
    state->event = *event;
    return Document(std::move(state));
  }

  /// The event; valid as long as this document lives, wherever it is moved to.
  [[nodiscard]] const AnyEvent& event() const BANKHOOK_LIFETIMEBOUND { return state_->event; }
  /// The payload, byte for byte.
  [[nodiscard]] std::string_view raw() const BANKHOOK_LIFETIMEBOUND { return state_->raw; }

 private:
  struct State {
    std::unique_ptr<char[]> bytes;
    std::string_view raw;
    Arena arena;
    AnyEvent event;
  };

  explicit Document(std::unique_ptr<State> state) : state_(std::move(state)) {}

  std::unique_ptr<State> state_;
};

}  // namespace bankhook
