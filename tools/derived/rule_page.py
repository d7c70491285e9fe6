# SPDX-License-Identifier: MIT
"""The page that rules link to in a terminal: what `bankhook rule` prints of each, with light and dark colours."""

from __future__ import annotations

import contextlib
import html
import io

import bankhook
from bankhook._render.progress import set_colours
from bankhook.cli.rule import explain
from public_names import ROOT

__all__ = ["RULE_PAGE", "rule_page"]

RULE_PAGE = ROOT / "python" / "bankhook" / "cli" / "rules.html"
_STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
pre{font:14px/1.4 ui-monospace,Menlo,Consolas,monospace;overflow-x:auto}
section{border-left:4px solid transparent;padding-left:1rem}
section:target{border-color:#0969da}
h2{font:bold 1.1rem ui-monospace,Menlo,Consolas,monospace}
h2 a{color:inherit;text-decoration:none}
"""


def rule_page() -> str:
    """The page as the code says today."""
    sections = "\n".join(map(_section, bankhook.rules))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n<title>The rules of bankhook</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>The rules of bankhook</h1>\n"
        "<p>Each with its sentence, its section of the specification, what it rests on, a sample that breaks it, and what a\n"
        f"sample that does not has in the same place.</p>\n{sections}\n</body>\n</html>\n"
    )


def _section(rule: bankhook.types.Rule) -> str:
    set_colours("never")  # whatever runs this
    with contextlib.redirect_stdout(io.StringIO()) as said:
        explain(rule)
    set_colours("auto")
    text = said.getvalue().partition("\n")[2].rstrip("\n")
    return (
        f'<section id="{rule.id}">\n<h2><a href="#{rule.id}">{rule.id}</a></h2>\n<pre>{html.escape(text)}</pre>\n</section>'
    )
