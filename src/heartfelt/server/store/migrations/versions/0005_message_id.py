"""By which id a client sent what was said, so that it is stored once however often it is sent."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("turn", sa.Column("message_id", sa.Text, nullable=False, server_default=""))
