# SPDX-License-Identifier: MIT
"""Files that cannot be read or written, and unexpected lines: each is reported in one clear line, and the work goes on."""

from __future__ import annotations

import gzip
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

import bankhook
from bankhook.cli.files import FileFault, binary_output, complete
from bankhook.testing import samples
from cli import zst
from cli.command import COMMAND, clean_archive, objects, run

pytestmark = pytest.mark.slow


def reported_once(err: str, *parts: str) -> bool:
    """Return whether the command printed one line of error, with all of these parts."""
    return err.count("\n") == 1 and err.startswith("bankhook: ") and all(part in err for part in parts)


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.ndjson"
    path.write_bytes(b"{}\n")
    return path


@pytest.mark.parametrize("command", ["check", "track"])
def test_a_missing_file_is_reported_and_the_other_is_read(command: str, bad: Path, tmp_path: Path) -> None:
    done = run(command, "--json", tmp_path / "none.ndjson", bad)
    assert done.status == 2
    assert reported_once(done.err, "none.ndjson", "no such file")
    assert objects(done)[0] == {
        "type": "unreadable",
        "file": str(tmp_path / "none.ndjson"),
        "reason": "no such file or directory",
    }
    assert objects(done)[-1]["rejected"] == 1


@pytest.mark.parametrize("command", ["check", "track"])
def test_a_directory_is_reported(command: str, bad: Path, tmp_path: Path) -> None:
    done = run(command, "--json", tmp_path, bad)
    assert done.status == 2
    assert reported_once(done.err, str(tmp_path), "is a directory")
    assert objects(done)[-1]["rejected"] == 1


def test_a_binary_file_is_reported(bad: Path, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    done = run("check", "--json", tmp_path / "a.png", bad)
    assert done.status == 2
    assert reported_once(done.err, "a.png", "binary")
    assert objects(done)[-1]["findings"] == 1


def test_a_file_without_permission_is_reported() -> None:
    folder = tempfile.TemporaryDirectory()  # of pytest's own folders, others see nothing
    Path(folder.name).chmod(0o755)
    secret = Path(folder.name) / "secret.ndjson"
    secret.write_bytes(b"{}\n")
    secret.chmod(0)
    script = f"""
import encodings.utf_8_sig, json, os, sys
from bankhook.cli import check
from bankhook.cli.commands import run
if os.geteuid() == 0:  # root may read everything
    os.setresuid(65534, 65534, 65534)
sys.exit(run(["check", {str(secret)!r}, "-"]))
"""
    with folder:
        done = subprocess.run([sys.executable, "-c", script], input="{}\n", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert reported_once(done.stderr, "secret.ndjson", "permission denied")
    assert "<stdin>:1:" in done.stdout


@pytest.mark.parametrize(("name", "pack"), [("a.gz", gzip.compress), ("a.zst", zst.compress)])
def test_a_truncated_archive_is_checked_up_to_the_cut(
    name: str, pack: Callable[[bytes], bytes], bad: Path, tmp_path: Path
) -> None:
    archive = clean_archive()
    packed = pack(archive)
    (tmp_path / name).write_bytes(packed[: len(packed) * 9 // 10])
    done = run("check", "--json", tmp_path / name, bad)
    *_, summary = objects(done)
    assert done.status == 2
    assert reported_once(done.err, name, "too early")
    assert summary["lines"] >= 1
    assert summary["findings"] == 1  # in the other file: the line that was cut is not checked


def test_a_damaged_archive_is_reported(bad: Path, tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(clean_archive()))
    packed[len(packed) // 2] ^= 0xFF
    packed[-5] ^= 0xFF
    (tmp_path / "a.gz").write_bytes(packed)
    done = run("check", tmp_path / "a.gz", bad)
    assert done.status == 2
    assert reported_once(done.err, "a.gz", "damaged")


def test_a_line_of_100_megabytes_is_checked() -> None:
    line = b'{"event":"initial_transaction_update","more":"' + b"x" * 100_000_000 + b'"}\n'
    done = run("check", "--json", "-", stdin=line + b"{}\n")
    found = objects(done)
    assert done.status == 1
    assert {finding["line"] for finding in found[:-1]} == {1, 2}
    assert found[-1]["lines"] == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "arguments", [["check", "-"], ["simulate"], ["schema"], ["lifecycle", "transaction"], ["track", "-"], ["demo"]]
)
def test_a_full_disk_is_reported(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([COMMAND, *arguments], input=b"{}\n", stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert reported_once(done.stderr.decode(), "No space left")


@pytest.mark.parametrize("option", ["--output", "--labels"])
def test_an_output_that_cannot_be_written_is_reported(option: str, tmp_path: Path) -> None:
    done = run("simulate", option, tmp_path / "none" / "a.ndjson")
    assert done.status == 2
    assert reported_once(done.err, "a.ndjson", "no such file")


def test_a_closed_pipe_is_quiet() -> None:
    for arguments in ("simulate --events 0", "check --limit 0 -", "demo", "--help", "schema asyncapi"):
        bad = "yes '{}' | head -100000 | " if "check" in arguments else ""
        script = f"{bad}{shlex.quote(COMMAND)} {arguments} | head -1; echo ${{PIPESTATUS[@]}}"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60)
        first, statuses = done.stdout.splitlines()
        assert first
        assert done.stderr == ""
        assert statuses.split()[-2] in ("0", "1")


@pytest.mark.parametrize("arguments", [[], ["none"], ["check"], ["check", "--none", "-"], ["show", "-", "--line", "0"]])
def test_wrong_usage_is_status_2(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert "Traceback" not in done.err
    assert "sage: bankhook" in done.err


def test_a_file_that_is_not_a_snapshot_is_reported(bad: Path) -> None:
    done = run("track", "--snapshot", bad, bad)
    assert done.status == 2
    assert reported_once(done.err, str(bad))
    assert bad.read_bytes() == b"{}\n"


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/full", "/"])
def test_a_snapshot_is_a_regular_file(name: str, bad: Path) -> None:
    done = run("track", "--snapshot", name, bad)
    assert done.status == 2
    assert reported_once(done.err, name, "it is not a regular file")


@pytest.mark.parametrize("name", ["", "-"])
def test_a_snapshot_needs_the_name_of_a_file(name: str, bad: Path) -> None:
    done = run("track", "--snapshot", name, bad)
    assert (done.status, done.out) == (2, "")
    assert "Error: --snapshot: expected the name of a file" in done.err


@pytest.mark.parametrize("arguments", [["show", "--id", "\udcff", "-"], ["track", "--member", "\udcff", "-"]])
def test_an_id_that_is_not_utf_8_is_wrong_usage(arguments: list[str]) -> None:
    done = run(*arguments, stdin=b"{}\n")
    assert (done.status, done.out) == (2, "")
    assert "expected UTF-8" in done.err


def test_an_id_is_found_in_any_locale() -> None:
    archive = bankhook.parse(clean_archive(1).split(b"\n")[0])
    assert not isinstance(archive, bankhook.UnknownEvent)
    event = archive.to_json().replace(archive.customer.id.encode(), "mémbre".encode()) + b"\n"
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = run("show", "--json", "--id", os.fsdecode("mémbre".encode()), "-", stdin=event, env=env)
    assert done.status == 0
    assert objects(done)[0]["event"]["customer"]["id"] == "mémbre"


def test_labels_and_deliveries_need_two_files(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "one")
    for output, labels in (("-", "-"), (tmp_path / "one", tmp_path / "one"), (tmp_path / "one", tmp_path / "link")):
        done = run("simulate", "--output", output, "--labels", labels)
        assert (done.status, done.out) == (2, "")
        assert "--labels and --output are the same file" in done.err
    assert not (tmp_path / "one").exists()


def test_many_blank_lines_are_read_in_parts() -> None:
    script = f"yes '' | head -c 40000000 | {shlex.quote(COMMAND)} check --allow-empty --json -"
    done = subprocess.run(
        ["bash", "-c", f"ulimit -v 250000; {script}"], capture_output=True, text=True, check=False, timeout=240
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert '"lines":40000000,' in done.stdout


def test_all_commands_agree_on_a_payload_over_several_lines() -> None:
    payload = samples.valid()[0].payload
    spread = payload.replace(b",", b",\n").replace(b"{", b"{\n", 1)
    assert [run(command, "-", stdin=spread).status for command in ("check", "track", "show")] == [0, 0, 0]
    cut = spread.replace(b'"id":"', b'"id":"\n', 1)
    assert [run(command, "-", stdin=cut).status for command in ("check", "track", "show")] == [1, 1, 1]


def test_if_no_file_can_be_read_the_summary_is_left_out(tmp_path: Path) -> None:
    done = run("check", tmp_path / "a.ndjson", tmp_path / "b.ndjson")
    assert (done.status, done.out) == (2, "")
    assert len(done.err.splitlines()) == 2


@pytest.mark.parametrize("open", [binary_output, complete])
def test_a_module_that_is_missing_while_a_file_is_written_is_no_error_of_the_file(
    open: Callable[[str], AbstractContextManager[object]], tmp_path: Path
) -> None:
    with pytest.raises(ModuleNotFoundError, match="missing"), open(str(tmp_path / "a")):
        raise ModuleNotFoundError("missing", name="pyarrow.parquet")
    with pytest.raises(FileFault, match="no Zstandard"), open(str(tmp_path / "a")):
        raise ModuleNotFoundError("no Zstandard", name="backports.zstd")
