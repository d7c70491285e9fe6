# SPDX-License-Identifier: MIT
"""What CI and a release run has versions: packages of the groups and extras, actions, and programs of the workflows."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from installed import missing

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def requirements(listed: list[Any]) -> Iterator[Requirement]:
    """What a group or an extra lists itself."""
    for one in listed:
        if isinstance(one, str) and not one.startswith("bankhook["):
            yield Requirement(one)


def pins(name: str) -> dict[str, list[Requirement]]:
    """The versions of a file with constraints, which may depend on the system."""
    found: dict[str, list[Requirement]] = {}
    for line in (ROOT / "packaging" / name).read_text(encoding="utf-8").splitlines():
        found.setdefault(canonicalize_name((one := Requirement(line)).name), []).append(one)
    return found


GROUPS = {**PROJECT["dependency-groups"], **PROJECT["project"]["optional-dependencies"]}
GROUPS["build-system"] = PROJECT["build-system"]["requires"]


@pytest.mark.parametrize("group", GROUPS)
def test_each_package_that_dev_installs_has_a_version_that_its_group_allows(group: str) -> None:
    known = pins("constraints-lint.txt" if group == "lint" else "constraints.txt")
    for wanted in requirements(GROUPS[group]):
        versions = known.get(canonicalize_name(wanted.name), [])
        assert versions, f"./dev pin: {wanted}"
        for one in versions:
            (version,) = one.specifier
            assert version.operator == "==" and wanted.specifier.contains(version.version), one


def test_a_workflow_runs_actions_of_a_commit_and_programs_of_a_version() -> None:
    texts = [path.read_text(encoding="utf-8") for path in WORKFLOWS]
    used = re.findall(r"uses: (.*)", "\n".join(texts))
    assert [one for one in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)] == []
    programs = re.findall(r"pipx run (\S+)", "\n".join(texts))
    assert programs and all(re.fullmatch(r"[\w-]+==[\d.]+", one) for one in programs)
    assert len(used) > 5


def audited(*workflows: Path) -> tuple[bool, str]:
    """Whether zizmor finds nothing, and its words."""
    program = Path(sys.prefix, "bin", "zizmor")
    if not program.exists():
        missing("zizmor")
    done = subprocess.run([program, "--offline", "--no-progress", *workflows], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def test_a_known_auditor_finds_nothing_in_the_workflows_and_something_in_a_wrong_one(tmp_path: Path) -> None:
    is_fine, words = audited(*WORKFLOWS)
    assert is_fine and "No findings to report" in words, words
    text = WORKFLOWS[-1].read_text(encoding="utf-8")
    (tmp_path / "test.yml").write_text(re.sub(r"@[0-9a-f]{40} # (v\d+)", r"@\1", text), encoding="utf-8")
    is_fine, words = audited(tmp_path / "test.yml")
    assert not is_fine and "unpinned-uses" in words
