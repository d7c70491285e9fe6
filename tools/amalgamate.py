# SPDX-License-Identifier: MIT
"""Makes one header of some of the library's: `python tools/amalgamate.py bankhook.hpp >FILE`.

What they include of the library is put where it is included first, without comments.
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
# A text, or a comment with the blanks before it.
_TOKEN = re.compile(
    r"""(R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')|[ \t]*(?://[^\n]*|/\*.*?\*/)""",
    re.DOTALL,
)
_INCLUDE = re.compile(r"#include <(bankhook/)?[^>]+>")


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


def amalgamated(*headers: str) -> str:
    """The text of one header that has what these public headers have."""
    included: set[str] = set()
    body = [line for header in headers for line in _lines(f"bankhook/{header}", included)]
    version = (INCLUDE / "bankhook/base/version.hpp").read_text(encoding="utf-8").split('version = "')[1].split('"')[0]
    return HEAD.format(version=version, headers=" and ".join(headers)) + "\n".join(body) + "\n"


if __name__ == "__main__":
    sys.stdout.write(amalgamated(*sys.argv[1:]))
