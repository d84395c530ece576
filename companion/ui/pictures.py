"""What may stand beside the words of a screen, besides a map or a photo."""

from __future__ import annotations

from companion.ui.battlefield_picture import FieldPicture
from companion.ui.draft_picture import DraftPicture
from companion.ui.duel_picture import DuelPicture
from companion.ui.table_pictures import BoardPicture

TablePicture = FieldPicture | DuelPicture
"""A table without a board's map: it stands between two players as a map does."""
Picture = BoardPicture | DraftPicture | FieldPicture | DuelPicture
