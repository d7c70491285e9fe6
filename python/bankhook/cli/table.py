# SPDX-License-Identifier: MIT
"""`bankhook table`: write the tables of archives as Parquet, Arrow IPC or CSV."""

from __future__ import annotations

import datetime
import os

import click

import bankhook
from bankhook import _core
from bankhook._records.words import counted
from bankhook.cli import options
from bankhook.cli.files import FileFault, named
from bankhook.cli.options import option
from bankhook.cli.terminal import complain, say

_NAMES = (*_core._table_names, "tracked_members", "tracked_connections", "tracked_transactions")


@options.command()
@options.archives("sources", "IN...")
@option(
    "-o --output",
    "A file for one table, `-` for its CSV on standard output, or a folder.",
    options.FILE,
    required=True,
    metavar="OUT",
)
@option(
    "--table name",
    f"One of {', '.join(_NAMES)}; without it, all of them, into a folder.",
    _NAMES,
    metavar="TABLE",
)
@option(
    "--select selection",
    "Only these columns of --table, or fields within: 'line,initialTransaction.amount'.",
    metavar="FIELDS",
)
@option("--scale", "Decimal places of amounts.", options.Whole(0, 37), 4)
@option("--unit", "The unit of times.", ("us", "ns"), "us")
@options.containing
@option("--keep", "A field of the envelopes that becomes a column; repeatable.", options.ID, multiple=True, metavar="FIELD")
@option(
    "--keep-time keep_times",
    "As --keep, as a time; an event with another text there is rejected.",
    options.ID,
    multiple=True,
    metavar="FIELD",
)
@option(
    "--formulas",
    "In CSV, texts that a spreadsheet or a terminal would obey: escape puts ' before them and escapes controls.",
    ("escape", "refuse", "keep"),
    "escape",
)
@option("--threads", "How many threads decode; 0 is one for each core.", options.COUNT, 1)
def command(chosen: options.Chosen) -> int:
    """Write the tables of archives: events, connections, accounts, findings, outcomes, the lines that were rejected, and, as
    tracked_members, tracked_connections and tracked_transactions, what is tracked after all of them.

    IN is a file, a glob, a directory or `-`. OUT that ends in .parquet, .arrow or .csv is one file, of one --table; `-` is
    standard output, as CSV. An OUT without an ending, or an existing folder whose name ends in something else, is a folder
    with OUT/TABLE.parquet for each table. A file has the rows of all archives. Standard input and pipes are copied to a
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
    from bankhook.cli.tablefiles import (  # needs pyarrow, as no other command does
        format_of,
        spooled,
        table_of,
        write_tables,
    )

    output, name, kind = chosen.output, chosen.name, format_of(chosen.output)
    if kind is not None and name is None:
        raise click.UsageError("one file holds one table: choose it with --table, or name a folder")
    if chosen.selection is not None and name is None:
        raise click.UsageError("--select needs --table")
    names = _NAMES if name is None else (name,)
    files = {one: output if kind is not None else os.path.join(output, f"{one}.parquet") for one in names}
    columns = tuple(dict.fromkeys(one.strip() for one in (chosen.selection or "").split(",") if one.strip()))
    try:
        sources = [spooled(one) for one in dict.fromkeys(chosen.sources)]
        keep = dict.fromkeys(chosen.keep, str) | dict.fromkeys(chosen.keep_times, datetime.datetime)
        found = bankhook.tables(
            sources,
            scale=chosen.scale,
            unit=chosen.unit,
            threads=chosen.threads,
            at=chosen.at,
            encoding=chosen.encoding,
            format=chosen.format,
            keep=keep,
        )
        if columns:
            table_of(found, bankhook.Tracker(), names[0]).select(*columns)
    except OSError as error:
        raise FileFault(error.filename or "", error) from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if kind is None:
        with named(output):
            os.makedirs(output, exist_ok=True)
    rows, rejected = write_tables(found, files, columns, kind or "parquet", chosen.formulas)
    place = files.get("rejected", "--table rejected")
    text = f"{counted(rejected, 'line was', 'lines were')} rejected: {place} says where and why"
    if output == "-":
        if rejected and place != "-":
            complain(text, program="")
        return 1 if rejected else 0
    for table, count in rows.items():
        say(f"{count:>12,}  {table}{' (lines that are not events)' if table == 'rejected' else ''}")
    if rejected:
        say(text)
    say(f"written: {output}")
    return 1 if rejected else 0
