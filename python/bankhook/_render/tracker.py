# SPDX-License-Identifier: MIT
"""A tracker as counts and its first members, and joint accounts as groups."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from bankhook._core import Tracker
from bankhook._records.words import counted
from bankhook._render.hues import hue_of
from bankhook._render.markup import code, fold, head, more, pill, table, tag, word
from bankhook._render.values import NULL
from bankhook._tracking import JointAccounts

MEMBERS_LIMIT = 20
KINDS_LIMIT = 12  # of states: a payload may name any
GROUPS_LIMIT, IDS_LIMIT = 50, 12


def tracker(value: Tracker) -> str:
    """Return how many objects there are in which states, and the first members."""
    connections, transactions = value._counts()
    figures = (
        _figure(len(value), "member"),
        _figure(sum(connections.values()), "connection", _kinds(connections)),
        _figure(sum(transactions.values()), "transaction", _kinds(transactions)),
    )
    return head("Tracker") + tag("div", "".join(figures), "figures") + (_members(value) if len(value) else "")


def joint_accounts(value: JointAccounts) -> str:
    """Return the real accounts that have more than one id."""
    groups = value.groups()
    joint = f"{counted(len(groups), 'real account')} with more than one id" if groups else "none of them joint"
    rows = [[code(ids[0]), _ids(ids[1:])] for ids in groups[:GROUPS_LIMIT]]
    shown = table(("canonical id", "the same real account"), rows) if rows else ""
    title = head("JointAccounts", word(f"{counted(len(value), 'account')}, {joint}"))
    return title + shown + more(len(groups) - GROUPS_LIMIT, "group")


def _figure(count: int, noun: str, kinds: str = "") -> str:
    return tag("div", f"<b>{count:,}</b>{word(noun if count == 1 else noun + 's')} {kinds}", "figure")


def _kinds(counts: Mapping[str | None, int] | Mapping[str, int]) -> str:
    """Return how many there are of each state; None counts those of which only events of an unlisted type have come."""
    known = sorted(counts.items(), key=lambda item: -item[1])[:KINDS_LIMIT]
    return " ".join(pill(f"{count:,} {state or 'unknown'}", hue_of(state or "unknown")) for state, count in known)


def _members(value: Tracker) -> str:
    rows = [_member(value, member_id) for member_id in islice(value, MEMBERS_LIMIT)]
    heads = ("member", "external id", "connections", "on", "off", "transactions")
    return fold(word("members"), table(heads, rows) + more(len(value) - len(rows), "member"), is_open=len(rows) <= 8)


def _member(value: Tracker, member_id: str) -> list[str]:
    held, counts = value.member(member_id), [f"{len(value.connections(member_id)):,}"]
    both = None if held is None else held.membership
    counts += [NULL, NULL] if both is None else [f"{both.connections_on:,}", f"{both.connections_off:,}"]
    external_id = "" if held is None else code(held.customer.external_id)
    return [code(member_id), external_id, *counts, f"{len(value.transactions(member_id)):,}"]


def _ids(ids: tuple[str, ...]) -> str:
    rest = len(ids) - IDS_LIMIT
    return ", ".join(code(one) for one in ids[:IDS_LIMIT]) + (word(f" … {rest:,} more") if rest > 0 else "")
