"""Who answered a turn, and in which language it was said."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("turn", _text("identity"))
    op.add_column("turn", _text("language"))
    op.execute("UPDATE turn SET identity = (SELECT identity FROM session WHERE session.id = turn.session)")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, server_default="")
