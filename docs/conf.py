# SPDX-License-Identifier: MIT
"""How Sphinx builds the documentation; `./dev docs` runs it and takes every warning for an error."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bankhook

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / folder) for folder in ("docs/_ext", "tests", "tools")]

project = "bankhook"
author = "the bankhook authors"
project_copyright = author
version = release = bankhook.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.graphviz",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "breathe",
    "cpp_reference",
    "python_reference",
    "regions",
    "sources",
]
exclude_patterns = ["_*"]
default_role = "code"  # docstrings put names between single backticks
needs_sphinx = "8.2"

# --- pages ------------------------------------------------------------------------------------------------------------

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
graphviz_output_format = "svg"
# The background of the page shows through; custom.css turns the strokes for the dark theme.
graphviz_dot_args = ["-Gbgcolor=transparent", "-Gfontname=sans-serif", "-Nfontname=sans-serif", "-Efontname=sans-serif"]

html_theme = "furo"
html_title = f"bankhook {release}"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_copy_source = False
html_show_sphinx = False
smartquotes_action = "qe"  # two hyphens stay: --json
pygments_style = "friendly"
pygments_dark_style = "monokai"
copybutton_prompt_text = "$ "
# What the changelog says of this version.
if f"## {release}, not yet released" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
    html_theme_options = {"announcement": f"Version {release} is not released yet: these pages describe its source."}
# Where the pages can be edited, such as `https://HOST/PROJECT/edit/main/docs/{filename}`. Without it the links above
# a page lead to its text, which says where that is in the source archive.
bankhook_edit_link = os.environ.get("BANKHOOK_EDIT_LINK", "")

# --- the two references -----------------------------------------------------------------------------------------------

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
toc_object_entries_show_parents = "hide"
python_maximum_signature_line_length = 88
cpp_maximum_signature_line_length = 88
breathe_default_project = "bankhook"
breathe_default_members = ("members", "undoc-members")
