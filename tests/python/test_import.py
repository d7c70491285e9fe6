# SPDX-License-Identifier: MIT
"""The package itself: what it offers, what it needs, and what importing it costs."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import bankhook

ROOT = Path(__file__).resolve().parents[2]


def said(code: str, *options: str) -> str:
    """What an interpreter of its own prints."""
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_everything_that_is_offered_is_there() -> None:
    assert sorted(bankhook.__all__) == bankhook.__all__
    for name in bankhook.__all__:
        assert hasattr(bankhook, name)


def test_everything_that_is_offered_says_what_it_is() -> None:
    for name in bankhook.__all__:
        item = getattr(bankhook, name)
        if isinstance(item, type) or callable(item):
            assert item.__doc__, name


def test_the_version_is_that_of_the_headers() -> None:
    version = (ROOT / "include" / "bankhook" / "base" / "version.hpp").read_text()
    assert f'"{bankhook.__version__}"' in version


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(bankhook.__file__).parent / "py.typed").is_file()


def test_importing_needs_nothing_outside_the_standard_library() -> None:
    code = "import sys; before = set(sys.modules); import bankhook; print(*sorted(set(sys.modules) - before))"
    modules = {name.partition(".")[0] for name in said(code).split()}
    # pybind11 keeps its own state under a name of this form.
    assert {name for name in modules - sys.stdlib_module_names if not name.startswith("__pybind11")} == {"bankhook"}


def test_importing_loads_nothing_that_is_slow_to_load() -> None:
    """How long an import takes is not tested, but what it takes so long for is: modules, counted."""
    code = "import sys; before = set(sys.modules); import bankhook; print(*sorted(set(sys.modules) - before))"
    modules = said(code).split()
    slow = {
        "asyncio",
        "dataclasses",
        "email",
        "gzip",
        "importlib.resources",
        "inspect",
        "json",
        "logging",
        "pathlib",
        "tempfile",
    }
    assert slow & set(modules) == set()
    assert len(modules) <= 53


def test_importing_prints_nothing_and_works_without_site_and_with_optimisation() -> None:
    assert said('import bankhook; bankhook.parse(b\'{"event":"x"}\')', "-OO", "-W", "error") == ""


def test_what_a_signal_raises_during_the_import_is_no_import_error() -> None:
    """pybind11 makes one of all that is raised while the extension is made."""
    code = """
        import sys
        class Interrupted:
            def find_spec(self, name, path=None, target=None):
                if name == "bankhook._records.absent":
                    sys.meta_path.remove(self)
                    raise stop
        for stop in KeyboardInterrupt, SystemExit(3):
            sys.meta_path.insert(0, Interrupted())
            try: import bankhook
            except (KeyboardInterrupt, SystemExit) as error: print(type(error).__name__, end=" ")
        import bankhook
        print(bankhook.parse('{"event":"x"}').event)
    """
    assert said(textwrap.dedent(code)) == "KeyboardInterrupt SystemExit x"


def test_where_the_extension_is_missing_the_error_names_it(tmp_path: Path) -> None:
    (tmp_path / "bankhook").mkdir()
    shutil.copy(bankhook.__file__, tmp_path / "bankhook")
    code = f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        try: import bankhook
        except ModuleNotFoundError as error: print(error)
    """
    assert said(textwrap.dedent(code)) == "No module named 'bankhook._core'"


def test_the_package_may_be_imported_again() -> None:
    code = "import bankhook, importlib; k = bankhook.Account; importlib.reload(bankhook); print(bankhook.Account is k)"
    assert said(code) == "True"
