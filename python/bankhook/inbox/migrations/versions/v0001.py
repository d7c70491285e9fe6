# SPDX-License-Identifier: MIT
"""The first schema: deliveries, members, effects, open transactions and cases."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "bankhook_deliveries",
        sa.Column("number", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("received", TIME, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("event", sa.Text),
        sa.Column("member", sa.Text),
        sa.Column("key", sa.Text),
        sa.Column("rule", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("retry_at", TIME),
        sa.Column("commit_number", NUMBER),
        sa.Column("headers", sa.Text, nullable=False),
        sa.Column("findings", sa.Text, nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "bankhook_members",
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("snapshot", sa.LargeBinary, nullable=False),
        sa.Column("commit_number", NUMBER, nullable=False),
    )
    op.create_table("bankhook_runners", sa.Column("commit_number", NUMBER, primary_key=True, autoincrement=False))
    op.execute("INSERT INTO bankhook_runners (commit_number) VALUES (0)")
    op.create_table(
        "bankhook_removed", sa.Column("count", NUMBER, nullable=False), sa.Column("last", NUMBER, nullable=False)
    )
    op.execute("INSERT INTO bankhook_removed (count, last) VALUES (0, 0)")
    op.create_table(
        "bankhook_effects",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("delivery", NUMBER, nullable=False),
        sa.Column("member", sa.Text, nullable=False),
    )
    op.create_table(
        "bankhook_open_transactions",
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("delivery", NUMBER, nullable=False),
        sa.Column("received", TIME, nullable=False),
    )
    op.create_table(
        "bankhook_cases",
        sa.Column("number", NUMBER, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("field", sa.Text),
        sa.Column("delivery", NUMBER, nullable=False),
        sa.Column("member", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("received", TIME, nullable=False),
        sa.Column("settled_at", TIME),
        sa.Column("same", sa.LargeBinary),
    )
    make_indexes()


def make_indexes() -> None:
    """Make the indexes."""
    handled = sa.text("commit_number IS NOT NULL")
    for name, table, columns, condition in (
        ("bankhook_deliveries_not_handled", "bankhook_deliveries", ["state", "number"], sa.text("state != 'handled'")),
        ("bankhook_deliveries_of_waiting", "bankhook_deliveries", ["member", "number"], sa.text("state != 'handled'")),
        ("bankhook_deliveries_retried", "bankhook_deliveries", ["retry_at"], sa.text("retry_at IS NOT NULL")),
        ("bankhook_deliveries_member", "bankhook_deliveries", ["member", "number", "commit_number"], handled),
        ("bankhook_deliveries_key", "bankhook_deliveries", ["key", "number"], handled),
        ("bankhook_deliveries_received", "bankhook_deliveries", ["received"], handled),
        ("bankhook_cases_open", "bankhook_cases", ["number"], sa.text("settled_at IS NULL")),
    ):
        op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)
    op.create_index(
        "bankhook_cases_same",
        "bankhook_cases",
        ["same"],
        unique=True,
        sqlite_where=sa.text("settled_at IS NULL"),
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.create_index("bankhook_open_transactions_received", "bankhook_open_transactions", ["received"])
