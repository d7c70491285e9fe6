# SPDX-License-Identifier: MIT
"""Arguments and options that several commands have."""

from __future__ import annotations

import click

__all__ = ["archives", "as_json", "output", "show_values"]

archives = click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
as_json = click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for programs.")
show_values = click.option("--show-values", is_flag=True, help="Do not mask texts and numbers, which may be personal.")
output = click.option(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Where it is written; `-`, the default, is standard output.",
)
