# SPDX-License-Identifier: MIT
"""What stands directly in `bankhook` is public, and tools that read tags find it: `ctags -R include`."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from installed import missing

ROOT = Path(__file__).parents[2]
PUBLIC = re.compile(
    r"^export namespace bankhook(?:::table_words)? \{ using bankhook::(?:table_words::)?(\S+); \}$", re.MULTILINE
)
CONCEPT = re.compile(r"^concept (\w+)", re.MULTILINE)


def exported() -> set[str]:
    return set(PUBLIC.findall((ROOT / "cmake" / "bankhook.cppm").read_text()))


def tagged() -> dict[str, str]:
    """The names that tags have directly in `bankhook`, each with its kind."""
    if shutil.which("ctags") is None:
        missing("ctags")
    options = ["--languages=C++", "--langmap=C++:.hpp", "--c++-kinds=+p", "--fields=sZk", "--extras=-{anonymous}"]
    command = ["ctags", "-R", *options, "-f", "-", "include"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        missing(f"Universal Ctags ({run.stderr.strip()})")
    lines = [line.split("\t") for line in run.stdout.splitlines()]
    inside = re.compile(r"scope:namespace:bankhook::BANKHOOK_\w+(?:::table_words)?")
    return {line[0]: line[3] for line in lines if any(map(inside.fullmatch, line[4:]))}


def test_what_stands_in_bankhook_is_public() -> None:
    found = {name for name in tagged() if not name.startswith(("operator", "BANKHOOK_"))}
    assert found - exported() == {"detail", "table_words"}


def test_tags_have_every_public_class_and_function() -> None:
    """Of concepts and of what lambdas initialise they know nothing."""
    headers = [path.read_text() for path in (ROOT / "include").rglob("*.hpp")]
    unknown = {name for text in headers for name in CONCEPT.findall(text)} | {"enumerator_names"}
    missing = {name for name in exported() - tagged().keys() - unknown if not name.startswith("operator")}
    assert len(exported()) > 150
    assert missing == set()
