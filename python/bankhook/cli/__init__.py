# SPDX-License-Identifier: MIT
"""The command `bankhook`: check and track archives, simulate the service, print schemas and lifecycles.

Needs the extra: `pip install 'bankhook[cli]'`. Each command has its own file; `commands` puts them together.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command with the arguments of the process and exit with its status."""
    try:
        from bankhook.cli.commands import run
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        sys.stderr.write("bankhook: click is missing: pip install 'bankhook[cli]'\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run())


__dir__ = __all__.copy
