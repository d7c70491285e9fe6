# SPDX-License-Identifier: MIT
"""The styles of all views, from style.css."""

from __future__ import annotations

import re
from importlib.resources import files

from bankhook._render.hues import HUES

_HUES = "".join(f"--{name}:{colour};" for name, colour in HUES.items())
_WRITTEN = (files("bankhook._render") / "style.css").read_text("utf-8")
STYLE = re.sub(r"/\*.*?\*/|\n", "", _WRITTEN, flags=re.DOTALL).replace("@HUES@", _HUES).replace("&", ".bankhook.bankhook")
