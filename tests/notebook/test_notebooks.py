# SPDX-License-Identifier: MIT
"""The notebooks run from top to bottom in a real kernel, show what they promise, and are kept without outputs."""

from __future__ import annotations

import functools
import json
import os
import tomllib
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# A notebook is executed once, for all tests of it.
notebooks = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)

# The cells that show something, by their id, and a word that is seen there.
SHOWN = {
    "archive_as_tables": {
        "archive": "2026-06.ndjson",
        "polars": "validated",
        "rules": "2026-03",
        "funnel": "rejected",
        "rejections": "<svg",
        "consents": "<svg",
        "errors": "<svg",
        "spark": "validated",
    },
    "first_event": {
        "parse": "InitialTransactionUpdate",
        "lifecycle": "transaction_lifecycle",
        "diagnose": "<mark>",
        "unknown-value": "not listed",
        "unknown-event": "UnknownEvent",
    },
    "prototype_a_consumer": {
        "sandbox": "BankConnectionsUpdateV2",
        "first-outcomes": "specified",
        "repeat": "repeat",
        "deliveries": "Tracker",
        "quarantine": "<mark>",
        "surprise": "unspecified",
        "joint": "JointAccounts",
        "timeline": "<svg",
        "lifecycle": "<svg",
    },
}


@functools.cache
def executed(path: Path) -> Any:
    """The notebook with its outputs; raises where a cell does."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    # Where a kernel of the user's own has the same name, ours is meant.
    own = {"JUPYTER_DATA_DIR": "/nonexistent", "JUPYTER_PATH": "", "IPYTHONDIR": str(ROOT / "build" / ".ipython")}
    with mock.patch.dict(os.environ, own):
        NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return notebook


def seen(output: Any) -> str:
    """What a notebook shows of an output: the richest form that it has."""
    if "data" not in output:
        return str(output.get("text", ""))
    return str(
        next(
            (output.data[form] for form in ("text/html", "image/svg+xml") if form in output.data), output.data["text/plain"]
        )
    )


@notebooks
def test_a_notebook_runs_from_top_to_bottom(path: Path) -> None:
    for cell in executed(path).cells:
        for output in cell.get("outputs", ()):
            assert output.output_type != "error"
            assert output.get("name") != "stderr" or cell.id == "spark", output.text  # Java warns of what it has not


@notebooks
def test_what_matters_shows_itself(path: Path) -> None:
    outputs = {cell.id: cell.get("outputs", ()) for cell in executed(path).cells}
    for name, word in SHOWN[path.stem].items():
        shown = "".join(seen(output) for output in outputs[name])
        assert path.stem == "archive_as_tables" or 'class="bankhook"' in shown, name
        assert word in shown or (name == "spark" and "Skipped: " in shown), name


@notebooks
def test_every_picture_comes_without_scripts_and_without_the_network(path: Path) -> None:
    for cell in executed(path).cells:
        for output in cell.get("outputs", ()):
            shown = seen(output)
            assert "<script" not in shown
            assert "http" not in shown.replace("http://www.w3.org", "")


@notebooks
def test_there_is_text_where_nothing_is_drawn(path: Path) -> None:
    for cell in executed(path).cells:
        for output in cell.get("outputs", ()):
            assert "data" not in output or output.data["text/plain"]


@notebooks
def test_a_notebook_lies_in_the_tree_without_outputs_in_one_form(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
        assert "".join(cell["source"]).strip() == "".join(cell["source"])
    assert text == json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}


@notebooks
def test_a_notebook_is_of_the_format_and_its_cells_have_names(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    names = [cell.id for cell in notebook.cells]
    assert len(set(names)) == len(names)
    assert SHOWN[path.stem].keys() <= set(names)


def test_the_notebooks_run_with_what_their_extra_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(project["project"]["optional-dependencies"]["notebook"]) <= set(project["dependency-groups"]["notebooks"])
    for path in NOTEBOOKS:
        assert "pip install '.[notebook]'" in path.read_text(encoding="utf-8")
