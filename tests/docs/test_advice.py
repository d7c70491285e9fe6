# SPDX-License-Identifier: MIT
"""No snippet does what breaks in production: share work by a salted hash, or change a tracker from a pool of threads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from docs.snippets import Snippet, pages, snippets

SNIPPETS = [snippet for page in pages() for snippet in snippets(page, "python")]
# What changes a tracker, a store or a sandbox that several requests share.
CHANGING = ("apply", "apply_lines", "merge")


def calls(tree: ast.AST) -> Iterator[str]:
    """The names of the functions and methods that are called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            yield (
                function.id
                if isinstance(function, ast.Name)
                else function.attr
                if isinstance(function, ast.Attribute)
                else ""
            )


def is_route(function: ast.FunctionDef) -> bool:
    """Whether it answers requests: FastAPI calls one that is not `async` from a pool of threads."""
    called = [decorator.func for decorator in function.decorator_list if isinstance(decorator, ast.Call)]
    return any(isinstance(each, ast.Attribute) and each.attr in ("get", "post", "put") for each in called)


def bad_advice(text: str) -> list[str]:
    """What of it a reader should not copy."""
    tree = ast.parse(text)
    found = ["hash() of a text is another one in each process"] if "hash" in calls(tree) else []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and is_route(node) and set(calls(node)) & set(CHANGING):
            found.append(f"{node.name} changes a tracker from a pool of threads")
    return found


@pytest.mark.parametrize("snippet", SNIPPETS, ids=str)
def test_a_snippet_can_be_copied(snippet: Snippet) -> None:
    assert bad_advice(snippet.text) == []


def test_bad_advice_is_found() -> None:
    route = "@router.post('/webhook')\n{}def receive(event):\n    tracker.apply(event)\n"
    assert bad_advice(route.format("")) == ["receive changes a tracker from a pool of threads"]
    assert bad_advice(route.format("async ")) == []
    assert bad_advice("workers[hash(event.customer.id) % 2].apply(event)") == [
        "hash() of a text is another one in each process"
    ]
