# SPDX-License-Identifier: MIT
"""The notebooks with their outputs, as they are committed: code hosts show them, and run nothing.

`tools/pictures.py` writes them. What an output says is the same on every machine: a figure is an SVG, and has the
specification of its chart beside it, without ids and versions, so that a test can compare it with that of today.
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast
from unittest import mock

__all__ = ["FOLDER", "executed", "kept", "said", "seen", "texts", "write"]

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "notebooks"

# The last cell of a notebook that is executed: the specifications of the charts, by the number of the cell that shows one.
_CHARTS = """
import json
print(json.dumps({number: value.to_dict() for number, value in Out.items() if type(value).__module__.startswith("altair.")}))
"""


@functools.cache
def executed(path: Path) -> Any:
    """The notebook with its outputs; raises where a cell does. That of a chart has its specification as metadata."""
    import nbformat
    from nbclient import NotebookClient

    notebook = cast("Any", nbformat).read(path, as_version=4)
    notebook.cells.append(cast("Any", nbformat.v4).new_code_cell(_CHARTS))
    # Where a kernel of the user's own has the same name, ours is meant.
    own = {"JUPYTER_DATA_DIR": "/nonexistent", "JUPYTER_PATH": "", "IPYTHONDIR": str(ROOT / "build" / ".ipython")}
    with mock.patch.dict(os.environ, own):
        NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    charts = json.loads(notebook.cells.pop().outputs[0].text)
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "execute_result" and (chart := charts.get(str(output.execution_count))):
                output.metadata["chart"] = _without_ids(chart)
    return notebook


def _without_ids(chart: Any) -> Any:
    """A specification without the version of its language, and with numbers for the digests that name its data."""
    del chart["$schema"]
    text = json.dumps(chart)
    for number, name in enumerate(dict.fromkeys(re.findall(r"data-[0-9a-f]{32}", text)), 1):
        text = text.replace(name, f"data-{number}")
    return json.loads(text)


def kept(notebook: Any) -> list[list[Any]]:
    """The outputs of each cell as they are committed: no warnings of this machine, and a figure alone where there is one."""
    return [_kept(cell.get("outputs", ())) for cell in notebook.cells]


def _kept(outputs: Iterable[Any]) -> list[Any]:
    """What was printed in several parts is one: where it is parted is chance."""
    made: list[Any] = []
    for output in json.loads(json.dumps(outputs)):
        if "image/svg+xml" in output.get("data", ()):
            output["data"].pop("text/html", None)
        if output.get("name") == "stderr":
            continue
        if "text" in output and made and "text" in made[-1]:
            made[-1]["text"] += output["text"]
        else:
            made.append(output)
    return made


def said(output: Any) -> Any:
    """What an output says, whatever draws it: texts, tables, and the specification of a chart or the texts of another figure."""
    data = {form: "".join(text) for form, text in output.get("data", {}).items()}
    drawn = data.pop("image/svg+xml", None)
    forms = {form: texts(text)[0] if form == "text/html" else text for form, text in data.items()}
    figure = output["metadata"].get("chart") or sorted(texts(drawn)[0]) if drawn else None
    return "".join(output.get("text", "")), forms, figure


def seen(output: Any) -> str:
    """What a notebook shows of an output: the richest form that it has."""
    if "data" not in output:
        return str(output.get("text", ""))
    forms = (output.data[form] for form in ("text/html", "image/svg+xml") if form in output.data)
    return str(next(forms, output.data["text/plain"]))


def texts(html: str) -> tuple[list[str], str]:
    """The texts of a piece of HTML, each with the classes around it, and its styles."""
    found = _Texts(html)
    return found.texts, found.styles


class _Texts(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts = list[str]()
        self.styles = ""
        self._open: list[tuple[str, str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open.append((tag, dict(attrs).get("class") or ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self._open]
        if "style" in tags:
            self.styles += data
        elif data.strip():
            # What a drawing library calls its groups is its own affair.
            classes = "svg" if "svg" in tags else " ".join(filter(None, (names for _, names in self._open[1:])))
            self.texts.append(f"{classes}: {' '.join(data.split())}")


def write() -> None:
    """Write the outputs of today into each notebook."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        today = executed(path)
        for cell, fresh, outputs in zip(notebook["cells"], today.cells, kept(today), strict=True):
            if cell["cell_type"] == "code":
                cell["execution_count"] = fresh.execution_count
                cell["outputs"] = [_in_lines(output) for output in outputs]
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def _in_lines(output: Any) -> Any:
    """An output whose texts are lists of lines, as in a file."""
    for holder, names in ((output, ["text"]), (output.get("data", {}), list(output.get("data", ())))):
        holder.update({name: holder[name].splitlines(keepends=True) for name in names if name in holder})
    return output
