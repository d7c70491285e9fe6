# SPDX-License-Identifier: MIT
"""How much of a member is drawn. The module of the chart loads Altair, and what says how much was left out must not."""

from __future__ import annotations

__all__ = ["CONNECTIONS_LIMIT", "TRANSACTIONS_LIMIT"]

CONNECTIONS_LIMIT, TRANSACTIONS_LIMIT = 40, 1_000
