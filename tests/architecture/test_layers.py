# SPDX-License-Identifier: MIT
"""The layering test: the tree keeps the rules of the architecture, and a tree that breaks one is found out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from architecture.layers import LAYERS, MAX_CODE_LINES, MAX_LINES, violations

ROOT = Path(__file__).parents[2]
HEAD = "// SPDX-License-Identifier: MIT\n// One sentence.\n#pragma once\n"
FIRST = HEAD + "#include <bankhook/base/compiler.hpp>\n"
OPENED = "namespace bankhook { inline namespace BANKHOOK_ABI {"
SOURCE = "// SPDX-License-Identifier: MIT\n// One sentence.\n"


def write(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_the_tree_keeps_the_rules_of_the_architecture() -> None:
    assert list((ROOT / "include" / "bankhook").rglob("*.hpp"))
    assert violations(ROOT) == []


def test_the_layers_in_the_guide_are_those_of_the_test() -> None:
    rows = re.findall(r"^\| (\d) \| `(\w+)/` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert {folder: int(layer) for layer, folder in rows} == LAYERS


def test_every_folder_of_the_library_is_a_layer_and_every_layer_a_folder() -> None:
    folders = {path.name for path in (ROOT / "include" / "bankhook").iterdir() if path.is_dir()}
    assert folders == LAYERS.keys()


def test_a_tree_in_order_has_no_violations(tmp_path: Path) -> None:
    write(tmp_path, "include/bankhook/base/a.hpp", FIRST + "#define A 1\n#if A\n#endif\n#include <immintrin.h>\n")
    write(tmp_path, "include/bankhook/json/b.hpp", HEAD + "#include <bankhook/base/a.hpp>\n#include <vector>\n")
    inside = "// #define no macro\n" + OPENED + "\n/// Words.\nnamespace words {\n}\n}}\n"
    write(tmp_path, "include/bankhook/json/c.hpp", HEAD + "#include <bankhook/json/b.hpp>\n" + inside)
    write(tmp_path, "include/bankhook/bankhook.hpp", HEAD + "#include <bankhook/json/c.hpp>\n")
    write(tmp_path, "bindings/own.hpp", HEAD + "#include <Python.h>\n")
    write(tmp_path, "bindings/library.hpp", HEAD + "#include <bankhook/bankhook.hpp>\n")
    write(tmp_path, "bindings/module.cpp", SOURCE + '#include "library.hpp"\n#include "own.hpp"\n#include <span>\n')
    assert violations(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "text", "violation"),
    [
        ("include/bankhook/text/x.hpp", HEAD + "#include <bankhook/json/b.hpp>\n", "text does not stand above json"),
        ("include/bankhook/json/x.hpp", HEAD + "#include <bankhook/domain/b.hpp>\n", "json does not stand above domain"),
        (
            "include/bankhook/json/x.hpp",
            HEAD + "# include <bankhook/bankhook.hpp>\n",
            "<bankhook/bankhook.hpp>: only public headers include a public header",
        ),
        ("include/bankhook/json/x.hpp", HEAD + "#include <bankhook/attic/b.hpp>\n", "no layer is called attic"),
        ("include/bankhook/attic/x.hpp", HEAD, "no layer is called attic"),
        ("include/bankhook/other.hpp", HEAD + "int x;\n", "a public header holds more than includes"),
        (
            "include/bankhook/bankhook.hpp",
            FIRST + "#include <vector>\n",
            "<vector>: a public header includes the library only",
        ),
        ("include/bankhook/bankhook.hpp", HEAD + "int x;\n", "a public header holds more than includes"),
        ("include/bankhook/json/x.hpp", HEAD + '#include "b.hpp"\n', "not included by its full path"),
        ("include/bankhook/json/x.hpp", FIRST + "#include <simdjson.h>\n", "not of the standard library"),
        ("include/bankhook/json/x.hpp", FIRST + "#include <iostream>\n", "no input or output"),
        ("include/bankhook/json/x.hpp", HEAD + "#include <vector>\n", "<vector> comes before <bankhook/base/compiler.hpp>"),
        ("include/bankhook/json/x.hpp", HEAD + "void f() { throw 1; }  // throw\n", "throws"),
        ("include/bankhook/json/x.hpp", HEAD + "#define X 1\n", "#define outside base/"),
        ("include/bankhook/json/x.hpp", HEAD + "  # ifdef X\n", "#ifdef outside base/"),
        ("include/bankhook/json/x.hpp", HEAD + 'auto t = R"(//)";\n#undef X\n', "#undef outside base/"),
        (
            "include/bankhook/json/x.hpp",
            FIRST + "namespace bankhook::detail::json {\n}\n",
            "`namespace bankhook::detail::json {` is not `namespace bankhook { inline namespace BANKHOOK_ABI {`",
        ),
        (
            "include/bankhook/json/x.hpp",
            FIRST + "namespace bankhook::inline BANKHOOK_ABI::detail {\n}\n",
            "tags do not see it",
        ),
        (
            "include/bankhook/json/x.hpp",
            FIRST + OPENED + "\nnamespace json {\n}\n}}\n",
            "namespace json is internal, and not in `bankhook::detail`",
        ),
        (
            "include/bankhook/json/x.hpp",
            HEAD + OPENED + " namespace detail { namespace json {\n}}}}\n",
            "BANKHOOK_ABI is defined in <bankhook/base/compiler.hpp>, which it does not include",
        ),
        ("include/bankhook/base/x.hpp", HEAD.replace("MIT", "ISC"), "line 1 is not"),
        ("include/bankhook/base/x.hpp", HEAD.replace("One sentence.", "no sentence"), "line 2 is not"),
        ("include/bankhook/base/x.hpp", HEAD.replace("#pragma", "// #pragma"), "line 3 is not"),
        ("include/bankhook/base/x.hpp", HEAD + "\n" * MAX_LINES, "lines, at most"),
        ("python/bankhook/x.py", "x = 1\n" * (MAX_CODE_LINES + 1), "lines of code, at most"),
        ("tests/json/x.cpp", SOURCE + 'TEST_CASE("-0 is 0") {}\n', "begins with a letter or a digit"),
        ("tests/json/x.cpp", "\n// One sentence.\n", "line 1 is not"),
        ("bindings/x.cpp", SOURCE + "#include <bankhook/bankhook.hpp>\n", "bindings include library.hpp"),
        ("bindings/x.cpp", SOURCE + "#include <simdjson.h>\n", "the standard library only"),
        ("bindings/x.cpp", SOURCE + '#include "elsewhere.hpp"\n', "the standard library only"),
    ],
)
def test_a_violation_is_found(tmp_path: Path, path: str, text: str, violation: str) -> None:
    write(tmp_path, path, text)
    found = violations(tmp_path)
    assert len(found) == 1
    assert found[0].startswith(f"{path}: ")
    assert violation in found[0]


def test_a_circle_of_includes_is_found(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
        write(tmp_path, f"include/bankhook/json/{name}.hpp", HEAD + f"#include <bankhook/json/{other}.hpp>\n")
    found = [violation for violation in violations(tmp_path) if "circle" in violation]
    assert found == ["include/bankhook/json/a.hpp: circle of includes: json/a.hpp > json/b.hpp > json/c.hpp > json/a.hpp"]
