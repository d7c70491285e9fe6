# SPDX-License-Identifier: MIT
"""Lifecycles drawn by Graphviz."""

from __future__ import annotations

import re
from typing import Any

from bankhook._records.lifecycles import Lifecycle
from bankhook._render.hues import INK

_FONT = "Helvetica,Arial,sans-serif"
_LOOK = f"""
  graph [bgcolor="transparent", pad=0.15, nodesep=0.35, ranksep=0.5];
  node [fontname="{_FONT}", color="{INK}", fontcolor="{INK}", fontsize=12, height=0.4, margin="0.2,0.08"];
  edge [fontname="{_FONT}", color="{INK}", fontcolor="{INK}", fontsize=10, arrowsize=0.7];
"""
_BEGIN = '  "[*]" [width=0.14, height=0.14, margin=0];\n'


def svg(machine: Lifecycle[Any, Any]) -> str | None:
    """Return the picture as an `<svg>` element, in a colour for light and dark pages; None without Graphviz."""
    import subprocess  # takes a while to load, and only pictures need it

    rows = machine.to_dot().partition("{")[2].rpartition("}")[0]
    dot = f'digraph "{machine.name}" {{{_LOOK}{rows}{_BEGIN}}}'
    try:
        drawn = subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, check=True, encoding="utf-8").stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    # Without the ids, which the next picture on the same page would repeat.
    return re.sub(r'<!--.*?-->\n?|(?<=<g) id="[^"]*"', "", drawn[drawn.index("<svg") :], flags=re.DOTALL)
