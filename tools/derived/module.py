# SPDX-License-Identifier: MIT
"""The C++ module: every public name of the headers, exported."""

from __future__ import annotations

from derived.reference import Headers
from public_names import ROOT, public_headers

__all__ = ["MODULE", "module"]

MODULE = ROOT / "cmake" / "bankhook.cppm"
_HEAD = """\
// SPDX-License-Identifier: MIT
// The module of all public names: `import bankhook;`. Written by `./dev docs --write`.
// What bankhook::compiled has is compiled in this unit, too, and not in those that import it.
module;
#define BANKHOOK_COMPILED
#define BANKHOOK_COMPILING

"""


def module(headers: Headers) -> str:
    """The unit of the module as the headers say today. `<<` is one name for what prints, and no overload of it has a page."""
    names = dict.fromkeys(["bankhook::operator<<", *(name.name for name in headers.names)])
    exported = [f"export namespace {name.rpartition('::')[0]} {{ using {name}; }}" for name in names]
    included = [f"#include <bankhook/{header}>" for header in public_headers()]
    return _HEAD + "\n".join([*included, "", "export module bankhook;", "", *exported]) + "\n"
