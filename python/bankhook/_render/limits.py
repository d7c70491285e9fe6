# SPDX-License-Identifier: MIT
"""How much of a member is drawn; apart from the chart, because what reports how much was left out must not load Altair."""

from __future__ import annotations

CONNECTIONS_LIMIT, TRANSACTIONS_LIMIT = 40, 1_000
