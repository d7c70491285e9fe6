# SPDX-License-Identifier: MIT
"""Deliveries sent over HTTP, one after another: a line for each with its answer, and a summary of the answers."""

from __future__ import annotations

import collections
import sys
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bankhook._render.progress import Bar
from bankhook.cli import options, senders
from bankhook.cli.options import Chosen, Whole, option
from bankhook.cli.shapes import ANSWER, ANSWERED, shaped
from bankhook.cli.target import allow_remote, checked_headers, checked_url, headers
from bankhook.cli.terminal import plain, say, say_json, so_far

if TYPE_CHECKING:
    import httpx

F = TypeVar("F", bound="Callable[..., Any]")
_READ_AT_MOST = 1 << 16  # bytes of an answer


def sending(function: F) -> F:
    """Add the options of commands that send."""
    seconds = option("--timeout", "How long to wait for each answer.", Whole(1, 3600), 10, metavar="SECONDS")
    signed = senders.sign(senders.secret_files("sign")(allow_remote(options.as_json(function))))
    return seconds(headers(signed))


Label: TypeAlias = tuple[int, str | None, str | None]
"""Of a delivery its number, the name of its event, and the id of the connection or transaction; None if it cannot be read."""


def send_each(chosen: Chosen, posts: Iterable[tuple[Label, bytes]], *, total: int | None) -> int:
    """Send each delivery once, print what came of it, and return the exit status: 1 where one was not answered with 2xx.

    Redirects are not followed, and neither proxies nor credentials of the environment are used. Whatever ends it, what was
    sent until then is reported.
    """
    import httpx

    url, sign = checked_url(chosen.url, is_remote_allowed=chosen.allow_remote), senders.signer(chosen)
    start = time.perf_counter()
    sent = httpx.Headers([("content-type", "application/json"), ("user-agent", "bankhook")])
    sent.update(httpx.Headers(list(chosen.headers)))
    answers, problems = collections.Counter[int](), collections.Counter[str]()
    with Bar(total, counts=True) as bar, httpx.Client(headers=sent, timeout=chosen.timeout, trust_env=False) as client:
        try:
            for (number, event, key), body in posts:
                signed = [] if sign is None else checked_headers("--sign", sign(body), chosen.headers)
                begin = time.perf_counter()
                status, problem = _answer(client, url, body, signed, chosen.timeout)
                milliseconds = round((time.perf_counter() - begin) * 1000, 1)
                answers.update([] if status is None else [status])
                problems.update([] if problem is None else [problem])
                so_far.status |= not _is_accepted(status)
                bar.hide()
                if chosen.as_json:
                    of = {"number": number, "event": event, "key": key, "status": status, "problem": problem}
                    say_json(shaped(ANSWER, **of, milliseconds=milliseconds))
                else:
                    about = f"{number:>7,}  {plain(event or '-'):<26}  {plain(key or '-'):<28} "
                    result = f"{status or problem:<13}", "green" if _is_accepted(status) else "red"
                    say(about, result, f"{milliseconds:>8,} ms", rest=4)
                bar.update(answers.total() + problems.total())
        finally:
            bar.hide()
            if answers or problems or sys.exc_info()[0] is None:
                _say_summary(chosen, sorted(answers.items()), sorted(problems.items()), time.perf_counter() - start)
    return 0 if not problems and all(map(_is_accepted, answers)) else 1


def _is_accepted(status: int | None) -> bool:
    return status is not None and 200 <= status < 300


def _answer(
    client: httpx.Client, url: str, body: bytes, signed: list[tuple[bytes, bytes]], timeout: float
) -> tuple[int | None, str | None]:
    """Send a body, and return the status of the answer, or why nothing was answered."""
    import httpx

    end, size = time.perf_counter() + timeout, 0
    try:
        with client.stream("POST", url, content=body, headers=signed) as response:
            for part in response.iter_raw():
                if time.perf_counter() > end:
                    return None, "timeout"
                if (size := size + len(part)) > _READ_AT_MOST:
                    break
            return response.status_code, None
    except httpx.TimeoutException:
        return None, "timeout"
    except (httpx.ConnectError, httpx.InvalidURL, OSError, UnicodeError):  # some names cannot be one
        return None, "no connection"
    except httpx.HTTPError:
        return None, "no answer"


def _say_summary(chosen: Chosen, answers: list[tuple[int, int]], problems: list[tuple[str, int]], seconds: float) -> None:
    sent = sum(count for _, count in (*answers, *problems))
    if chosen.as_json:
        counts = {"answers": {str(status): count for status, count in answers}, "problems": dict(problems)}
        say_json(shaped(ANSWERED, sent=sent, **counts, seconds=round(seconds, 3)))
    elif not sent:
        say("nothing was sent")
    else:
        parts = [f"{count:,} answered {status}" for status, count in answers]
        parts += [f"{count:,} without an answer: {problem}" for problem, count in problems]
        a_second = f"{sent / seconds:,.0f} a second" if sent > 1 else "1 delivery"
        say((f"{sent:,} sent in {seconds:.1f} s ({a_second}): {', '.join(parts)}", "bold"))
