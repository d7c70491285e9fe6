# SPDX-License-Identifier: MIT
"""Links to files of the tree, such as headers, tests and the text of each page: they lead to a page that shows the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

ROOT = Path(__file__).resolve().parents[2]
LEXERS = {".hpp": "cpp", ".cpp": "cpp", ".py": "python", ".md": "markdown", ".tsv": "text", "": "bash"}


class LinksToSources(SphinxPostTransform):
    """A link that would download a file of the tree shows it instead."""

    default_priority = 5

    def run(self, **kwargs: Any) -> None:
        """Before Sphinx gathers what is downloaded."""
        for link in list(self.document.findall(addnodes.download_reference)):
            path = (Path(self.env.srcdir) / Path(self.env.docname).parent / link["reftarget"]).resolve()
            inside = path.relative_to(ROOT).as_posix()
            shown: set[str] = self.env.__dict__.setdefault("bankhook_sources", set())
            shown.add(inside)
            target = self.app.builder.get_relative_uri(self.env.docname, page_of(inside))
            link.replace_self(nodes.reference("", "", *link.children, internal=True, refuri=target))


def break_between_links(app: Sphinx, page: str, source: list[str]) -> None:
    """Links that follow each other in a table stand below each other."""
    source[0] = "\n".join(line.replace("] [", "]<br>[") if line.startswith("|") else line for line in source[0].split("\n"))


def page_of(inside: str) -> str:
    """The name of the page that shows a file."""
    return f"source/{inside}"


def link_to_text(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """The buttons above a page: its text, and where to edit it."""
    if suffix := context.get("page_source_suffix"):
        shown = app.builder.get_relative_uri(page, page_of(f"docs/{page}{suffix}"))
        context["theme_source_view_link"] = shown
        context["theme_source_edit_link"] = app.config.bankhook_edit_link or f"{shown}#edit"


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each file that some page links to."""
    highlighter = app.builder.highlighter  # type: ignore[attr-defined]
    texts = {f"docs/{page}.md" for page in app.env.found_docs}
    for inside in sorted(texts | app.env.__dict__.get("bankhook_sources", set())):
        text = (ROOT / inside).read_text(encoding="utf-8")
        body = highlighter.highlight_block(text, LEXERS.get(Path(inside).suffix, "text"), linenos=False)
        how = f'<p id="edit">To change this page, edit <code>{inside}</code> in the source archive.</p>'
        yield (
            page_of(inside),
            {"title": inside, "body": f"<h1>{inside}</h1>{how if inside in texts else ''}{body}"},
            "page.html",
        )


def setup(app: Sphinx) -> dict[str, Any]:
    """As sphinx.ext.viewcode does for Python modules."""
    app.add_post_transform(LinksToSources)
    app.connect("source-read", break_between_links)
    app.add_config_value("bankhook_edit_link", "", "html", [str])
    app.connect("html-page-context", link_to_text)
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
