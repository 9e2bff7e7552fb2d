"""What workers on one database know of each other's callers: how fast each goes, and which live sockets are open."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "pace",
        sa.Column("caller", sa.Text, primary_key=True),
        sa.Column("left", sa.Double, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
    )
    op.create_table(
        "live_socket",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("lease", sa.Double, nullable=False),
    )
    op.create_index("live_socket_of_owner", "live_socket", ["owner"])
