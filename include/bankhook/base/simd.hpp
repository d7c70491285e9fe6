// SPDX-License-Identifier: MIT
// Looking at 16, 32 or 64 bytes at once: which of them end a run of text, whether they begin with a known literal; copying.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace simd {

/// A bit a byte, the first byte lowest.
template <std::size_t size>
using Mask = std::conditional_t<(size > 32), std::uint64_t, std::uint32_t>;

/// `size` bytes, as two halves where the build has no vector so large.
template <std::size_t size>
struct Block {
  using Half = Block<size / 2>;
  Half low;
  Half upper;

  [[nodiscard]] BANKHOOK_INLINE static Block load(const char* p) { return {Half::load(p), Half::load(p + size / 2)}; }
  [[nodiscard]] BANKHOOK_INLINE static Block repeat(char c) { return {Half::repeat(c), Half::repeat(c)}; }
  BANKHOOK_INLINE void store(char* p) const {
    low.store(p);
    upper.store(p + size / 2);
  }
  [[nodiscard]] BANKHOOK_INLINE Block same(Block other) const { return {low.same(other.low), upper.same(other.upper)}; }
  [[nodiscard]] BANKHOOK_INLINE Block below(signed char c) const { return {low.below(c), upper.below(c)}; }
  [[nodiscard]] BANKHOOK_INLINE Block operator&(Block other) const { return {low & other.low, upper & other.upper}; }
  [[nodiscard]] BANKHOOK_INLINE Block operator|(Block other) const { return {low | other.low, upper | other.upper}; }
  [[nodiscard]] BANKHOOK_INLINE Mask<size> high() const {
    return Mask<size>{low.high()} | Mask<size>{upper.high()} << size / 2;
  }
  [[nodiscard]] BANKHOOK_INLINE bool all() const { return (low & upper).all(); }
  [[nodiscard]] BANKHOOK_INLINE bool any() const { return (low | upper).any(); }
};

#if defined(__AVX2__)
inline constexpr std::size_t largest_vector = 32;
#else
inline constexpr std::size_t largest_vector = 16;
#endif

/// The same as one vector.
template <std::size_t size>
  requires(size <= largest_vector)
struct Block<size> {
  template <class T>
  struct Of {
    using Vector [[gnu::vector_size(size)]] = T;
  };
  template <class T>
  using VectorOf = typename Of<T>::Vector;
  using Vector = VectorOf<unsigned char>;
  Vector bytes;

  [[nodiscard]] BANKHOOK_INLINE static Block load(const char* p) {
    Block block;
    std::memcpy(&block.bytes, p, size);
    return block;
  }
  [[nodiscard]] BANKHOOK_INLINE static Block repeat(char c) { return {Vector{} + static_cast<unsigned char>(c)}; }
  /// Two words, as often as they fit.
  template <class Word>
  [[nodiscard]] BANKHOOK_INLINE static Block of(Word first, Word second) {
    if constexpr (sizeof(Word) == 8) return {reinterpret_cast<Vector>(VectorOf<std::uint64_t>{first, second})};
    else return of(std::uint64_t{first} << 32 | second, std::uint64_t{first} << 32 | second);
  }
  BANKHOOK_INLINE void store(char* p) const { std::memcpy(p, &bytes, size); }
  /// 0xFF for each byte that both have.
  [[nodiscard]] BANKHOOK_INLINE Block same(Block other) const { return {reinterpret_cast<Vector>(bytes == other.bytes)}; }
  /// The same for each byte that is at most `c`; and, as a signed number, less than `c`: so is all above 0x7F.
  [[nodiscard]] BANKHOOK_INLINE Block at_most(char c) const { return {reinterpret_cast<Vector>(bytes <= repeat(c).bytes)}; }
  [[nodiscard]] BANKHOOK_INLINE Block below(signed char c) const {
    return {reinterpret_cast<Vector>(reinterpret_cast<VectorOf<signed char>>(bytes) < VectorOf<signed char>{} + c)};
  }
  [[nodiscard]] BANKHOOK_INLINE Block operator&(Block other) const { return {bytes & other.bytes}; }
  [[nodiscard]] BANKHOOK_INLINE Block operator|(Block other) const { return {bytes | other.bytes}; }
#if defined(__AVX2__)
  /// The greater of each byte and `least`, as numbers with a sign or without.
  template <bool with_sign>
  [[nodiscard]] BANKHOOK_INLINE Block raised(char least) const {
    using Number = VectorOf<std::conditional_t<with_sign, signed char, unsigned char>>;
    const auto a = reinterpret_cast<Number>(bytes), b = reinterpret_cast<Number>(repeat(least).bytes);
    return {reinterpret_cast<Vector>(a > b ? a : b)};
  }
  /// 0xFF for each byte that the table has at the place of its low half.
  template <FixedString<16> table>
  [[nodiscard]] BANKHOOK_INLINE Block among() const {
    const auto where = std::bit_cast<VectorOf<char>>(bytes);
    const auto what = std::bit_cast<VectorOf<char>>(load(join_literals(table, table).characters).bytes);
    if constexpr (size == 32) return same({reinterpret_cast<Vector>(__builtin_ia32_pshufb256(what, where))});
    else return same({reinterpret_cast<Vector>(__builtin_ia32_pshufb128(what, where))});
  }
#endif
  /// The highest bit of each byte: those of UTF-8 beyond ASCII, or what was compared.
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t high() const {
#if defined(__AVX2__)
    if constexpr (size == 32)
      return static_cast<std::uint32_t>(__builtin_ia32_pmovmskb256(std::bit_cast<VectorOf<char>>(bytes)));
    else return static_cast<std::uint32_t>(__builtin_ia32_pmovmskb128(std::bit_cast<VectorOf<char>>(bytes)));
#elif defined(__SSE2__)
    return static_cast<std::uint32_t>(__builtin_ia32_pmovmskb128(std::bit_cast<VectorOf<char>>(bytes)));
#else
    const auto marks = [this](int half) {  // the multiplication moves the eight bits beside each other
      std::uint64_t word = reinterpret_cast<VectorOf<std::uint64_t>>(bytes)[half];
      if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
      return static_cast<std::uint32_t>((word >> 7 & 0x0101'0101'0101'0101) * 0x0102'0408'1020'4080 >> 56);
    };
    return marks(0) | marks(1) << 8;
#endif
  }
  [[nodiscard]] BANKHOOK_INLINE bool all() const { return high() == ~std::uint32_t{0} >> (32 - size); }
  [[nodiscard]] BANKHOOK_INLINE bool any() const { return high() != 0; }
};

using Block16 = Block<16>;
using Block32 = Block<32>;
using Block64 = Block<64>;

/// 0xFF for each byte that must be escaped in a JSON string: a quote, a backslash, a control character; with
/// `or_high`, also for those above 0x7F.
template <bool or_high = false, std::size_t size>
[[nodiscard]] BANKHOOK_INLINE Block<size> escapes(Block<size> block) {
  if constexpr (size > largest_vector) {
    return {escapes<or_high>(block.low), escapes<or_high>(block.upper)};
  } else {
#if defined(__AVX2__)
    // Control characters and, signed, all above 0x7F become 0x1F.
    return block.template raised<or_high>('\x1F')
        .template among<"\xFF\xFF\"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\\\xFF\xFF\x1F">();
#else
    const auto control = or_high ? block.below(0x20) : block.at_most(0x1F);
    return block.same(Block<size>::repeat('"')) | block.same(Block<size>::repeat('\\')) | control;
#endif
  }
}

/// 0xFF for each byte that is white space in JSON.
template <std::size_t size>
[[nodiscard]] BANKHOOK_INLINE Block<size> spaces(Block<size> block) {
#if defined(__AVX2__)
  return block.template among<" \xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\t\n\xFF\xFF\r\xFF\xFF">();
#else
  using Bytes = Block<size>;
  return (block.same(Bytes::repeat(' ')) | block.same(Bytes::repeat('\t'))) |
         (block.same(Bytes::repeat('\n')) | block.same(Bytes::repeat('\r')));
#endif
}

/// Whether those of the bytes that `inside` marks are ASCII and whole two-byte forms of UTF-8 (Latin, Greek, Cyrillic).
[[nodiscard]] BANKHOOK_INLINE bool has_short_forms_only(Block64 block, std::uint64_t inside) {
  // Signed, what continues a form (10......) is below C0, and what begins one of two bytes lies from C2 to DF.
  const std::uint64_t continuations = block.below(-0x40).high();
  const std::uint64_t leads = block.below(-0x20).high() & ~block.below(-0x3E).high();
  return (block.high() & inside) == ((continuations | leads) & inside) && (continuations & inside) == (leads & inside) << 1;
}

/// A bit a byte that two texts of 32 bytes have in common.
[[nodiscard]] BANKHOOK_INLINE std::uint32_t same_bytes(const char* left, const char* right) {
  return Block32::load(left).same(Block32::load(right)).high();
}

/// Whether the text at `p` begins with `literal`. It reads no byte that is not compared.
template <FixedString literal>
[[nodiscard]] BANKHOOK_INLINE bool begins_with(const char* p) {
  constexpr std::size_t size = literal.size();
  const char* const expected = literal.characters;
  if constexpr (size >= 16) {
    using Bytes = Block<(size >= 32 ? 32 : 16)>;
    constexpr std::size_t last = size - sizeof(Bytes);
    static_assert(last <= sizeof(Bytes));
    Bytes same = Bytes::load(p + last).same(Bytes::load(expected + last));
    if constexpr (last > 0) same = same & Bytes::load(p).same(Bytes::load(expected));
    return same.all();
  } else {
    return std::memcmp(p, expected, size) == 0;
  }
}

/// Whether it must be escaped in a JSON string.
constexpr bool needs_escape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

/// Copies a block and marks what must be escaped in it.
template <class Block>
BANKHOOK_INLINE Block copy_block(const char* from, char* to) {
  const Block block = Block::load(from);
  block.store(to);
  return escapes(block);
}

/// At most two words, by two that overlap; whether nothing in them must be escaped.
template <class Word>
[[nodiscard]] BANKHOOK_INLINE bool copy_words(std::string_view text, char* to) {
  const std::size_t last = text.size() - sizeof(Word);
  Word first;
  Word second;
  std::memcpy(&first, text.data(), sizeof first);
  std::memcpy(&second, text.data() + last, sizeof second);
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + last, &second, sizeof second);
  return !escapes(Block16::of(first, second)).any();
}

/// Copies `text` to `to`, without a call, and says whether nothing in it must be escaped: free if nobody asks. It touches
/// no byte beside it: whole blocks are copied and, for the rest, the last bytes again as a block that overlaps.
BANKHOOK_INLINE bool copy_text(std::string_view text, char* to) {
  const char* const from = text.data();
  const std::size_t size = text.size();
  if (size >= sizeof(Block32)) {
    const std::size_t last = size - sizeof(Block32);
    Block32 marks = copy_block<Block32>(from, to) | copy_block<Block32>(from + last, to + last);
    for (std::size_t at = sizeof(Block32); at < last; at += sizeof(Block32)) [[unlikely]]
      marks = marks | copy_block<Block32>(from + at, to + at);
    return !marks.any();
  }
  if (size >= sizeof(Block16)) {
    const std::size_t last = size - sizeof(Block16);
    return !(copy_block<Block16>(from, to) | copy_block<Block16>(from + last, to + last)).any();
  }
  if (size >= sizeof(std::uint64_t)) return copy_words<std::uint64_t>(text, to);
  if (size >= sizeof(std::uint32_t)) return copy_words<std::uint32_t>(text, to);
  bool plain = true;
  for (std::size_t i = 0; i < size; ++i) plain &= !needs_escape(to[i] = from[i]);
  return plain;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::simd
