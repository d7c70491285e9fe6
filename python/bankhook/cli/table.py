# SPDX-License-Identifier: MIT
"""`bankhook table`: write the tables of archives as Parquet, Arrow IPC or CSV."""

from __future__ import annotations

import os

import click

import bankhook
from bankhook import _core
from bankhook._records.words import counted
from bankhook.cli import options
from bankhook.cli.archives import say_hint
from bankhook.cli.options import option
from bankhook.cli.tablefiles import FORMATS, Written, format_of, spooled, write_folder, write_one
from bankhook.cli.terminal import complain, say

_OF_ALL = "outcomes"
"""The table whose rows depend on the archives before theirs."""
_ABOUT = {"rejected": "rejected (lines that are not events)"}
"""How a table is called in the list of what was written, if not by its name."""


@options.command()
@click.argument("sources", nargs=-1, required=True, metavar="IN...", type=options.FILE)
@option(
    "-o --output",
    "A file for one table, `-` for its CSV on standard output, or a folder.",
    options.FILE,
    required=True,
    metavar="OUT",
)
@option(
    "--table name",
    f"One of {', '.join(_core._table_names)}; without it, all but outcomes, into a folder.",
    _core._table_names,
    metavar="TABLE",
)
@option(
    "--select selection",
    "Only these columns of --table, or fields within: 'line,initialTransaction.amount'.",
    metavar="FIELDS",
)
@option("--format kind", "In a folder; the default is parquet.", tuple(FORMATS))
@option("--scale", "Decimal places of amounts.", click.IntRange(0, 37), 4)
@option("--unit", "The unit of times.", ("us", "ns"), "us")
@options.at
@option("--threads", "How many threads decode; 0 is one for each core.", options.COUNT, 1)
def command(chosen: options.Chosen) -> int:
    """Write the tables of archives: events, connections, accounts, findings, outcomes, and the lines that were rejected.

    These are the rows of events; what holds after all of them is in the tables of a tracker, in Python.

    IN is a file, a glob, a directory or `-`. OUT that ends in .parquet, .arrow or .csv is one file, of one --table, with the
    rows of all archives; `-` is standard output, as CSV. Any other OUT is a folder with OUT/TABLE/ARCHIVE-DIGEST.parquet for
    each archive, with a digest of its path: writing it again replaces its files. Standard input and pipes are copied to a
    temporary file first.

    \b
    Example:
      bankhook table archive.ndjson --table connections -o connections.parquet

    Or all tables of a folder of archives: `bankhook table months/ -o tables`. Some fields of one table: `--table
    initial_transaction_update --select line,initialTransaction.id,initialTransaction.amount -o amounts.csv`.

    A file appears under its name only when it is complete. Columns name their sections of the specification in their
    metadata. Needs the extra `bankhook[arrow]`.

    Exit status: 0 fine, 1 lines were rejected or an archive could not be read to its end, 2 wrong usage or a file that cannot
    be written.
    """
    output, name, kind = chosen.output, chosen.name, chosen.kind
    file_kind = format_of(output)
    if output == "-" and kind not in (None, "csv"):
        raise click.UsageError(f"standard output is CSV: for {kind}, name a file")
    if file_kind is not None and kind not in (None, file_kind):
        raise click.UsageError(f"--format {kind} does not go with a file named {os.path.basename(output)}")
    if file_kind is not None and name is None:
        raise click.UsageError("one file holds one table: choose it with --table, or name a folder")
    if chosen.selection is not None and name is None:
        raise click.UsageError("--select needs --table")
    if file_kind is None and name == _OF_ALL:
        raise click.UsageError(f"--table {_OF_ALL} depends on all archives: name one file")
    names = tuple(one for one in _core._table_names if one != _OF_ALL) if name is None else (name,)
    columns = tuple(dict.fromkeys(one.strip() for one in (chosen.selection or "").split(",") if one.strip()))
    try:
        sources = [spooled(one) for one in dict.fromkeys(chosen.sources)]
        found = bankhook.tables(sources, scale=chosen.scale, unit=chosen.unit, threads=chosen.threads, at=chosen.at)
        if columns:
            getattr(found, names[0]).select(*columns)
    except OSError as error:
        raise click.FileError(error.filename or "", error.strerror or str(error)) from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if file_kind is not None:
        written = write_one(found, names[0], columns, output, file_kind)
    else:
        written = write_folder(found, names, columns, output, kind or "parquet")
    rejected = _rejected(written, output)
    if output == "-":
        if rejected:
            complain(rejected, program="")
    else:
        for table, rows in written.rows.items():
            say(f"{rows:>12,}  {_ABOUT.get(table, table)}")
        if rejected:
            say(rejected)
            say_hint(found.sources, chosen.at)
        say(f"written: {output}")
    return 1 if written.rejected else 0


def _rejected(written: Written, output: str) -> str | None:
    """Return how many lines were rejected, and what says more; None if no line was, or standard output lists them."""
    is_table = "rejected" in written.rows
    if not written.rejected or (is_table and output == "-"):
        return None
    place = os.path.join(output, "rejected") if os.path.isdir(output) else output
    were = counted(written.rejected, "line was", "lines were")
    return f"{were} rejected: {place if is_table else '--table rejected'} says where and why"
