// SPDX-License-Identifier: MIT
// What differs between compilers and builds: inlining, lifetimes, exceptions, instructions, the name of the place field.
#pragma once

#if defined(__GNUC__) && __cplusplus >= 202100L
#include <version>
#endif

// An older Clang or GCC may pass the checks of its standard library and would then fail somewhere inside.
#if defined(__apple_build_version__)
#define BANKHOOK_IS_OLD (__clang_major__ < 17)
#elif defined(__clang_major__)
#define BANKHOOK_IS_OLD (__clang_major__ < 19)
#else
#define BANKHOOK_IS_OLD (__GNUC__ < 12)
#endif
#if !defined(__GNUC__) || __cplusplus < 202100L || !defined(__cpp_lib_expected) || BANKHOOK_IS_OLD
#error "bankhook needs C++23: GCC 12 or Clang 19 or newer, with libstdc++ 12 or libc++ 19 or newer and -std=c++23; not MSVC"
#include <bankhook_needs_cpp23>  // there is no such file: the compiler stops here, before thousands of errors more
#elif __cpp_lib_constexpr_string < 201907L
#error "bankhook needs the strings of C++11: take _GLIBCXX_USE_CXX11_ABI=0 away"
#include <bankhook_needs_cpp23>
#endif
#undef BANKHOOK_IS_OLD

// A macro with the name of a word of C++, as some loggers and old C headers have, would give thousands of errors. An
// `inline` that is another spelling of the word does no harm.
#if defined(inline)
#define BANKHOOK_IS_EMPTY_OF(...) (1 __VA_OPT__(-1))
#define BANKHOOK_IS_EMPTY(word) BANKHOOK_IS_EMPTY_OF(word)
#define BANKHOOK_HAS_NO_INLINE BANKHOOK_IS_EMPTY(inline)
#else
#define BANKHOOK_HAS_NO_INLINE 0
#endif
#if defined(__PRETTY_FUNCTION__) || defined(class) || defined(constexpr) || defined(consteval) || defined(noexcept) || \
    defined(explicit) || defined(throw) || BANKHOOK_HAS_NO_INLINE
#error \
    "bankhook: __PRETTY_FUNCTION__, class, constexpr, consteval, noexcept, explicit, throw or inline is a macro: #undef it"
#include <bankhook_needs_words_of_cpp>  // there is no such file, as above
#endif

#include <cstddef>
#include <cstdint>
#include <string_view>
#if defined(__cpp_exceptions)
#include <new>
#else
#include <cstdlib>
#endif

/// The hot path: part of its caller at every optimisation level above -O0, where it would only cost time to compile.
#if defined(__OPTIMIZE__)
#define BANKHOOK_INLINE [[gnu::always_inline]] inline
#else
#define BANKHOOK_INLINE inline
#endif
/// Shared between callers and kept out of them, so that the callers stay small.
#define BANKHOOK_NOINLINE [[gnu::noinline]]
/// Errors and rarities: out of line and away from the hot code.
#define BANKHOOK_COLD [[gnu::cold, gnu::noinline]]

/// What of the library is compiled once, in the unit of `bankhook::compiled`, if BANKHOOK_COMPILED is defined for the whole
/// program; otherwise in each unit that calls it. Templates, and no function of them is `inline` then: of those the
/// compiler would make one in each unit all the same. Units that import the module and include headers, too, define
/// BANKHOOK_IMPORTED (the target does): which of the two comes first makes no difference then.
#if !defined(BANKHOOK_COMPILED) && !defined(BANKHOOK_IMPORTED)
#define BANKHOOK_ENTRY inline
#define BANKHOOK_ONCE(...)
#elif defined(BANKHOOK_COMPILING)
#define BANKHOOK_ENTRY
#define BANKHOOK_ONCE(...) template __VA_ARGS__
#elif defined(BANKHOOK_IMPORTED)
#define BANKHOOK_ENTRY
#define BANKHOOK_ONCE(...)
#else
#define BANKHOOK_ENTRY
#define BANKHOOK_ONCE(...) extern template __VA_ARGS__
#endif

/// `= delete` with the sentence that the compiler says, where it can; its names say as much in other messages.
#if defined(__clang__) && defined(__cpp_deleted_function)
#define BANKHOOK_DELETE(sentence)  \
  _Pragma("clang diagnostic push") \
      _Pragma("clang diagnostic ignored \"-Wc++26-extensions\"") delete (sentence)_Pragma("clang diagnostic pop")
#else
#define BANKHOOK_DELETE(sentence) delete
#endif

#if defined(__clang__)
/// The result refers to this argument; clang warns where it would dangle.
#define BANKHOOK_LIFETIMEBOUND [[clang::lifetimebound]]
/// Types are the same in every shared library, also where it hides its symbols (libc++ compares addresses: what one throws,
/// another would not catch). Functions stay hidden.
#define BANKHOOK_SHARED_TYPES [[clang::type_visibility("default")]]
#else
#define BANKHOOK_LIFETIMEBOUND
#define BANKHOOK_SHARED_TYPES
#endif

// The instructions that a unit is compiled for: its vectors, and how it counts bits. Other options make no difference here.
#if defined(__AVX512F__)
#define BANKHOOK_INSTRUCTIONS avx512
#elif defined(__AVX2__)
#define BANKHOOK_INSTRUCTIONS avx2
#elif defined(__AVX__)
#define BANKHOOK_INSTRUCTIONS avx
#elif defined(__SSE4_2__)
#define BANKHOOK_INSTRUCTIONS sse4
#elif defined(__SSSE3__)
#define BANKHOOK_INSTRUCTIONS ssse3
#elif defined(__SSE2__)
#define BANKHOOK_INSTRUCTIONS sse2
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define BANKHOOK_INSTRUCTIONS neon
#else
#define BANKHOOK_INSTRUCTIONS plain
#endif
#if defined(__BMI2__)
#define BANKHOOK_BITS bmi2
#elif defined(__LZCNT__)
#define BANKHOOK_BITS lzcnt
#elif defined(__POPCNT__)
#define BANKHOOK_BITS popcnt
#else
#define BANKHOOK_BITS basic
#endif

// A third setting: whether the reader predicts fields that are sorted by their names, too, which takes the compiler longer.
// What is compiled once can.
#if defined(BANKHOOK_COMPILED) || defined(BANKHOOK_IMPORTED) || defined(BANKHOOK_SORTED_NAMES)
#define BANKHOOK_ORDERS sorted
#else
#define BANKHOOK_ORDERS ordered
#endif

#define BANKHOOK_TEXT_OF(name) #name
#define BANKHOOK_TEXT(name) BANKHOOK_TEXT_OF(name)
#define BANKHOOK_JOINED_OF(one, other) one##_##other
#define BANKHOOK_JOINED(one, other) BANKHOOK_JOINED_OF(one, other)
#define BANKHOOK_BUILD BANKHOOK_JOINED(BANKHOOK_JOINED(BANKHOOK_INSTRUCTIONS, BANKHOOK_BITS), BANKHOOK_ORDERS)

#if defined(BANKHOOK_PLACE_ID)
static_assert(BANKHOOK_TEXT(BANKHOOK_PLACE_ID)[0] != '"', "write the name in BANKHOOK_PLACE_ID without quotes");
static_assert(std::string_view(BANKHOOK_TEXT(BANKHOOK_PLACE_ID)).find_first_of("-. ") == std::string_view::npos,
              "write a word in BANKHOOK_PLACE_ID and the name in BANKHOOK_PLACE_ID_TEXT");
static_assert(BANKHOOK_TEXT(BANKHOOK_PLACE_ID)[0] != '\0', "write a name in BANKHOOK_PLACE_ID: it is empty");
#define BANKHOOK_PLACE BANKHOOK_PLACE_ID
#elif defined(BANKHOOK_PLACE_ID_TEXT)
#error "BANKHOOK_PLACE_ID_TEXT needs a word in BANKHOOK_PLACE_ID"
#else
#define BANKHOOK_PLACE
#endif

/// Part of the name of every function, and of every type but the structs: units that are compiled for other instructions,
/// with another name of the place field or with another version share no function. Otherwise the linker would keep one of
/// two, and it may be the one that writes the other name, or the one for another processor.
#define BANKHOOK_ABI BANKHOOK_SHARED_TYPES BANKHOOK_JOINED(v0_1_0, BANKHOOK_JOINED(BANKHOOK_BUILD, BANKHOOK_PLACE))
/// The structs and what their fields are, which such units pass to each other.
#define BANKHOOK_STRUCTS BANKHOOK_SHARED_TYPES v0_1_0
/// Of them those with the place field, which units with another name of it do not take.
#define BANKHOOK_PLACED BANKHOOK_SHARED_TYPES BANKHOOK_JOINED(v0_1_0, BANKHOOK_PLACE)
/// A function that belongs to such a struct: each of the units has its own all the same.
#define BANKHOOK_OWN [[gnu::abi_tag(BANKHOOK_TEXT(BANKHOOK_BUILD))]]

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace base {

/// Whether fields are predicted in the order of their names, too.
inline constexpr bool knows_sorted_names = std::string_view(BANKHOOK_TEXT(BANKHOOK_ORDERS)) == "sorted";

/// Reports that memory ran out: throws std::bad_alloc, or ends a program compiled without exceptions. The only `throw`.
[[noreturn]] BANKHOOK_COLD inline void fail_without_memory() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

/// Calls `f` and returns true, or false if it ran out of memory: for functions that C calls, through which no exception may
/// pass. Without exceptions, the program has ended then.
bool has_memory_for(auto&& f) {
#if defined(__cpp_exceptions)
  try {
    f();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
#else
  f();
  return true;
#endif
}

/// The compiler forgets what it knows of `value`.
template <class T>
BANKHOOK_INLINE void hide_value(T& value) {
  __asm__("" : "+r"(value));
}

/// Asks for the cache line that lies `ahead` bytes after `place`, which need not be there.
BANKHOOK_INLINE void prefetch(const void* place, std::size_t ahead = 0) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(place) + ahead));
}

/// Asks for a text's first cache lines, all of a small event, at once. The reader looks at the end of a text before it
/// reads the start: where both are out of the cache, it would wait for the one and then for the other.
BANKHOOK_INLINE void prefetch_text(const char* text, std::size_t size) {
  constexpr std::size_t line = 64, most = 2048;
  for (std::size_t at = 0; at < size && at < most; at += line) prefetch(text + at);
}

/// An empty statement that stays where it is: what is written before and after it is not written at once.
BANKHOOK_INLINE void compiler_barrier() { __asm__ volatile(""); }

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::base

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

// The wire name of the map-provider place field: the specification shows a stand-in, the user gives the name (2.4, Note).
// A name without quotes, for a target or for a file: `target_compile_definitions(app PRIVATE
// BANKHOOK_PLACE_ID=mapPlaceId)`. Units with different words share no function (BANKHOOK_ABI). A name that is no word, such
// as `map-place`, stands in quotes in BANKHOOK_PLACE_ID_TEXT, and a word for it alone in BANKHOOK_PLACE_ID.
#if defined(BANKHOOK_PLACE_ID_TEXT)
inline constexpr std::string_view given_place_id_name = BANKHOOK_PLACE_ID_TEXT;
static_assert(!given_place_id_name.empty(), "write a name in BANKHOOK_PLACE_ID_TEXT: it is empty");
#elif defined(BANKHOOK_PLACE_ID)
inline constexpr std::string_view given_place_id_name = BANKHOOK_TEXT(BANKHOOK_PLACE_ID);
#else
/// No name is given: it is derived from `place_id`, which yields the stand-in.
inline constexpr std::string_view given_place_id_name{};
#endif

/// Whether the name is known. Under a stand-in, what follows from the field's absence is assumed, not stated. A template,
/// so that a binding whose users give the name at run time can replace it.
template <class = void>
inline constexpr bool place_id_is_named = !given_place_id_name.empty();

}}}  // namespace bankhook::BANKHOOK_ABI::detail
