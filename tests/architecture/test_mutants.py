# SPDX-License-Identifier: MIT
"""`./dev mutate`: which changes it makes, and that headers with all of them are the same program while none is on."""

from __future__ import annotations

from mutants import Key, cpp, python

HEADER = """// a < b
namespace n {
template <class T, int N = (1 < 2)>
struct S {
  static constexpr int most = 1 + 1;
  bool has(int x, std::vector<T>& all) const {
    constexpr int seven = 7;
    static_assert(seven == 7);
    if (x == 3) return true;
    if (is_open()) all.clear();
    return !all.empty() && x < f<2>(all);
  }
};
consteval bool yes() { return 1 < 2; }
}  // namespace n
"""
MODULE = '''def f(x: int = 1) -> "list[1]":
    """Give 2."""
    if x < 3 and not x:
        return f"{x + 1}"
    x.y = x
    return x is None
'''


def test_headers_are_changed_where_code_runs() -> None:
    changes = list(cpp.mutants_of("a.hpp", HEADER))
    assert [(one.change, HEADER[one.start : one.end]) for one in changes] == [
        ("== becomes !=", "x == 3"),
        ("3 becomes 3 + 1", "3"),
        ("dropped", "return true;"),
        ("not true", "true"),
        ("negated", "is_open()"),
        ("dropped", "all.clear();"),
        ("without !", "!"),
        ("&& becomes ||", "!all.empty() && x < f<2>(all)"),
        ("< becomes <=", "x < f<2>(all)"),
    ]


def test_changes_inside_of_each_other_are_switched_apart() -> None:
    changes = list(cpp.mutants_of("a.hpp", HEADER))
    lines = cpp.switched(HEADER, enumerate(changes)).splitlines()
    assert lines[8:11] == [
        (
            "    if ((mutant(0) ? x != (mutant(1) ? 3 + 1 : 3) : x == (mutant(1) ? 3 + 1 : 3)))"
            " { if (!mutant(2)) return (mutant(3) != true); }"
        ),
        "    if (mutant(4) != bool(is_open())) { if (!mutant(5)) all.clear(); }",
        (
            "    return (((mutant(7) != bool(mutant(6) != !all.empty()))"
            " && (mutant(7) != bool((mutant(8) ? x <= f<2>(all) : x < f<2>(all))))) != mutant(7));"
        ),
    ]
    assert cpp.switched(HEADER, []) == HEADER


def test_modules_are_changed_but_for_annotations_and_texts() -> None:
    changes = list(python.mutants_of("a.py", MODULE))
    assert [(one.change, MODULE[one.start : one.end], one.becomes) for one in changes] == [
        ("1 becomes 0", "1", "0"),
        ("dropped", 'return f"{x + 1}"', "pass"),
        ("And becomes Or", "x < 3 and not x", "(x < 3 or not x)"),
        ("Lt becomes LtE", "x < 3", "(x <= 3)"),
        ("3 becomes 4", "3", "4"),
        ("without not", "not x", "(x)"),
        ("dropped", "x.y = x", "pass"),
        ("Is becomes IsNot", "x is None", "(x is not None)"),
    ]


def test_a_change_is_named_by_its_line_and_not_by_its_number() -> None:
    before = set[Key]()
    twice = "x = 1\nx = 1\n"
    keys = [one.key(twice, before) for one in python.mutants_of("a.py", twice)]
    assert keys == [("a.py", "x = 1", "1 becomes 0"), ("a.py", "x = 1", "1 becomes 0 (2)")]
