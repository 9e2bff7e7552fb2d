"""Alembic runs this for every migration. The connection, its transaction and its lock are those of `migrate`."""

from alembic import context

_given = context.config.attributes
context.configure(connection=_given["connection"], version_table=_given["version_table"], render_as_batch=True)
context.run_migrations()
