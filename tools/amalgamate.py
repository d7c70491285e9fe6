# SPDX-License-Identifier: MIT
"""Makes one header of some of the library's: `python tools/amalgamate.py bankhook.hpp >FILE`.

What they include of the library is put where it is included first, without comments. The standard library is included at
once, so that a namespace that one header closes and the next one opens again stays open.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["amalgamated"]

INCLUDE = Path(__file__).resolve().parents[1] / "include"

HEAD = """\
// SPDX-License-Identifier: MIT
// bankhook {version} in one file, made of {headers}; the sources have the comments.
#pragma once
#if defined(BANKHOOK_INLINE)
#error "bankhook is included twice: as one file, and as another one or as its sources"
#include <bankhook_is_included_twice>
#endif
"""
# A text, the comment at the end of a namespace, or any other comment with the blanks before it.
_TOKEN = re.compile(
    r"""(R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|  // namespace [^\n]*)"""
    r"""|[ \t]*(?://[^\n]*|/\*.*?\*/)""",
    re.DOTALL,
)
_INCLUDE = re.compile(r"#include <(bankhook/)?[^>]+>")
_CLOSED = r"^(}+)  // namespace (.*)\n"
_CLOSED_TWICE = re.compile(_CLOSED + _CLOSED, re.MULTILINE)
_REOPENED = re.compile(_CLOSED + r"((?:inline )?namespace .*\{)\n", re.MULTILINE)
_NAMESPACE = re.compile(r"(?:inline )?namespace [^{]+ {")
_CLOSING = re.compile("}+")


def _lines(name: str, included: set[str]) -> Iterator[str]:
    """The lines of a header, with those of what it includes first; an include of the standard library only once."""
    source = _TOKEN.sub(lambda token: token[1] or "", (INCLUDE / name).read_text(encoding="utf-8"))
    conditions = 0
    for line in source.splitlines():
        conditions += line.startswith("#if") - line.startswith("#endif")
        include = _INCLUDE.match(line)
        if not line.strip() or line == "#pragma once" or (include and line in included):
            continue
        if include and conditions == 0:
            included.add(line)
        if include and include[1]:
            yield from _lines(line[len("#include <") : -1], included)
        else:
            yield line


def _left_open(reopened: re.Match[str]) -> str:
    """What closes and opens only those namespaces in which the code before differs from the code after."""
    closed = reopened[2].split("::")
    opened = re.findall(r"((?:inline )?namespace (\w+) \{)", reopened[3])
    names = [name for _, name in opened]
    same = next((i for i in range(len(closed)) if closed[: i + 1] != names[: i + 1]), len(closed))
    lines = "}" * (len(closed) - same), " ".join(opening for opening, _ in opened[same:])
    return "".join(f"{line}\n" for line in lines if line)


def amalgamated(*headers: str) -> str:
    """The text of one header that has what these public headers have."""
    included: set[str] = set()
    lines = [line for header in headers for line in _lines(f"bankhook/{header}", included)]
    standard = [line for line in dict.fromkeys(lines) if line in included]
    first = lines.index(standard[0])  # after the checks of the compiler
    lines[first:] = standard + [line for line in lines[first:] if line not in included]
    body = _CLOSED_TWICE.sub(r"\3\1  // namespace \4::\2\n", "\n".join(lines) + "\n")
    body = re.sub(_CLOSED, r"\1\n", _REOPENED.sub(_left_open, body), flags=re.MULTILINE)
    version = (INCLUDE / "bankhook/base/version.hpp").read_text(encoding="utf-8").split('version = "')[1].split('"')[0]
    return HEAD.format(version=version, headers=" and ".join(headers)) + body


if __name__ == "__main__":
    sys.stdout.write(amalgamated(*sys.argv[1:]))
