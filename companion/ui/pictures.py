"""The pictures that may fill a screen's picture place, besides a map or a photo."""

from __future__ import annotations

from companion.ui.battlefield_picture import FieldPicture
from companion.ui.draft_picture import DraftPicture
from companion.ui.duel_picture import DuelPicture
from companion.ui.table_pictures import BoardPicture

TablePicture = FieldPicture | DuelPicture
"""A table without a board's map: like a map, it is drawn between two players."""
Picture = BoardPicture | DraftPicture | FieldPicture | DuelPicture
