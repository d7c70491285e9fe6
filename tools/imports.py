# SPDX-License-Identifier: MIT
"""Holds the package to the contracts of import-linter in pyproject.toml, the compiled module included.

import-linter reads Python. So it gets a copy of the package in which the stub stands for the compiled module, with an import for
each module of the package that the bindings name.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPY = ROOT / "build" / "imports"
CACHE = ROOT / "build" / ".import_linter_cache"


def main() -> int:
    """Return 0 if every contract is kept."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT / "python", COPY, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyi"))
    stub = ROOT / "python" / "bankhook" / "_core.pyi"
    sources = (path.read_text(encoding="utf-8") for path in sorted((ROOT / "bindings").rglob("*.[ch]pp")))
    (COPY / "bankhook" / "_core.py").write_text(stand_in(stub.read_text(encoding="utf-8"), *sources), encoding="utf-8")
    lint_imports = Path(sys.executable).with_name("lint-imports")
    command: list[str | Path] = [lint_imports, "--config", ROOT / "pyproject.toml", "--cache-dir", CACHE]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": str(COPY)}, check=False).returncode


def stand_in(stub: str, *sources: str) -> str:
    """Return the stub, followed by an import for each module of the package that C++ sources name."""
    named = {name for source in sources for name in re.findall(r'"(bankhook(?:\._?[a-z]\w*)+)"', source)}
    named -= {"bankhook.inbox", "bankhook.sandbox", "bankhook.types"}  # where users find a class
    return stub + "".join(f"import {name}\n" for name in sorted(named))


if __name__ == "__main__":
    sys.exit(main())
