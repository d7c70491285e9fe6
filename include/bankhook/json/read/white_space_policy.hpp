// SPDX-License-Identifier: MIT
// How the fields of an object and the elements of an array are set apart, for the reader that predicts what comes next.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace bankhook::json {

/// Without white space, as programs print for programs: the comma is predicted with the name after it.
struct Minified {
  static constexpr FixedString before_name{","};
  static constexpr FixedString after_name{":"};

  template <class Context>
  BANKHOOK_INLINE static bool skip_gap(Context&, const char*&) {
    return true;
  }
  template <char bracket, class Context>
  BANKHOOK_INLINE static bool skip_close(Context& in, const char*& p) {
    return *in.window(p) == bracket && (++p, true);
  }
};

/// As programs print for people: a space after each colon, and after each comma the same white space as after the
/// opening bracket, be it nothing (a space after the comma then) or a line's end and an indentation. The space is compared
/// with what is expected, not measured: the next position follows from it before the comparison has ended.
class PrettyPrinted {
 public:
  static constexpr FixedString before_name{""};
  static constexpr FixedString after_name{": "};

  /// From what stands after an opening bracket.
  BANKHOOK_INLINE explicit PrettyPrinted(const char* window)
      : space_(simd::Block32::load(window)), leading_(static_cast<std::size_t>(std::countr_one(space_.spaces()))) {
    if (leading_ == 0) space_ = simd::Block32::repeat(' ');
  }

  /// White space after the opening bracket; a block of it at most is counted.
  [[nodiscard]] BANKHOOK_INLINE std::size_t leading() const { return leading_; }

  /// Steps over a comma and the usual space, if that is what stands at `p` and no more space follows.
  template <class Context>
  BANKHOOK_INLINE bool skip_gap(Context& in, const char*& p) const {
    const char* const window = in.window(p);
    const std::size_t size = fast();
    if (*window != ',' || window[size + 1] <= ' ' || !begins_usual(window + 1, size)) return false;
    p += size + 1;
    return true;
  }

  /// Steps over the usual space and the closing bracket, if that is what stands at `p`.
  template <char bracket, class Context>
  BANKHOOK_INLINE bool skip_close(Context& in, const char*& p) const {
    const char* const window = in.window(p);
    std::size_t size = fast() - std::min(in.outdent, fast());
    if (window[size] != bracket || !begins_usual(window, size)) [[unlikely]] {
      size = static_cast<std::size_t>(std::countr_one(simd::Block32::load(window).spaces()));
      if (size > fast() || window[size] != bracket) return false;
      in.outdent = fast() - size;
    }
    p += size + 1;
    return true;
  }

 private:
  [[nodiscard]] BANKHOOK_INLINE std::size_t fast() const { return leading_ == 0 ? 1 : leading_; }
  [[nodiscard]] BANKHOOK_INLINE bool begins_usual(const char* window, std::size_t size) const {
    const std::uint64_t others = ~simd::Block32::load(window).same(space_).mask();
    return (others & ((std::uint64_t{1} << size) - 1)) == 0;
  }

  simd::Block32 space_;
  std::size_t leading_;
};

}  // namespace bankhook::json
