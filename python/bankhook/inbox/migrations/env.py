# SPDX-License-Identifier: MIT
"""What Alembic runs: it migrates through the connection that it was given, in the transaction of that one."""

from alembic import context

from bankhook.inbox._sql.schema import VERSION_TABLE
from bankhook.inbox._sql.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, version_table=VERSION_TABLE)
context.run_migrations()
