# SPDX-License-Identifier: MIT
"""`--verify` and `--sign`: the same text for both, and a secret means the same as in the library."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace

import click
import httpx
import pytest

from bankhook.cli import senders
from bankhook.receiver import hmac_signature, shared_secret, standard_webhooks
from cli.command import run
from cli.server import receiving
from receiver.asked import CREATED
from receiver.listening import listening, stored

KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
KINDS = {
    "header:X-Secret": shared_secret(header="X-Secret", secret=KEY),
    "standard-webhooks": standard_webhooks(KEY),
    "hmac:X-Hub-Signature-256,prefix=sha256=": hmac_signature(header="X-Hub-Signature-256", secret=KEY, prefix="sha256="),
    "hmac:X-Shop,encoding=base64,algorithm=sha512": hmac_signature(
        header="X-Shop", secret=KEY, encoding="base64", algorithm="sha512"
    ),
    "hmac:X-Sig,prefix=v0=,timestamp=X-Time,message=v0:{timestamp}:{body},within=60": hmac_signature(
        header="X-Sig", secret=KEY, prefix="v0=", timestamp_header="X-Time", message="v0:{timestamp}:{body}"
    ),
    "hmac:Stripe-Signature,fields=t+v1,message={timestamp}.{body},within=none": hmac_signature(
        header="Stripe-Signature", secret=KEY, message="{timestamp}.{body}", fields=("t", "v1")
    ),
}


@contextlib.contextmanager
def secret(folder: Path, *contents: str | bytes) -> Generator[list[str]]:
    """Options that name files with these secrets."""
    options = []
    for number, content in enumerate(contents):
        file = folder / f"secret{number}"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        options += ["--secret-file", str(file)]
    yield options


@pytest.mark.parametrize("kind", KINDS)
def test_what_send_and_replay_sign_is_what_listen_and_the_library_take(kind: str, tmp_path: Path) -> None:
    inbox = tmp_path / "inbox.db"
    with (
        secret(tmp_path, KEY + "\n", b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx\r\n") as both,
        listening(inbox, "--verify", kind, *both) as server,
        receiving() as seen,
    ):
        assert run("send", server.url, "-n", "2", "--sign", kind, *both[:2]).status == 0
        assert run("send", server.url, "-n", "2", "--sign", kind, *both[2:]).status == 0
        assert run("send", server.url, "--event", "created", "--sign", kind, env={"BANKHOOK_SECRET": KEY}).status == 0
        assert run("replay", str(inbox), server.url, "--sign", kind, *both).status == 0
        wrong = run("send", server.url, "--event", "created", "--sign", kind, env={"BANKHOOK_SECRET": KEY.swapcase()})
        assert wrong.status == (2 if kind == "standard-webhooks" and wrong.err else 1)
        assert run("send", server.url, "--event", "created").status == 1
        assert httpx.post(server.url, content=CREATED, headers=KINDS[kind].sign(CREATED)).status_code == 204
        assert run("replay", str(inbox), seen.url, "-n", "1", "--sign", kind, *both).status == 0
    assert len(stored(inbox)) == 11
    assert KINDS[kind](seen.requests[0].headers, seen.requests[0].body)


@pytest.mark.parametrize(
    ("content", "is_right"),
    [
        ("agreed", True),
        ("agreed\n", True),
        ("agreed\r\n", True),
        (b"\xef\xbb\xbfagreed\n", True),
        ("agreed\n\n", False),
        ("agreed \n", False),
        ("agreed\t", False),
        (" agreed", False),
        ("agreed\nother\n", False),
        ("", False),
        ("\n", False),
        (b"agreed\0", False),
        (b"\xff\xfe", False),
    ],
)
@pytest.mark.parametrize("kind", ["header:X-Secret", "hmac:X-Sig"])
def test_the_line_end_of_a_file_is_no_part_of_the_secret_and_nothing_else_is_taken_away(
    kind: str, content: str | bytes, is_right: bool, tmp_path: Path
) -> None:
    file = tmp_path / "secret"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    chosen = SimpleNamespace(verify=kind, sign=kind, secret_files=(file,))
    if is_right:
        sign = senders.signer(chosen)
        right = {
            "header": shared_secret(header="X-Secret", secret="agreed"),
            "hmac": hmac_signature(header="X-Sig", secret="agreed"),
        }
        assert sign is not None and sign(CREATED) == right[kind.partition(":")[0]].sign(CREATED)
        assert senders.verifier(chosen)(sign(CREATED), CREATED)
        return
    for made in (senders.signer, senders.verifier):
        with pytest.raises(click.UsageError, match=r"secret: (it|expected)|not UTF-8"):
            made(chosen)


def test_blanks_within_a_secret_stay(tmp_path: Path) -> None:
    with secret(tmp_path, "two  words\n") as file, receiving() as seen:
        assert run("send", seen.url, "--event", "created", "--sign", "header:X-Secret", *file).status == 0
    assert seen.requests[0].headers["x-secret"] == "two  words"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("magic", "expected header:NAME, standard-webhooks, hmac:HEADER"),
        ("hmca:X-Sig", "did you mean 'hmac'?"),
        ("standard_webhooks", "did you mean 'standard-webhooks'?"),
        ("header:", "expected header:NAME"),
        ("header:X Secret", "header: expected letters"),
        ("hmac:", "expected header:NAME"),
        ("hmac:X-Sig,", "hmac: expected prefix=, encoding=, algorithm=, timestamp=, message=, fields=, within="),
        ("hmac:X-Sig,prefx=v1=", "did you mean 'prefix'?"),
        ("hmac:X-Sig,prefix", "hmac: expected prefix="),
        ("hmac:X-Sig,prefix=a,prefix=b", "hmac: prefix= is there twice"),
        ("hmac:X-Sig,encoding=base32", "encoding: expected hex or base64"),
        ("hmac:X-Sig,algorithm=md5", "algorithm: expected sha1, sha256, sha384 or sha512"),
        ("hmac:X-Sig,message={bdy}", "message: expected no other fields than {body} and {timestamp}"),
        ("hmac:X-Sig,timestamp=X-Time", "message: expected {timestamp} in it"),
        ("hmac:X-Sig,fields=t,message={timestamp}{body}", "fields: expected two names"),
        *((f"hmac:X-Sig,within={one}", "within: expected ") for one in ("0", "-5", "5m", "", "٣", "9" * 30)),
    ],
)
def test_what_can_never_match_is_wrong_usage(kind: str, reason: str, tmp_path: Path) -> None:
    with secret(tmp_path, "agreed\n") as file:
        for arguments in (["listen", "--port", "0", "--verify", kind], ["send", "http://127.0.0.1:9/", "--sign", kind]):
            done = run(*arguments, *file)
            assert (done.status, done.out) == (2, "")
            assert reason in " ".join(done.err.split()), done.err


def test_a_secret_that_is_missing_or_not_asked_for_is_wrong_usage(tmp_path: Path) -> None:
    url = "http://127.0.0.1:9/"
    with secret(tmp_path, "agreed\n", "agreed") as twice:
        for arguments, reason in (
            (["send", url, "--sign", "header:X"], "--sign needs a secret"),
            (["send", url, "--sign", "anyone"], "expected header:NAME"),
            (["send", url, *twice], "--secret-file needs --sign"),
            (["send", url, "--sign", "header:X", *twice], "secret: two of them are equal"),
            (["send", url, "--sign", "json:dumps", *twice], "a function has its own"),
            (["listen", "--verify", "json:dumps", *twice], "a function has its own"),
        ):
            done = run(*arguments)
            assert (done.status, reason in " ".join(done.err.split())) == (2, True), done.err


MODULE = """
from bankhook.receiver import all_of, hmac_signature, shared_secret

signed = hmac_signature(header="X-Sig", secret="agreed")
verify = all_of(signed, shared_secret(header="X-Secret", secret="agreed"))


class Both:
    @staticmethod
    def sign(body):
        return {**signed.sign(body), "X-Secret": "agreed"}


def fails(body):
    raise KeyError("a secret")


def returns_none(body):
    return None


def breaks_out(body):
    return {"X-Sig": "a\\r\\nX-Other: b"}


def sets_the_length(body):
    return {"Content-Length": "1"}


text = "agreed"
"""


def test_a_function_of_ones_own_verifies_and_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_checks.py").write_text(MODULE)
    (tmp_path / "broken_checks.py").write_text("1 / 0\n")
    (tmp_path / "needing_checks.py").write_text("import no_such_package\n")
    monkeypatch.chdir(tmp_path)
    with listening("inbox.db", "--verify", "own_checks:verify") as server:
        assert run("send", server.url, "-n", "2", "--sign", "own_checks:Both.sign").status == 0
        assert run("send", server.url, "-n", "2", "--sign", "own_checks:Both").status == 0
        assert run("send", server.url, "-n", "1", "--sign", "own_checks:signed").status == 1
        for name, reason in (
            ("own_checks:fails", "--sign: it failed with KeyError"),
            ("own_checks:returns_none", "--sign: it failed with TypeError"),
            ("own_checks:breaks_out", "--sign: it returned something that is no header"),
            ("own_checks:sets_the_length", "Content-Length is set by the command or by --header"),
            ("own_checks:text", "--sign: expected a function of the body"),
            ("own_checks:sign", "own_checks has no sign; did you mean 'signed'?"),
            ("broken_checks:sign", "the import of broken_checks failed with ZeroDivisionError"),
            ("needing_checks:sign", "the import of needing_checks failed with ModuleNotFoundError"),
            ("no_checks:sign", "there is no module no_checks"),
            ("own_checks.deeper:sign", "there is no module own_checks.deeper"),
        ):
            done = run("send", server.url, "-n", "1", "--sign", name)
            assert done.status == 2 and reason in " ".join(done.err.split()), done.err
            assert "a secret" not in done.err and "Traceback" not in done.err
        done = run("send", server.url, "-n", "1", "--sign", "own_checks:signed", "--header", "x-sig:1")
        assert done.status == 2 and "X-Sig is set by the command or by --header" in " ".join(done.err.split())
    assert len(stored("inbox.db")) == 4
    done = run("listen", "--port", "0", "--verify", "own_checks:text")
    assert done.status == 2 and "verify: expected a check, found a text" in " ".join(done.err.split())


def test_the_shell_completes_the_kinds() -> None:
    for option, kinds in (
        ("--verify", {"header:", "hmac:", "standard-webhooks", "anyone"}),
        ("--sign", {"header:", "hmac:", "standard-webhooks"}),
    ):
        words = f"bankhook {'listen' if option == '--verify' else 'send'} {option} "
        env = {"_BANKHOOK_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": "3"}
        assert {line.partition(",")[2] for line in run(env=env).out.splitlines()} == kinds
