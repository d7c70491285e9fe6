# SPDX-License-Identifier: MIT
"""A repr over several lines, as a formatter of code would write it."""

from __future__ import annotations

import re

WIDTH = 88
_DEEPEST = 16  # levels of brackets: each is read again with the one around it, and a payload may have a thousand
_TOKENS = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[()\[\]{},]""", re.DOTALL)
_QUALIFIED = re.compile(r"\.\w+\($")  # `datetime.datetime(`: a value, which stays on its line


def wrapped(text: str, indent: int = 0) -> str:
    """Return a repr with each argument on a line of its own, wherever one line is too long for all of them."""
    return _wrapped(text, indent, _DEEPEST)


def _wrapped(text: str, indent: int, levels: int) -> str:
    parts = _arguments(text) if levels and indent + len(text) > WIDTH else None
    if parts is None:
        return text
    head, arguments, tail = parts
    margin = " " * (indent + 4)
    lines = "".join(f"{margin}{_wrapped(argument, indent + 4, levels - 1)},\n" for argument in arguments)
    return f"{head}\n{lines}{' ' * indent}{tail}"


def _arguments(text: str) -> tuple[str, list[str], str] | None:
    """Return the arguments in the first brackets, with what is before and after them; None without any."""
    depth = head = start = 0
    found: list[str] = []
    for token in _TOKENS.finditer(text):
        if token[0] in ("(", "[", "{"):
            depth += 1
            if depth == 1:
                head = start = token.end()
        elif token[0] in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                arguments = [one for one in (*found, text[start : token.start()].strip()) if one]
                is_value = _QUALIFIED.search(text, 0, head) is not None
                return (text[:head], arguments, text[token.start() :]) if arguments and not is_value else None
        elif token[0] == "," and depth == 1:
            found.append(text[start : token.start()].strip())
            start = token.end()
    return None
