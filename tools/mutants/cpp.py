# SPDX-License-Identifier: MIT
"""Changes of C++ headers that are compiled together, each switched on by its number while the program runs.

Goes by tokens and by the spaces of clang-format, which tell a comparison from an argument of a template. Left alone is what
only the compiler evaluates: it cannot be switched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mutants import Mutant

__all__ = ["SWITCH", "mutants_of", "switched"]

# Included first in each unit. BANKHOOK_MUTANT is -1, but where the compiler alone is asked what it makes of a change.
SWITCH = """#include <cstdio>
#include <cstdlib>
struct Mutants {
  int current = std::getenv("BANKHOOK_MUTANT") ? std::atoi(std::getenv("BANKHOOK_MUTANT")) : -1;
  bool reached[COUNT] = {};
  ~Mutants() {
    std::FILE* const file = std::getenv("BANKHOOK_REACHED") ? std::fopen(std::getenv("BANKHOOK_REACHED"), "w") : nullptr;
    for (int i = 0; file != nullptr && i < COUNT; ++i) {
      if (reached[i]) std::fprintf(file, "%d\\n", i);
    }
    if (file != nullptr) std::fclose(file);
  }
};
inline Mutants mutants;
constexpr bool mutant(int number) {
  if consteval {
    return number == BANKHOOK_MUTANT;
  } else {
    mutants.reached[number] = true;
    return number == mutants.current;
  }
}
"""

_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|^[ ]*\#(?:\\\n|[^\n])*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*'
    r"|\d(?:[\w.]|'\w)*|'(?:\\.|[^'\\\n])+'|<=>|<<=|>>=|\.\.\.|::|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|(?<= )>>(?=\s)|\S",
    re.DOTALL | re.MULTILINE,
)
_ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
_ENDS = _ASSIGNMENTS | {",", ";", "?", ":", "return", "throw", "else", "do"}
_EQUALITY = {"==": "!=", "!=": "=="}
_RELATION = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_STOPS = (
    dict.fromkeys(_RELATION, _ENDS | {"&&", "||", "&", "|", "^", *_EQUALITY, *_RELATION})
    | dict.fromkeys(_EQUALITY, _ENDS | {"&&", "||", "&", "|", "^", *_EQUALITY})
    | {"&&": _ENDS | {"||"}, "||": _ENDS}
)
# What these have in parentheses runs never, or only makes something faster.
_UNEVALUATED = {
    "static_assert",
    "decltype",
    "sizeof",
    "noexcept",
    "alignas",
    "alignof",
    "requires",
    "prefetch",
    "hide_value",
}
_NO_STATEMENT = {
    *(
        "return",
        "if",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "break",
        "continue",
        "using",
        "const",
        "constexpr",
    ),
    *("auto", "static", "else", "try", "throw", "template", "typename", "struct", "static_cast", "static_assert", "base"),
}


def switched(text: str, mutants: Iterable[tuple[int, Mutant]]) -> str:
    """Return the text with all these changes in it, and each of them off unless it is `mutant(number)`."""
    rest, out, low = sorted(mutants, key=lambda one: (one[1].start, -one[1].end)), list[str](), 0
    while rest:
        (number, outer), *rest = rest
        inner = [one for one in rest if one[1].end <= outer.end]
        rest = [one for one in rest if one[1].start >= outer.end]
        parts = [_part(text, part, inner) for part in outer.parts]
        out += text[low : outer.start], outer.becomes.format(*parts, m=f"mutant({number})")
        low = outer.end
    return "".join(out) + text[low:]


def _part(text: str, part: tuple[int, int], mutants: Iterable[tuple[int, Mutant]]) -> str:
    low, high = part
    moved = [
        (
            number,
            one._replace(start=one.start - low, end=one.end - low, parts=tuple((a - low, b - low) for a, b in one.parts)),
        )
        for number, one in mutants
        if low <= one.start and one.end <= high
    ]
    return switched(text[low:high], moved)


def mutants_of(path: str, text: str) -> Iterator[Mutant]:
    """Yield the changes of a header."""
    return _Header(path, text).mutants()


class _Header:
    def __init__(self, path: str, text: str) -> None:
        found = [one for one in _TOKEN.finditer(text) if not re.match(r"//|/\*|\s*#", one[0])]
        self._path, self._text = path, text
        self._tokens = [one[0] for one in found]
        self._spans = [one.span() for one in found]
        self._pairs = self._brackets()
        self._inside = [""] * len(found)  # the bracket around a token that runs, or nothing
        self._find_code()

    def mutants(self) -> Iterator[Mutant]:
        for i, token in enumerate(self._tokens):
            if not self._inside[i]:
                continue
            if token in _STOPS and self._is_spaced(i):
                yield from self._operator(i, token)
            elif token == "!":
                yield self._mutant(i, i, "without !", "{m} != !")
            elif token in ("true", "false"):
                yield self._mutant(i, i, f"not {token}", f"({{m}} != {token})")
            elif re.fullmatch(r"(0x[\dA-Fa-f']+|\d[\d']*)[uUlLzZ]*", token):
                other = "0" if token == "1" else f"{token} + 1"
                yield self._mutant(i, i, f"{token} becomes {other}", f"({{m}} ? {other} : {token})")
            elif token == "if" and self._tokens[i + 1] == "(":
                yield from self._condition(i + 1)
            elif self._begins_statement(i) and (end := self._end_of_statement(i)):
                yield self._mutant(i, end, "dropped", "{{ if (!{m}) {0} }}", (i, end))

    def _mutant(self, first: int, last: int, change: str, becomes: str, *parts: tuple[int, int]) -> Mutant:
        texts = tuple((self._spans[a][0], self._spans[b][1]) for a, b in parts)
        return Mutant(self._path, self._spans[first][0], self._spans[last][1], change, becomes, texts)

    def _operator(self, i: int, token: str) -> Iterator[Mutant]:
        first, last = self._operand_before(i, _STOPS[token]), self._operand_after(i, _STOPS[token] | {token})
        if "..." in self._tokens[first : last + 1] or not first < i < last:
            return
        other = {**_EQUALITY, **_RELATION, "&&": "||", "||": "&&"}[token]
        becomes = f"({{m}} ? {{0}} {other} {{1}} : {{0}} {token} {{1}})"
        if token in ("&&", "||"):  # a || b is !(!a && !b): each operand stands there once
            becomes = f"((({{m}} != bool({{0}})) {token} ({{m}} != bool({{1}}))) != {{m}})"
        yield self._mutant(first, last, f"{token} becomes {other}", becomes, (first, i - 1), (i + 1, last))

    def _condition(self, i: int) -> Iterator[Mutant]:
        """A condition of one operand, which no other change negates."""
        first, j = i + 1, i + 1
        while j < self._pairs[i]:
            if self._tokens[j] == ";":
                first = j + 1
            elif self._tokens[j] in _STOPS or self._tokens[j] in ("!", "="):
                return
            j = max(self._pairs.get(j, j), j) + 1
        yield self._mutant(first, j - 1, "negated", "{m} != bool({0})", (first, j - 1))

    def _begins_statement(self, i: int) -> bool:
        before = self._tokens[i - 1]
        if self._inside[i] != "{" or before not in (";", "{", "}", ")", "else"):
            return False
        if before == ")":
            return self._tokens[self._pairs[i - 1] - 1] in ("if", "for", "while")
        return before != "{" or self._tokens[i - 2] in (")", "]", "else", "do", "const", "mutable", "{", "}", ";")

    def _end_of_statement(self, i: int) -> int | None:
        """Return where an assignment, a call, or a return that depends on a condition, ends."""
        tokens, j = self._tokens, i
        if tokens[i] in ("return", "continue"):
            opening = i - 1 if tokens[i - 1] == ")" else i - 2
            is_conditional = tokens[opening] == ")" and tokens[self._pairs[opening] - 1] == "if"
            return self._operand_after(i, {";"}) + 1 if is_conditional else None
        if tokens[j] in ("++", "--", "*"):
            j += 1
        if not tokens[j][0].isalpha() or tokens[j] in _NO_STATEMENT:
            return None
        j += 1
        while tokens[j] in ("::", ".", "->") or (tokens[j] in "([<" and j in self._pairs):
            j = self._pairs[j] + 1 if j in self._pairs else j + 2
        if tokens[j] in _ASSIGNMENTS or tokens[j] in ("++", "--"):
            return self._operand_after(j, {";"}) + 1
        return j if tokens[j] == ";" and (tokens[j - 1] == ")" or tokens[i] in ("++", "--")) else None

    def _operand_before(self, i: int, stops: set[str]) -> int:
        j = i
        while j > 0:
            before = self._pairs.get(j - 1, j - 1)
            if before > j - 1 or (self._tokens[j - 1] in stops and self._is_stop(j - 1)):
                break
            if self._tokens[j - 1] == "}" and not re.match(r"[\w>]", self._tokens[before - 1]):
                break
            j = before
        return j

    def _operand_after(self, i: int, stops: set[str]) -> int:
        j = i + 1
        while self._pairs.get(j, j) >= j and not (self._tokens[j] in stops and self._is_stop(j)):
            j = self._pairs.get(j, j) + 1
        return j - 1

    def _is_stop(self, i: int) -> bool:
        return i not in self._pairs and (self._tokens[i] not in ("&", "*", "&&") or self._is_spaced(i))

    def _is_spaced(self, i: int) -> bool:
        start, end = self._spans[i]
        return i not in self._pairs and self._text[start - 1].isspace() and self._text[end].isspace()

    def _brackets(self) -> dict[int, int]:
        pairs, opened = dict[int, int](), list[int]()
        for i, token in enumerate(self._tokens):
            is_angle = token == "<" and self._tokens[i - 1] != "operator" and not self._text[self._spans[i][1]].isspace()
            if token in "([{" or is_angle:
                opened.append(i)
            elif token in ")]}" or (token == ">" and opened and self._tokens[opened[-1]] == "<"):
                while token != ">" and self._tokens[opened[-1]] == "<":
                    opened.pop()
                pairs[i] = opened.pop()
                pairs[pairs[i]] = i
        return pairs

    def _find_code(self) -> None:
        """Find what runs: bodies of functions, but what is constant in them."""
        modes, opened, head, constant = ["scope"], [""], 0, -1
        for i, token in enumerate(self._tokens):
            before = self._tokens[i - 1]
            if self._pairs.get(i, i) < i:
                modes.pop()
                opened.pop()
                if modes[-1] == "scope" and token == "}" and self._tokens[i + 1 : i + 2] not in ([","], ["{"]):
                    head = i + 1
            elif modes[-1] == "code" and i > constant:
                if token in ("static_assert", "using") or (token == "constexpr" and before not in (")", "if")):
                    constant = self._operand_after(i, {";"})
                elif token == "case":
                    constant = self._operand_after(i, {":"})
            runs = modes[-1] == "code" and i > constant
            self._inside[i] = opened[-1] if runs else ""
            if self._pairs.get(i, i) > i:
                modes.append(self._mode(i, "code" if runs else modes[-1] if modes[-1] == "scope" else "constant", head))
                opened.append(token)
                head = i + 1 if modes[-1] == "scope" else head
            elif modes[-1] == "scope" and token == ";":
                head = i + 1

    def _mode(self, i: int, mode: str, head: int) -> str:
        """Return what is in the bracket that is opened."""
        token, before, two_before = self._tokens[i], self._tokens[i - 1], self._tokens[i - 2]
        if mode == "scope":
            words, j = set[str](), head
            while j < i:
                words.add(self._tokens[j])
                j = max(self._pairs.get(j, j), j) + 1
            if token != "{" or "enum" in words:
                return "constant"
            if words & {"namespace", "struct", "class", "union"}:
                return "scope"
            is_function = "(" in words and "consteval" not in words and ("=" not in words or "operator" in words)
            return "code" if is_function else "constant"
        is_constant = token == "<" or before in _UNEVALUATED or (before, two_before) == ("constexpr", "if")
        is_attribute = token == "[" and "[" in (before, self._tokens[i + 1])
        is_declarator = token == "[" and before[0].isalpha() and re.match(r"[a-z>]", two_before) and two_before != "return"
        return "constant" if is_constant or is_attribute or is_declarator else mode
