"""What may stand beside the words of a screen, besides a map or a photo."""

from __future__ import annotations

from companion.scenes.draft_sight import DraftPicture
from companion.scenes.generals.sights import DuelPicture
from companion.scenes.sights import BoardPicture
from companion.scenes.sonae.sights import FieldPicture

TablePicture = FieldPicture | DuelPicture
"""A table without a board's map: it stands between two players as a map does."""
Picture = BoardPicture | DraftPicture | FieldPicture | DuelPicture
