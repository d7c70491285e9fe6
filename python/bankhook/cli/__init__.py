# SPDX-License-Identifier: MIT
"""The command `bankhook`: archives judged and followed, a sandbox to try a consumer on, schemas and lifecycles.

Needs the extra: `pip install 'bankhook[cli]'`. One file a command; `commands` only puts them together.
"""

from __future__ import annotations

import sys

__all__ = ["main"]

_EXTRAS = ("click", "rich")


def main() -> None:
    """Runs the command with the arguments of the process, and ends it with the command's exit status."""
    try:
        from bankhook.cli.commands import run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in _EXTRAS:
            raise
        sys.stderr.write(f"bankhook: {error.name} is missing: pip install 'bankhook[cli]'\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run())
