# SPDX-License-Identifier: MIT
"""The README and the links of a package as an index shows them, where a path of the repository leads nowhere.

`BANKHOOK_ADDRESS` is the repository's on its code host, as https://host/owner/name. It is wanted of a version that is published;
without it, pictures are their descriptions, and only what is elsewhere is a link.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

__all__ = ["dynamic_metadata"]


def dynamic_metadata(field: str, settings: Mapping[str, object]) -> dict[str, str]:
    """Returns `readme` or `urls` of `[project]`; scikit-build-core calls it in the root of the source."""
    address = os.environ.get("BANKHOOK_ADDRESS", "").rstrip("/")
    if field == "urls":
        return {"Source": address} if address else {}
    text = re.sub(r"</?picture>|<source [^>]*>", "", Path("README.md").read_text(encoding="utf-8"))
    if address:
        (version,) = re.findall('version = "(.+)"', Path("include/bankhook/base/version.hpp").read_text(encoding="utf-8"))
        text = re.sub(r'(!\[[^]]*\]\(|<img [^>]*src=")', rf"\1{address}/raw/v{version}/", text)
        text = re.sub(r"((?<!!)\[[^]]+\]\()#", r"\1README.md#", text)
        text = re.sub(r"((?<!!)\[[^]]+\]\()(?!https:)", rf"\1{address}/blob/v{version}/", text)
    else:
        text = re.sub(r'!\[([^]]*)\]\([^)]*\)|<img alt="([^"]*)"[^>]*>', r"*\1\2*", text)
        text = re.sub(r"\[([^]]+)\]\((?!https:)[^)]*\)", r"\1", text)
    return {"content-type": "text/markdown", "text": text}
