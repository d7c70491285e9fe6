# SPDX-License-Identifier: MIT
"""Archives as people have them: arrays, pretty-printed events, envelopes, nothing at all, and files that grow."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
from pathlib import Path
from typing import IO

import pytest

import bankhook
from bankhook._archive._numbered import numbered_lines
from bankhook._archive._source import Container, OpenedSource
from cli import zst
from cli.command import COMMAND, clean_archive, objects, run

EVENTS = clean_archive(4).splitlines()
INDENTED = [json.dumps(json.loads(event), indent=2).encode() for event in EVENTS]
FORMS = {
    "array": b"[" + b",".join(EVENTS) + b"]",
    "pretty-printed array": json.dumps([json.loads(event) for event in EVENTS], indent=2).encode(),
    "pretty-printed events": b"\n".join(INDENTED),
    "one after the other": b"".join(EVENTS),
    "one after the other, with blanks": b" ".join(EVENTS) + b"\n",
    "pretty-printed, one after the other": b"".join(INDENTED),
    "byte-order mark": b"\xef\xbb\xbf" + b"\n".join(EVENTS),
    "byte-order mark and array": b"\xef\xbb\xbf[" + b",\n".join(EVENTS) + b"]",
    "joined files with byte-order marks": b"\r\n".join(b"\xef\xbb\xbf" + event for event in EVENTS),
    "joined files with byte-order marks and no end of line": b"".join(b"\xef\xbb\xbf" + event for event in EVENTS),
    "joined pretty-printed files with byte-order marks": b"\n".join(b"\xef\xbb\xbf" + event for event in INDENTED),
    "other line endings": b"\r\n".join(EVENTS),
}


def enveloped(*payloads: bytes, as_text: bool = False) -> bytes:
    """Return lines that have the payloads under `request.body`."""
    bodies = [json.dumps(payload.decode()).encode() if as_text else payload for payload in payloads]
    return b"".join(b'{"at":"now","request":{"headers":{"a":1},"body":%b}}\n' % body for body in bodies)


@pytest.mark.parametrize("form", FORMS)
def test_events_are_found_in_every_form(form: str) -> None:
    assert run("check", "-", stdin=FORMS[form]).out == f"OK: {len(EVENTS)} events, no problems\n"


@pytest.mark.parametrize("as_text", [False, True], ids=["object", "text"])
def test_events_inside_of_envelopes_are_read_on_demand(as_text: bool) -> None:
    archive = enveloped(*EVENTS, as_text=as_text)
    assert run("check", "--at", "request.body", "-", stdin=archive).out == f"OK: {len(EVENTS)} events, no problems\n"
    plain = b"\n".join(EVENTS)
    assert run("track", "--at", "request.body", "-", stdin=archive).out == run("track", "-", stdin=plain).out
    shown = run("show", "--json", "--at", "request.body", "--line", "2", "-", stdin=archive)
    assert objects(shown) == objects(run("show", "--json", "--line", "2", "-", stdin=plain))


def test_an_event_inside_of_an_envelope_keeps_its_digits() -> None:
    envelope = b'{"a": "}", "b" : [{"c":1}], "d":{"c" : {"x": 19.900000000000000000001 } }}'
    assert inside(envelope) == [b'{"x": 19.900000000000000000001 }']
    assert inside(b'{"d":{"c":"{\\"x\\":1e2}"}}') == [b'{"x":1e2}']
    for broken in (b"7", b'"d"', b'{"d":', b'{"d" 1}', b'{"d":{}}', b'{"d":{"c":"', b'{"d":[', b"\xff", b'{"d":' * 5000):
        assert inside(b'{"d":{"c":{}}}\n' + broken) == [b"{}", broken]
    assert inside(b"\n\n") == []


def inside(archive: bytes) -> list[bytes]:
    """Return what is read at `d.c` of the lines of an archive."""
    return [line.raw for line in numbered_lines(OpenedSource(archive, Container("d.c")))]


def test_an_event_inside_of_an_envelope_keeps_its_place() -> None:
    archive = '\n\n{"é":1}\n'.encode() + enveloped('{"é":1,"event":7}'.encode())
    *findings, _ = objects(run("check", "--json", "--at", "request.body", "-", stdin=archive))
    places = [
        (finding["line"], finding["column"], finding["offset"]) for finding in findings if finding["path"] == "$.event"
    ]
    line, at = archive.splitlines()[3], archive.index(b"7}")
    assert places == [(3, 7, 9), (4, len(line[: line.index(b"7}")].decode()) + 1, at)]


def test_an_envelope_without_the_path_is_reported() -> None:
    done = run("check", "--at", "request.body", "-", stdin=enveloped(EVENTS[0]) + b'{"request":{}}\n')
    assert done.status == 1
    assert "<stdin>:2:" in done.out


@pytest.mark.parametrize("as_text", [False, True], ids=["object", "text"])
@pytest.mark.parametrize("misspelt", [[], ["--at", "bdy"], ["--at", "request"]])
@pytest.mark.parametrize("command", [["check"], ["track"], ["show"], ["table", "--table", "rejected", "-o", "OUT"]])
def test_one_line_says_where_the_events_are(command: list[str], misspelt: list[str], as_text: bool, tmp_path: Path) -> None:
    path = tmp_path / "envelopes.ndjson"
    path.write_bytes(enveloped(*EVENTS, as_text=as_text))
    words = [word.replace("OUT", str(tmp_path / "out.parquet")) for word in command]
    done = run(*words, *misspelt, path)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"bankhook: {path}: it has events elsewhere: try --at request.body\n"
    path.write_bytes(b"[%s]" % b",\n ".join(path.read_bytes().splitlines()))
    assert run(*words, *misspelt, path) == done
    assert "elsewhere" not in run(*words, "--at", "request.body", path).err


@pytest.mark.parametrize("archive", [b"", b"\n \n", b"[]"])
@pytest.mark.parametrize("command", ["check", "track"])
def test_no_events_are_an_error_unless_they_are_allowed(command: str, archive: bytes) -> None:
    done = run(command, "-", stdin=archive)
    assert (done.status, done.out, done.err) == (
        2,
        "",
        "bankhook: <stdin>: there are no events: --allow-empty accepts that\n",
    )
    assert run(command, "--allow-empty", "-", stdin=archive).status == 0


def test_an_empty_archive_that_is_allowed_is_fine() -> None:
    assert run("check", "--allow-empty", "-").out == "OK: 0 events, no problems\n"


def test_output_is_compressed_if_the_name_says_so(tmp_path: Path) -> None:
    texts = {}
    for name in ("a.ndjson", "a.ndjson.gz", "a.ndjson.zst"):
        assert run("simulate", "--events", "50", "--output", tmp_path / name).status == 0
        texts[name] = (tmp_path / name).read_bytes()
    assert gzip.decompress(texts["a.ndjson.gz"]) == texts["a.ndjson"]
    assert zst.decompress(texts["a.ndjson.zst"]) == texts["a.ndjson"]
    assert run("check", tmp_path / "a.ndjson.gz").out == "OK: 50 events, no problems\n"


def until(stream: IO[bytes], text: bytes) -> bytes:
    """Return what is printed up to the line that has a text."""
    seen = b""
    while text not in seen:
        line = stream.readline()
        assert line, f"ended without {text!r}: {seen!r}"
        seen += line
    return seen


def test_a_growing_file_is_followed_through_a_pipe(tmp_path: Path) -> None:
    sandbox = bankhook.Sandbox(seed=1, members=2)
    first, second = (sandbox.send_initial_transaction(member) for member in sandbox.members)
    archive = tmp_path / "growing.ndjson"
    archive.write_bytes(first.raw + b"\n")
    tail = subprocess.Popen(["tail", "-n", "+1", "-F", archive], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process = subprocess.Popen([COMMAND, "track", "--changes", "-"], stdin=tail.stdout, stdout=subprocess.PIPE)
    assert process.stdout is not None and tail.stdout is not None
    tail.stdout.close()
    until(process.stdout, first.initial_transaction.id.encode())
    for half in (second.raw[:50], second.raw[50:] + b"\n"):
        with archive.open("ab") as file:
            file.write(half)
    until(process.stdout, b"<stdin>:2: ")
    tail.terminate()
    assert b"2 events, 2 members" in process.communicate(timeout=240)[0]
    assert (process.returncode, tail.wait(timeout=240)) == (0, -signal.SIGTERM)


def test_two_events_on_a_later_line_are_one_rejected_line_and_a_hint() -> None:
    archive = EVENTS[0] + b"\n" + EVENTS[1] + b" " + EVENTS[2] + b"\n" + EVENTS[3] + b"\n"
    done = run("check", "-", stdin=archive)
    assert f"<stdin>:2:{len(EVENTS[1]) + 2}: error: $: " in done.out
    assert "found more text; is a line break missing before it? [" in done.out
    *_, summary = objects(run("check", "--json", "-", stdin=archive))
    assert (summary["lines"], sum(summary["events"].values()), summary["rejected"]) == (3, 2, 1)
    for rejected in (b"{}x{}", b"{\n{}"):
        assert "is a line break missing" not in run("check", "-", stdin=EVENTS[0] + b"\n" + rejected).out
