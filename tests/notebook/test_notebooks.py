# SPDX-License-Identifier: MIT
"""The notebooks run from top to bottom in a real kernel, show what they promise, and are kept with the outputs of today."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest

from bankhook._render.hues import HUES, INK
from notebooks import executed, kept, said, seen
from screenshots import SCHEMES, SHOTS, described, html_of, path_of, size_of, summary

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
        "receive": "parked: 6 ValueError",
    },
}


@notebooks
def test_a_notebook_runs_from_top_to_bottom(path: Path) -> None:
    for cell in executed(path).cells:
        for output in cell.get("outputs", ()):
            assert output.output_type != "error"
            # Java warns of what it has not, and what is parked is logged.
            assert output.get("name") != "stderr" or cell.id in ("spark", "receive"), output.text


@notebooks
def test_what_matters_shows_itself(path: Path) -> None:
    outputs = {cell.id: cell.get("outputs", ()) for cell in executed(path).cells}
    for name, word in SHOWN[path.stem].items():
        shown = "".join(seen(output) for output in outputs[name])
        assert path.stem == "archive_as_tables" or name in ("receive", "lifecycle") or 'class="bankhook"' in shown, name
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


@pytest.mark.parametrize("name", SHOTS)
def test_the_pictures_of_a_cell_show_what_it_shows_today(name: str) -> None:
    light, dark = (path_of(name, scheme).read_bytes() for scheme in SCHEMES)
    assert size_of(light) == size_of(dark)
    assert min(size_of(light)) > 100
    assert light != dark
    today = summary(html_of(name))
    assert described(light) == described(dark) == today, "run tools/pictures.py"


@notebooks
def test_the_outputs_in_the_tree_are_those_of_today(path: Path) -> None:
    """Texts, tables and the specification of each chart; how a figure is drawn is the affair of what draws it."""
    committed = json.loads(path.read_text(encoding="utf-8"))["cells"]
    today = executed(path)
    for cell, fresh, outputs in zip(committed, today.cells, kept(today), strict=True):
        if cell["cell_type"] == "code" and "Skipped: " not in str(outputs):
            assert cell["execution_count"] == fresh.execution_count
            assert [said(one) for one in cell["outputs"]] == [said(one) for one in outputs], (
                f"{cell['id']}: run tools/pictures.py"
            )


@notebooks
def test_a_notebook_lies_in_the_tree_in_one_form_and_tells_no_place(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}
        assert "".join(cell["source"]).strip() == "".join(cell["source"])
        for output in cell.get("outputs", ()):
            assert "application/vnd" not in str(list(output.get("data", ())))  # code hosts run nothing
            assert (
                not {"image/svg+xml", "text/html"} <= output.get("data", {}).keys()
            )  # they show what has styles without them
            assert not re.search(r"/tmp|/home|/root|site-packages|vega-lite/v|127\.0\.0\.1", json.dumps(output))
    assert text == json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}
    assert notebook["metadata"]["language_info"] == {"name": "python"}
    assert len(text) < 500_000


@notebooks
def test_a_notebook_is_of_the_format_and_its_cells_have_names(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    names = [cell.id for cell in notebook.cells]
    assert len(set(names)) == len(names)
    assert SHOWN[path.stem].keys() <= set(names)


@notebooks
def test_a_notebook_and_its_charts_have_no_colours_but_those_of_all_views(path: Path) -> None:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        charts = [output.get("metadata", {}).get("chart") for output in cell.get("outputs", ())]
        colours = re.findall(r"#[0-9a-fA-F]{6}(?=[0-9a-fA-F]{2}\b|\b)", f"{cell['source']} {charts}")
        assert set(colours) <= {*HUES.values(), INK}


def test_the_notebooks_name_their_extra() -> None:
    for path in NOTEBOOKS:
        assert "pip install '.[notebook]'" in path.read_text(encoding="utf-8")
