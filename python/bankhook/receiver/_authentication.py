# SPDX-License-Identifier: MIT
"""Checks of who sent a request: how one is asked, several as one, and the one that lets in anyone."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from inspect import isawaitable, isfunction
from typing import Any, TypeAlias, cast

from bankhook._records.errors import wrong_type
from bankhook.receiver._log import Log
from bankhook.receiver._requests import TurnedAway

Verify: TypeAlias = Callable[[Mapping[str, str], bytes], bool | Awaitable[bool]]
"""A check of the headers, whose names may be in any case, and of the verbatim body: True if the sender is the right one.

If it has an attribute `before_body`, a function of the headers alone that returns a bool, that is asked before the body is read;
if it has `not_stored`, that is called with the headers of a delivery that passed and was not stored."""

_Asking: TypeAlias = Generator[object, object, bool]


class _OfHeaders:
    """A check that needs the headers alone."""

    def __init__(self, before_body: Callable[[Mapping[str, str]], bool]) -> None:
        self.before_body = before_body

    def __call__(self, headers: Mapping[str, str], body: bytes) -> bool:
        return self.before_body(headers)


def _is_from_no_page(headers: Mapping[str, str]) -> bool:
    if "origin" in headers or headers.get("sec-fetch-site", "none") != "none":
        raise TurnedAway(401, "a web page sent it, and senders are not authenticated")
    return True


anyone: Verify = _OfHeaders(_is_from_no_page)
"""The check that lets in anyone who reaches the receiver, except for web pages: a browser says that it sends for one.

Any page may post to a server on loopback or in the network of its reader."""


class _Composed:
    """A check of several checks, each of which may be async: so is the answer then, else it is a bool."""

    def __init__(self, members: Sequence[Verify]) -> None:
        self._members = members

    def before_body(self, headers: Mapping[str, str]) -> bool | Awaitable[bool]:
        return _answered(self._ask(headers))

    def __call__(self, headers: Mapping[str, str], body: bytes) -> bool | Awaitable[bool]:
        return _answered(self._ask(headers, body))

    def not_stored(self, headers: Mapping[str, str]) -> None:
        _forget(self._members, headers)

    @abstractmethod
    def _ask(self, headers: Mapping[str, str], *body: bytes) -> _Asking:
        """Yield what each member answers, get that awaited, and return the answer; without the body, ask `before_body`."""


class _AllOf(_Composed):
    def _ask(self, headers: Mapping[str, str], *body: bytes) -> _Asking:
        passed: list[Verify] = []
        is_right = False
        try:
            for member in self._members:
                check = member if body else getattr(member, "before_body", None)
                if check is not None and not _known((yield check(headers, *body))):
                    return False
                passed.append(member)
            is_right = True
        finally:
            if body and not is_right:  # those that passed it shall not take it for a repeat when it comes again
                _forget(passed, headers)
        return True


class _AnyOf(_Composed):
    def _ask(self, headers: Mapping[str, str], *body: bytes) -> _Asking:
        problem: Exception | None = None
        for member in self._members:
            check = member if body else getattr(member, "before_body", None)
            if check is None:
                return True  # it asks for the body, too
            try:
                if _known((yield check(headers, *body))):
                    return True
            except Exception as error:
                if isinstance(error, TurnedAway) and error.status_code != 401:
                    raise  # the sender is right, and this is not: a repeat
                problem = problem or error
        if problem is not None:
            raise problem
        return False


def all_of(*checks: Verify) -> Verify:
    """Return a check that passes what each of these checks passes, such as a signature and a secret.

    What one of them refuses by the headers alone is refused before the body is read. They may be sync or async.

    Parameters
    ----------
    *checks : function
        Checks, which are asked in this order until one refuses.

    Returns
    -------
    function
        The check, for `Receiver(verify=...)`. It is async if a check is.

    Raises
    ------
    TypeError
        If one of them is not a check, as when a setting is missing.
    ValueError
        If no check is given.

    Examples
    --------
    >>> from bankhook.receiver import all_of, anyone, shared_secret
    >>> verify = all_of(anyone, shared_secret(header="X-Secret", secret="agreed"))  # no web page
    >>> verify({"X-Secret": "agreed"}, b"{}"), verify({"X-Secret": "guessed"}, b"{}")
    (True, False)
    """
    return _AllOf(_members(checks))


def any_of(*checks: Verify) -> Verify:
    """Return a check that passes what one of these checks passes, such as the signatures of two senders.

    What each of them refuses by the headers alone is refused before the body is read. They may be sync or async. One that
    raises does not pass it; if none does, its error is raised. A repeat that one refuses is refused.

    Parameters
    ----------
    *checks : function
        Checks, which are asked in this order until one passes it.

    Returns
    -------
    function
        The check, for `Receiver(verify=...)`. It is async if a check is.

    Raises
    ------
    TypeError
        If one of them is not a check, as when a setting is missing.
    ValueError
        If no check is given.

    Examples
    --------
    >>> from bankhook.receiver import any_of, hmac_signature, shared_secret
    >>> signed = hmac_signature(header="X-Signature", secret="agreed")
    >>> verify = any_of(signed, shared_secret(header="X-Secret", secret="agreed"))
    >>> verify(signed.sign(b"{}"), b"{}"), verify({"X-Secret": "agreed"}, b"{}"), verify({}, b"{}")
    (True, True, False)
    """
    return _AnyOf(_members(checks))


def _members(checks: Sequence[Verify]) -> Sequence[Verify]:
    if not checks:
        raise ValueError("checks: expected one or more")
    for check in checks:
        check_verify(check)
    return checks


def check_verify(verify: object) -> None:
    """Raise TypeError, with what to write instead, for something else than a check: a missing setting gives None or a text."""
    if verify is None:
        raise TypeError("verify: expected a check of senders, found None; verify=receiver.anyone lets in anyone")
    if isinstance(verify, str | bytes):
        raise TypeError("verify: expected a check, found a text; write shared_secret(header=..., secret=...)")
    if getattr(verify, "__module__", "") == "bankhook.receiver" and isfunction(verify):
        raise TypeError(f"verify: expected what {verify.__name__} returns, found the function itself")
    if not callable(verify):
        raise wrong_type("verify", "a function of headers and body", verify)


def _known(answer: object) -> bool:
    if not isinstance(answer, bool):
        raise TypeError(f"a check returned {type(answer).__name__}, not True or False")
    return answer


def _forget(checks: Iterable[Verify], headers: Mapping[str, str]) -> None:
    for check in checks:
        if (not_stored := getattr(check, "not_stored", None)) is not None:
            not_stored(headers)


def _answered(asking: _Asking) -> bool | Awaitable[bool]:
    """Return what a check of several answers, as an awaitable only if something has to be awaited."""
    try:
        answer = next(asking)
        while not isawaitable(answer):
            answer = asking.send(answer)
    except StopIteration as end:
        return cast("bool", end.value)
    return _awaited(asking, answer)


async def _awaited(asking: _Asking, answer: object) -> bool:
    try:
        while True:
            try:
                found = await answer if isawaitable(answer) else answer
            except BaseException as error:
                answer = asking.throw(error)
            else:
                answer = asking.send(found)
    except StopIteration as end:
        return cast("bool", end.value)


async def authenticate(verify: Callable[..., Any], log: Log, headers: Mapping[str, str], *body: bytes) -> None:
    """Ask who sent it; raises TurnedAway, with 401 unless the check gave its reason, if the answer is not True.

    A check that raises, or returns neither True nor False, may be a mistake that turns everybody away: that is logged.
    """
    try:
        answer = verify(headers, *body)
        is_right: Any = await answer if isawaitable(answer) else answer
        if not isinstance(is_right, bool):
            found = type(is_right).__name__
            log.problem(
                logging.WARNING, f"verify returned {found}, not True or False: the sender counts as not authenticated"
            )
    except TurnedAway:
        raise
    except Exception as error:
        name = type(error).__name__
        log.problem(logging.WARNING, f"verify raised {name}: the sender counts as not authenticated", error=name)
        is_right = False
    if is_right is not True:
        raise TurnedAway(401, "the sender is not authenticated", {"www-authenticate": "webhook"})
