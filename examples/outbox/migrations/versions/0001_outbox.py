# SPDX-License-Identifier: MIT
"""The outbox."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make it."""
    op.create_table(
        "outbox",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("member", sa.Text, nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now(), index=True),
        sa.Column("refused", sa.Integer, nullable=False, server_default="0"),
        sa.Column("sent", sa.DateTime(timezone=True)),
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_table("outbox")
