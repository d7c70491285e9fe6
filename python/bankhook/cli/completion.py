# SPDX-License-Identifier: MIT
"""`bankhook completion`: print the script with which a shell completes the command's words."""

from __future__ import annotations

import click
from click.shell_completion import shell_complete

from bankhook.cli import options


@options.command()
@click.argument("shell", type=options.Choice(("bash", "zsh", "fish")))
def command(chosen: options.Chosen) -> int:
    """Print the script that completes commands, options and values in a shell.

    \b
    In the start-up file of the shell:
      bash   eval "$(bankhook completion bash)"
      zsh    eval "$(bankhook completion zsh)"
      fish   bankhook completion fish | source

    \b
    Example:
      bankhook completion bash

    Exit status: 0 fine, 2 wrong usage.
    """
    program = click.get_current_context().find_root().command
    return shell_complete(program, {}, "bankhook", "_BANKHOOK_COMPLETE", f"{chosen.shell}_source")
