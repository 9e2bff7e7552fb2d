"""Where a person is, what a turn raised an alarm about, and the breaks that were suggested."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("session", _text("country"))
    op.add_column("turn", sa.Column("alarm", sa.JSON))
    op.add_column("turn", _text("reminder"))


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, server_default="")
