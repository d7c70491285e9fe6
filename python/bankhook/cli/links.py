# SPDX-License-Identifier: MIT
"""Links on the ids of rules (OSC 8), to the page about them that the package contains."""

from __future__ import annotations

import os
import socket
import sys
import urllib.parse
from collections.abc import Mapping
from pathlib import Path

from bankhook._render.progress import has_colours

__all__ = ["address", "linked", "shows_links"]

_PAGE = Path(__file__).with_name("rules.html")
# How terminals that show links identify themselves; others may print an escape sequence that they do not know.
_PROGRAMS = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby")
_TERMS = ("xterm-kitty", "xterm-ghostty", "foot", "alacritty", "contour", "wezterm")
_NAMES = ("KONSOLE_VERSION", "WT_SESSION", "DOMTERM", "KITTY_WINDOW_ID")
_OLDEST_VTE = 5000  # 0.50: the terminals of GNOME and others


def linked(rule: str) -> str:
    """Return the id of a rule, as a link if standard output is a terminal that shows links."""
    if not (sys.stdout.isatty() and has_colours(sys.stdout) and shows_links(os.environ)):
        return rule
    return f"\x1b]8;;{address(rule)}\x1b\\{rule}\x1b]8;;\x1b\\"


def address(rule: str) -> str:
    """Return the address of a rule's explanation; it names this machine, for terminals that show another one's output."""
    return f"file://{socket.gethostname()}{urllib.parse.quote(str(_PAGE))}#{rule}"


def shows_links(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal is known to show links."""
    term, vte = environment.get("TERM", ""), environment.get("VTE_VERSION", "")
    return (
        environment.get("TERM_PROGRAM") in _PROGRAMS
        or term.startswith(_TERMS)
        or any(environment.get(name) for name in _NAMES)
        or (vte.isdecimal() and int(vte) >= _OLDEST_VTE)
        or environment.get("COLORTERM") == "xfce4-terminal"
    )
