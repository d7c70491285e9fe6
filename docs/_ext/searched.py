# SPDX-License-Identifier: MIT
"""Looks up in the search of the built pages what people type there, and names the words for which it shows no page."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from sphinx.search.en import SearchEnglish

WORDS = (
    *("HMAC", "signature", "rotation", "erase", "GDPR", "systemd", "nginx", "Docker", "Kubernetes", "Grafana", "Sentry"),
    *("OpenTelemetry", "reprocess", "backfill", "CSV", "base64", "percentile", "zero copy", "header-only", "FetchContent"),
)


def not_found(root: Path) -> list[str]:
    """Each of them that no page has, all of its words on one page."""
    text = (root / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text[text.index("(") + 1 : text.rindex(")")])
    english = SearchEnglish({})

    def pages(word: str) -> set[int]:
        found = [index[part].get(english.stem(word.lower()), []) for part in ("terms", "titleterms")]
        return {page for part in found for page in (part if isinstance(part, list) else [part])}

    asked = {words: [word for word in english.split(words) if word.lower() not in english.stopwords] for words in WORDS}
    return [words for words, parts in asked.items() if not set.intersection(*map(pages, parts))]


if __name__ == "__main__":
    found = not_found(Path(sys.argv[1]))
    print("".join(f"search: no page has {words}\n" for words in found), file=sys.stderr, end="")
    sys.exit(bool(found))
