"""What somebody last tried with a turn, until they keep it or try something else."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("event", sa.Column("tried", sa.Boolean, nullable=False, server_default=sa.false()))
