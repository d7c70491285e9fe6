// SPDX-License-Identifier: MIT
// Meanings of values stand in the order of the enumerators, so that none is read as that of another.
// expect: write one meaning for each enumerator, in their order
// lines: 20
#include <bankhook/reflect/meaning.hpp>

#include <array>
#include <cstdint>

enum class Speed : std::uint8_t { fast, slow };

template <>
inline constexpr std::array bankhook::meanings_of<Speed>{
#ifdef CONTROL
    bankhook::Meaning{"fast", "It comes tomorrow"},
    bankhook::Meaning{"slow", "It comes"},
#else
    bankhook::Meaning{"slow", "It comes"},
    bankhook::Meaning{"fast", "It comes tomorrow"},
#endif
};

int main() { return bankhook::meaning_of(Speed::fast).empty() ? 1 : 0; }
