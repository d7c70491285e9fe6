# SPDX-License-Identifier: MIT
"""What the specification says, word for word: the rows of its tables of fields, and each place of "not shown"."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

__all__ = ["Field", "field_rows", "gaps"]


class Field(NamedTuple):
    """A row of a table of the specification, word for word but for the brackets after the name of an array."""

    section: str
    field: str
    type: str
    required: str
    meaning: str

    @property
    def has_no_meaning(self) -> bool:
        """Whether the table writes the listed values of the field, or the fields of its object, in place of a meaning."""
        return self.section in ("6.2", "6.3") and self.field in ("event", "eventType", "customer")

    def __str__(self) -> str:
        return f"{self.section} {self.field}"


def field_rows() -> list[Field]:
    """The rows of the tables of sections 2 and 6, in their order."""
    with Path(__file__).with_name("fields.tsv").open(encoding="utf-8", newline="") as file:
        return [Field(**row) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def gaps() -> list[tuple[str, str]]:
    """Section and sentence of each place of the specification that says "not shown", word for word."""
    with Path(__file__).with_name("not_shown.tsv").open(encoding="utf-8", newline="") as file:
        return [(row["section"], row["sentence"]) for row in csv.DictReader(file, delimiter="\t")]
