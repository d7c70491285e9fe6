# SPDX-License-Identifier: MIT
"""Whatever names and values a payload has, no text about it can control a terminal or forge a log line."""

from __future__ import annotations

import contextlib
import json
import pickle
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import bankhook
from bankhook import ParseError, _core
from bankhook.integrations import _wire
from cli.command import run
from python.parsed import path_of, payload

HOSTILE = (
    "\x1b[31m\r\x00\x07\x7f\x85\x9b\xad\u061c\u200b\u200e\u2028\u2029\u202e\u2066\ufeff\U000e0041"
    "\n  1 | forged\n    | ^\n --> line 1, column 1\"'\\]<script>"
)
SECRET = "s3cr3t-7777"
NAMES = (HOSTILE, HOSTILE + "x" * 100 + HOSTILE, "x" * 100 + HOSTILE, "", "'", "a.b", "caf\u00e9\u202e" * 20)
SAMPLES = ("connection_updated_with_accounts", "transaction_created", "unknown_event")
JOINERS = "\u200c\u200d\ufe0f"


def obeyed(text: str, *, beside: str = "") -> set[str]:
    """What would control a terminal or forge a log line, and what is invisible: by Python's own table of characters."""
    return {
        f"U+{ord(character):04X}"
        for character in text
        if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs") and character not in beside + JOINERS
    }


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a payload, from the outside in."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from objects_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from objects_in(inner)


def hostile_payloads() -> Iterator[bytes]:
    """The samples with a hostile name in each of their objects, and a hostile text instead of each text."""
    for sample in SAMPLES:
        count = len(list(objects_in(json.loads(payload(sample)))))
        for index in range(count):
            for name in NAMES if index == 0 else NAMES[:2]:
                whole = json.loads(payload(sample))
                inside = list(objects_in(whole))[index]
                inside[name] = {name: [SECRET, {HOSTILE: SECRET}]}
                yield json.dumps(whole).encode()
                yield json.dumps(whole, ensure_ascii=False).encode()
            for name, value in list(list(objects_in(json.loads(payload(sample))))[index].items()):
                if isinstance(value, str):
                    whole = json.loads(payload(sample))
                    list(objects_in(whole))[index][name] = HOSTILE + SECRET
                    yield json.dumps(whole).encode()
    yield from (b'{"a\\u001b":1,"a\\u001b":2}', b'{"\\ud83d":1}', b'{"\xff\x1b":1}', b'{"\x1b\n":1}', b'{"\r":')


PAYLOADS = list(hostile_payloads())


def texts_of(text: bytes) -> Iterator[str]:
    """Every text in Python about a payload that keeps to one line."""
    findings = bankhook.diagnose(text)
    for finding in findings:
        yield from (
            finding.path,
            finding.message,
            finding.expected,
            finding.found,
            finding.section,
            str(finding),
            repr(finding),
        )
    yield repr(findings)
    for strict in (False, True):
        try:
            event = bankhook.parse(text, strict=strict)
        except ParseError as error:
            yield from (str(error), repr(error), error.path, str(pickle.loads(pickle.dumps(error))))
        else:
            yield from (repr(event), repr(bankhook.check(event)))
            outcome = bankhook.Tracker().apply(event)
            yield from (repr(outcome), *(repr(change) for change in outcome.changes))


def test_no_text_about_a_payload_is_obeyed() -> None:
    for text in PAYLOADS:
        for said in texts_of(text):
            assert not obeyed(said), (text, said)


@pytest.mark.parametrize("show_values", [False, True])
def test_explain_has_no_lines_but_its_own(show_values: bool) -> None:
    for text in PAYLOADS:
        findings = bankhook.diagnose(text)
        said = bankhook.explain(findings, text, show_values=show_values, width=2_000)
        assert not obeyed(said, beside="\n\t")
        assert said.count("\n") == 5 * len(findings) + max(0, len(findings) - 1)
        if not show_values:
            assert SECRET not in said
        for finding, excerpt in zip(findings, _core._excerpts(findings, text, show_values), strict=True):
            assert excerpt is not None
            line, shown, start, end = excerpt
            assert line == finding.line and 0 <= start <= end <= len(shown)
            assert not obeyed(shown, beside="\t")


def test_what_a_notebook_shows_is_text() -> None:
    for text in PAYLOADS[::3]:
        shown = [bankhook.diagnose(text)._repr_html_(), *(one._repr_html_() for one in bankhook.diagnose(text)[:2])]
        try:
            event = bankhook.parse(text)
        except ParseError as error:
            shown.append(error._repr_html_())
        else:
            tracker = bankhook.Tracker()
            shown += [event._repr_html_(), tracker.apply(event)._repr_html_(), tracker._repr_html_()]
        for html in shown:
            assert not obeyed(html, beside="\n")
            assert "<script" not in html


def test_a_path_leads_to_its_value() -> None:
    """The steps are the names as they were decoded: whoever follows them in the payload finds what it is about."""
    for name in NAMES:
        if len(name) <= 64:
            whole = json.loads(payload("transaction_created"))
            whole["customer"][name] = {"x": 1}
            (finding,) = bankhook.diagnose(json.dumps(whole).encode())
            assert finding.steps == ("customer", name)
            assert finding.path == path_of(finding.steps)


def test_a_long_name_is_cut_by_characters() -> None:
    for character in "éx🛒":
        for size in (64, 65):
            whole = json.loads(payload("transaction_created"))
            whole["customer"][character * size] = 1
            (finding,) = bankhook.diagnose(json.dumps(whole).encode())
            assert finding.steps == ("customer", character * 64 + ("…" if size > 64 else ""))


def test_every_hidden_character_is_escaped() -> None:
    """Against Python's own tables, of whatever version of Unicode they are."""
    for code_point in range(0x110000):
        character = chr(code_point)
        if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp"):
            said = _core._escaped(character)
            assert said.startswith("\\") and said.isascii(), hex(code_point)
    assert _core._escaped("\x00\x1f\b\t\n\f\r'\\") == r"\u0000\u001f\b\t\n\f\r\'\\"


def adapters() -> list[Callable[[Any], object]]:
    import cattrs
    import pydantic

    import bankhook.integrations.cattrs
    import bankhook.integrations.pydantic

    model = pydantic.TypeAdapter(bankhook.integrations.pydantic.StrictPayload[bankhook.AnyEvent])
    converter = bankhook.integrations.cattrs.configure(cattrs.Converter())
    any_event: Any = bankhook.AnyEvent

    def by_pydantic(source: Any) -> object:
        try:
            return model.validate_python(source)
        except pydantic.ValidationError as error:
            raise ValueError(f"{error}\n{error!r}\n{error.errors()}\n{error.json()}") from None

    return [
        by_pydantic,
        lambda source: converter.structure(source, any_event),
        lambda source: _wire.read(source, _wire.EVENTS, strict=True),
    ]


def test_no_error_of_an_adapter_is_obeyed() -> None:
    rejected = 0
    for text in PAYLOADS[::2]:
        sources: list[Any] = [text]
        with contextlib.suppress(ValueError):
            sources.append(json.loads(text))
        for source in sources:
            for adapter in adapters() if rejected < 100 else ():
                try:
                    adapter(source)
                except Exception as error:
                    rejected += 1
                    assert not obeyed(str(error), beside="\n"), (source, error)
                    assert "forged\n" not in str(error).replace("\\n", "")
    assert rejected > 50


@pytest.mark.parametrize("name", NAMES)
def test_a_mapping_with_a_hostile_name_is_rejected_harmlessly(name: str) -> None:
    for mapping in ({name: object()}, {"event": "x", name: [object()]}, {name: {name: object()}}):
        with pytest.raises(ParseError) as caught:
            _wire.read(mapping, _wire.EVENTS)
        assert not obeyed(str(caught.value)), caught.value
    for cls in (bankhook.Connection, bankhook.InitialTransactionUpdate):
        for from_parts in (cls.from_dict, cls.from_wire):
            with pytest.raises((TypeError, ValueError)) as rejected:
                from_parts({name: 1})
            assert not obeyed(str(rejected.value)), rejected.value


def test_half_a_surrogate_pair_in_a_mapping_is_rejected_harmlessly() -> None:
    for mapping in ({"\ud83d": object()}, {"event": "\ud83d"}, {"event": "x", "\udc80\x1b": 1}):
        with pytest.raises(ParseError) as caught:
            _wire.read(mapping, _wire.EVENTS)
        assert not obeyed(str(caught.value))


def test_an_answer_of_fastapi_is_not_obeyed() -> None:
    from fastapi import routing

    from bankhook.integrations.fastapi import EventRoute
    from python.test_fastapi import Client

    for route in (EventRoute, routing.APIRoute):
        client = Client(route)
        rejected = 0
        for text in PAYLOADS[::3]:
            answer = client.post("/strict", text)
            rejected += answer.status_code == 422
            if route is EventRoute or text.startswith(b'{"event"'):  # what is not JSON is answered by FastAPI itself
                assert not obeyed(answer.text), answer.text
                assert SECRET not in answer.text
        assert rejected > 10


@pytest.mark.slow
def test_what_the_command_prints_is_not_obeyed(tmp_path: Path) -> None:
    archive = tmp_path / "hostile.ndjson"
    archive.write_bytes(b"\n".join(text for text in PAYLOADS if b"\n" not in text) + b"\n")
    for arguments in (
        ("check", "--limit", "0"),
        ("check", "--limit", "0", "--show-values"),
        ("check", "--json"),
        ("track", "--changes", "--show-values", "--limit", "0"),
        ("track", "--json", "--changes", "--show-values"),
        ("show", "--line", "1"),
        ("show", "--line", "1", "--json"),
    ):
        done = run(*arguments, archive)
        assert done.out
        assert not obeyed(done.out + done.err, beside="\n\t"), arguments
