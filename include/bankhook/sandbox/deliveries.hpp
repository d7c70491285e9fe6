// SPDX-License-Identifier: MIT
// A stretch of a history as a range.
#pragma once

#include <bankhook/sandbox/delivery.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace bankhook::sandbox {

/// An input range: walked once, each delivery valid until the next one. The sandbox must outlive it and stay in place.
template <class ParseContext>
class Deliveries {
 public:
  class Iterator {
   public:
    using value_type = Delivery;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    explicit Iterator(Deliveries& of) : of_(&of) {}

    const Delivery& operator*() const { return of_->current_; }
    const Delivery* operator->() const { return &of_->current_; }
    Iterator& operator++() {
      of_->advance();
      return *this;
    }
    void operator++(int) { of_->advance(); }
    bool operator==(std::default_sentinel_t) const { return of_->done_; }

   private:
    Deliveries* of_;
  };

  Deliveries(ParseContext& source, std::uint64_t count) : source_(&source), left_(count) {}

  [[nodiscard]] Iterator begin() {
    advance();
    return Iterator(*this);
  }
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

 private:
  void advance() {
    done_ = left_ == 0;
    if (done_) return;
    --left_;
    current_ = source_->next();
  }

  ParseContext* source_;
  std::uint64_t left_;
  Delivery current_{};
  bool done_ = false;
};

}  // namespace bankhook::sandbox
