# SPDX-License-Identifier: MIT
"""What the tab key offers: of objects by `dir`, and in a notebook of what was not run yet, by the stub."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bankhook
from bankhook import _core
from installed import need_packages
from python.parsed import one_of_each

pytestmark = pytest.mark.slow

FIELDS = {cls: {field.name for field in bankhook.fields(cls)} for cls in _core._classes}
METHODS = {"from_dict", "from_json", "from_wire", "replace", "to_dict", "to_json", "to_wire"}

# A shell as a notebook has one, without history; argument: the code to run, and what is typed then.
NOTEBOOK = """\
import json, sys
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config
shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
run, typed, use_jedi = sys.argv[1:]
shell.run_cell(run)
shell.Completer.use_jedi = bool(use_jedi)
shell.Completer.jedi_compute_type_timeout = shell.Completer.jedi_compute_type_timeout * 100
with provisionalcompleter():
    print(json.dumps([completion.text for completion in shell.Completer.completions(typed, len(typed))]))
"""


def public_names(item: object) -> set[str]:
    return {name for name in dir(item) if not name.startswith("_")}


def completions(tmp_path: Path, run: str, typed: str, *, use_jedi: bool) -> set[str]:
    """What IPython's own completer offers after what was typed."""
    need_packages("IPython")
    command = [sys.executable, "-c", NOTEBOOK, run, typed, "yes" if use_jedi else ""]
    environment = os.environ | {"IPYTHONDIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    texts: list[str] = json.loads(said.splitlines()[-1])
    return {text.rpartition(".")[2].rstrip("(") for text in texts}


@pytest.mark.parametrize("value", one_of_each(), ids=lambda value: type(value).__name__)
def test_dir_lists_the_fields_and_the_methods_and_nothing_else(value: object) -> None:
    derived = {"raw", "is_in_error"} & set(vars(type(value)))
    assert public_names(value) == public_names(type(value)) == FIELDS[type(value)] | METHODS | derived


@pytest.mark.parametrize("use_jedi", [False, True], ids=["dir", "jedi"])
def test_a_notebook_offers_the_fields_of_an_object(tmp_path: Path, use_jedi: bool) -> None:
    run = "import bankhook; account = bankhook.Account(id='acc-1', account_hash=None)"
    offered = completions(tmp_path, run, "account.", use_jedi=use_jedi)
    assert {"id", "account_hash"} | METHODS <= offered


def test_a_notebook_offers_the_fields_of_what_was_not_run_yet(tmp_path: Path) -> None:
    """Jedi does not run code: it reads the stub."""
    typed = "bankhook.Sandbox().reject('it-1', 'x')."
    offered = completions(tmp_path, "import bankhook", typed, use_jedi=True)
    assert {"initial_transaction", "event_type"} | METHODS <= offered


def test_a_notebook_offers_everything_that_the_package_has(tmp_path: Path) -> None:
    assert set(bankhook.__all__) - {"__version__"} <= completions(tmp_path, "import bankhook", "bankhook.", use_jedi=False)


def test_a_notebook_offers_the_keywords_of_a_constructor(tmp_path: Path) -> None:
    offered = completions(tmp_path, "import bankhook", "bankhook.Account(", use_jedi=False)
    assert {"id=", "account_hash="} <= offered
