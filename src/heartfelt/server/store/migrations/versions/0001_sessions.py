"""Sessions, turns and the events of their traces."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    _session()
    _turn()
    _event()


def _session() -> None:
    op.create_table(
        "session",
        sa.Column("id", sa.Text, primary_key=True),
        *(_text(name) for name in ("owner", "title", "made", "touched", "recipe", "model", "identity", "pace")),
        sa.Column("kept", sa.Boolean, nullable=False),
    )
    op.create_index("session_of_owner", "session", ["owner", "touched"])
    op.create_index("session_by_age", "session", ["touched"])


def _turn() -> None:
    op.create_table(
        "turn",
        sa.Column("session", sa.Text, sa.ForeignKey("session.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        *(_text(name) for name in ("state", "said", "by")),
        sa.Column("readings", sa.JSON),
        _text("reply"),
        sa.Column("interrupted", sa.Boolean, nullable=False),
        *(_text(name) for name in ("heard", "emotion", "made")),
        sa.Column("times", sa.JSON),
        _text("error"),
        sa.Column("afterthought", sa.JSON),
        _text("worker"),
        sa.Column("lease", sa.Double, nullable=False),
    )


def _event() -> None:
    op.create_table(
        "event",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("turn", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("looking_back", sa.Boolean, nullable=False),
        _text("line"),
        sa.ForeignKeyConstraint(["session", "turn"], ["turn.session", "turn.number"], ondelete="CASCADE"),
    )


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)
