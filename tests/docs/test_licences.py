# SPDX-License-Identifier: MIT
"""The page for whoever evaluates the library names each package that an extra brings, under the licence that it states."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from docs.snippets import ROOT

PAGE = (ROOT / "docs" / "evaluate.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|`]+) \| ([\w.-]+(?:, [\w.-]+)*) \|$", PAGE.split("| licence |")[1], re.MULTILINE)
LICENCES = {name: licence for licence, names in ROWS for name in names.split(", ")}
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
# How packages write the licences of the table.
WRITTEN = {"Apache": "Apache-2.0", "BSD": "BSD", "LGPL": "LGPL-3.0", "MIT": "MIT", "MPL": "MPL-2.0", "PSF": "PSF-2.0"}


def stated(package: importlib.metadata.Distribution) -> str:
    """The licence that a package states, in the words of the table."""
    about = package.metadata
    kinds = [kind for kind in about.get_all("Classifier", []) if kind.startswith("License ::")]
    lines = [line.split("\n")[0] for line in about.get_all("License", [])]
    text = " ".join([*about.get_all("License-Expression", []), *kinds, *lines])
    found = {licence for word, licence in WRITTEN.items() if re.search(rf"\b{word}\b|\({word}|{word}-", text)}
    return found.pop() if len(found) == 1 else "several of these"


def brought(requirement: Requirement, found: dict[str, importlib.metadata.Distribution]) -> None:
    """All packages of this environment that a requirement brings."""
    name = canonicalize_name(requirement.name)
    if name == "bankhook":
        wanted = [line for extra in requirement.extras for line in EXTRAS[extra]]
    else:
        try:
            found[f"{name}[{','.join(sorted(requirement.extras))}]"] = package = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            return
        wanted = package.requires or []
    for line in map(Requirement, wanted):
        marked = line.marker is None or any(line.marker.evaluate({"extra": one}) for one in ("", *requirement.extras))
        if marked and f"{canonicalize_name(line.name)}[{','.join(sorted(line.extras))}]" not in found:
            brought(line, found)


@pytest.mark.parametrize("extra", EXTRAS)
def test_each_package_of_an_extra_is_named_with_the_licence_that_it_states(extra: str) -> None:
    found: dict[str, importlib.metadata.Distribution] = {}
    brought(Requirement(f"bankhook[{extra}]"), found)
    licences = {name.split("[")[0]: stated(package) for name, package in found.items()}
    assert licences == {name: LICENCES.get(name) for name in licences}


def test_no_package_is_named_twice() -> None:
    assert len(LICENCES) == sum(len(names.split(", ")) for _, names in ROWS) > 40
