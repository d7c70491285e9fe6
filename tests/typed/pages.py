# SPDX-License-Identifier: MIT
"""The Python of the pages and notebooks as modules, whose lines are the lines of the page: for the type checkers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from docs.snippets import ROOT, pages, snippets

__all__ = ["sources", "write_modules"]


def sources() -> list[Path]:
    """Return the pages that have Python for their readers, and the notebooks."""
    return [*(page for page in pages() if snippets(page, "python")), *sorted((ROOT / "notebooks").glob("*.ipynb"))]


def write_modules(folder: Path) -> dict[Path, Path]:
    """Write a module for each page and notebook, and the files that pages show; return the source of each."""
    folder.mkdir(parents=True)
    written: dict[Path, Path] = {}
    for source in sources():
        module = "_".join(source.relative_to(ROOT).with_suffix("").parts).replace("-", "_")
        blocks = _cells(source) if source.suffix == ".ipynb" else _blocks(source)
        for name, text in {f"{module}.py": _joined(blocks), **_files(source)}.items():
            assert folder / name not in written, f"{source}: another page shows a file that is called {name}, too"
            (folder / name).write_text(text, encoding="utf-8")
            written[folder / name] = source
    return written


def _blocks(page: Path) -> list[tuple[int, str]]:
    """A reader goes on from one snippet to the next."""
    return [(each.line, each.text) for each in snippets(page, "python") if each.file is None]


def _files(source: Path) -> dict[str, str]:
    if source.suffix == ".ipynb":
        return {}
    return {each.file: "\n" * (each.line - 1) + each.text for each in snippets(source, "python") if each.file is not None}


def _cells(notebook: Path) -> list[tuple[int, str]]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    # A cell may await; a module runs what it would await.
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return [(1, re.sub(r"^await (.+)$", r"__import__('asyncio').run(\1)", text, flags=re.MULTILINE)) for text in texts]


def _joined(blocks: Iterable[tuple[int, str]]) -> str:
    """Each block at its line, as far as those before it leave room."""
    lines: list[str] = []
    for line, text in blocks:
        lines += [""] * max(line - 1 - len(lines), 0) + text.splitlines()
    return "\n".join(lines) + "\n"
