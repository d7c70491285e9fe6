# SPDX-License-Identifier: MIT
"""`bankhook completion`: print the script with which a shell completes the command's words."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from bankhook.cli import options
from bankhook.cli.terminal import say

__all__ = ["command"]

_SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print the completion script of a shell.")
@click.argument("shell", type=options.Choice(_SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> int:
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
    script = get_completion_class(shell)
    assert script is not None
    say(script(context.find_root().command, {}, "bankhook", "_BANKHOOK_COMPLETE").source())
    return 0
