# SPDX-License-Identifier: MIT
"""Inboxes in SQLite and PostgreSQL, through SQLAlchemy Core."""
