# SPDX-License-Identifier: MIT
"""`bankhook completion`: print the script with which a shell completes the command's words."""

from __future__ import annotations

import sys

import click
from click.shell_completion import get_completion_class

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
    script = get_completion_class(chosen.shell)
    assert script is not None
    program = click.get_current_context().find_root().command
    sys.stdout.write(script(program, {}, "bankhook", "_BANKHOOK_COMPLETE").source() + "\n")
    return 0
