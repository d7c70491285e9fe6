# SPDX-License-Identifier: MIT
"""How senders are authenticated, and how a delivery is signed: one text for --verify and --sign, and the secrets beside it."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from bankhook._records.closest import did_you_mean
from bankhook.cli.options import Chosen, F, Parsed, option

if TYPE_CHECKING:
    from bankhook.receiver import Verify

Sign: TypeAlias = Callable[[bytes], Any]
"""Gives the headers with which a body is signed."""

_KINDS = "header:NAME, standard-webhooks, hmac:HEADER[,OPTION=VALUE...], MODULE:FUNCTION"
_OF_HMAC = (
    "Options of hmac, as in receiver.hmac_signature: prefix, encoding, algorithm, timestamp, message, fields, within."
)
_OFFERED = ("header:", "hmac:", "standard-webhooks")
_OPTIONS = ("prefix", "encoding", "algorithm", "timestamp", "message", "fields", "within")
_FUNCTION = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*(?:\.[^\W\d]\w*)*)")

verify = option(
    "--verify",
    f"How senders are authenticated: {_KINDS}, or anyone. {_OF_HMAC}",
    Parsed("kind", str, (*_OFFERED, "anyone")),
    metavar="KIND",
)
sign = option("--sign", f"Sign each delivery: {_KINDS}. {_OF_HMAC}", Parsed("kind", str, _OFFERED), metavar="KIND")


def secret_files(whose: str) -> Callable[[F], F]:
    """Declare the option for secrets."""
    return option(
        "--secret-file secret_files",
        f"A file with the secret for --{whose}; the line end at its end is not part of it. May be repeated while one secret "
        "replaces another: the first one signs. Without this, the variable BANKHOOK_SECRET has it.",
        click.Path(exists=True, dir_okay=False, path_type=Path),
        multiple=True,
        metavar="FILE",
    )


def verifier(chosen: Chosen) -> Verify:
    """Return the check that was chosen; or `anyone`, which takes no web page."""
    from bankhook.receiver import anyone
    from bankhook.receiver._authentication import check_verify

    if chosen.verify in (None, "anyone"):
        if chosen.secret_files:
            raise click.UsageError("--secret-file needs a --verify that has a secret")
        return anyone
    check: Verify = _made("--verify", chosen.verify, chosen.secret_files, ", or anyone")
    try:
        check_verify(check)
    except TypeError as error:
        raise click.UsageError(f"--{error}") from None
    return check


def signer(chosen: Chosen) -> Sign | None:
    """Return what signs a body, or None if nothing was chosen."""
    if chosen.sign is None:
        if chosen.secret_files:
            raise click.UsageError("--secret-file needs --sign")
        return None
    found = _made("--sign", chosen.sign, chosen.secret_files, "")
    found = getattr(found, "sign", found)
    if not callable(found):
        raise click.UsageError(
            "--sign: expected a function of the body that returns headers, or a check with a method sign"
        )
    return partial(_signed, found)


def _signed(sign: Sign, body: bytes) -> dict[str, str]:
    try:
        return dict(sign(body))
    except Exception as error:  # of a function of the user, which may show what is personal
        raise click.ClickException(f"--sign: it failed with {type(error).__name__}") from None


def _made(name: str, kind: str, files: Sequence[Path], more: str) -> Any:
    """Return what a text names; raises click.UsageError."""
    try:
        make = _scheme(kind)
        if make is not None:
            return make(_secrets(name, files))
    except (TypeError, ValueError) as error:
        raise click.UsageError(f"{name}: {error}") from None
    if (found := _FUNCTION.fullmatch(kind)) is None:
        close = did_you_mean(kind.partition(":")[0], ("header", "hmac", "standard-webhooks", *(["anyone"] if more else [])))
        raise click.UsageError(f"{name}: expected {_KINDS}{more}{close}")
    if files:
        raise click.UsageError(f"--secret-file needs a {name} that has a secret; a function has its own")
    return _imported(name, *found.groups())


def _scheme(kind: str) -> Callable[[list[str]], Any] | None:
    """Return what makes a scheme of its secrets; None if the text names none. Raises ValueError."""
    from bankhook.receiver import hmac_signature, shared_secret, standard_webhooks

    if kind == "standard-webhooks":
        return standard_webhooks
    name, _, rest = kind.partition(":")
    if name in ("header", "hmac") and not rest.partition(",")[0]:
        raise ValueError(f"expected {_KINDS}")
    if name == "header":
        return lambda secrets: shared_secret(header=rest, secret=secrets)
    if name != "hmac":
        return None
    header, *pairs = rest.split(",")
    given: dict[str, Any] = {}
    for key, equals, value in (pair.partition("=") for pair in pairs):
        if key not in _OPTIONS or not equals:
            raise ValueError(f"hmac: expected {', '.join(f'{one}=' for one in _OPTIONS)}{did_you_mean(key, _OPTIONS)}")
        if key in given:
            raise ValueError(f"hmac: {key}= is there twice")
        given[key] = value
    if "timestamp" in given:
        given["timestamp_header"] = given.pop("timestamp")
    if "fields" in given:
        given["fields"] = tuple(given["fields"].split("+"))
    if (within := given.get("within")) is not None:
        given["within"] = None if within == "none" else timedelta(seconds=_whole(within))
    return lambda secrets: hmac_signature(header=header, secret=secrets, **given)


def _whole(text: str) -> int:
    if re.fullmatch("[0-9]{1,9}", text) is None:
        raise ValueError("within: expected seconds, or none for no check of the time")
    return int(text)


def _secrets(name: str, files: Sequence[Path]) -> list[str]:
    """Return the secrets: of a file all but the line end that editors and shells write, else that of the variable."""
    if not files:
        if not (secret := os.environ.get("BANKHOOK_SECRET", "")):
            raise click.UsageError(f"{name} needs a secret, by --secret-file or BANKHOOK_SECRET")
        return [secret]
    try:
        texts = [file.read_bytes().decode("utf-8-sig") for file in files]
    except UnicodeDecodeError:
        raise click.UsageError("--secret-file: the file is not UTF-8") from None
    except OSError as error:
        raise click.UsageError(f"--secret-file: {error.strerror}") from None
    return [re.sub(r"\r?\n\Z", "", text) for text in texts]


def _imported(name: str, module: str, attribute: str) -> Any:
    sys.path.insert(0, os.getcwd())
    try:
        found = importlib.import_module(module)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{module}.".startswith(f"{error.name}."):
            raise click.UsageError(f"{name}: there is no module {error.name}") from None
        raise click.UsageError(f"{name}: the import of {module} failed with {type(error).__name__}") from None
    finally:
        sys.path.remove(os.getcwd())
    try:
        return reduce(getattr, attribute.split("."), found)
    except AttributeError:
        raise click.UsageError(f"{name}: {module} has no {attribute}{did_you_mean(attribute, dir(found))}") from None
