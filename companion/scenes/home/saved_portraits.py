"""Small pictures of saved games for their list: each game's file is read in between, one at a time."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from companion.games.saved.shelf import Saved
from companion.scenes.base.small_pictures import small_picture
from companion.scenes.story.portrait import PORTRAITS
from companion.scenes.systems import sight_of
from companion.ui.small_map import SmallPicture

MOST_KEPT = 64  # of the pictures: a few screens full of cards

_Key = tuple[Path, datetime]


class SavedPortraits:
    """Where saved games stand, as small pictures; None until a game has been read."""

    def __init__(self) -> None:
        self._known: dict[_Key, SmallPicture | None] = {}
        self._wanted: dict[_Key, Saved] = {}

    def find(self, game: Saved) -> SmallPicture | None:
        """Return the picture of a game; where it isn't there yet, it will be read."""
        key = game.path, game.written
        if key not in self._known and game.readable:
            self._wanted[key] = game
        return self._known.get(key)

    def read_next(self) -> bool:
        """Read one game that was asked for; whether it was the last one, so that all pictures are there."""
        if not self._wanted:
            return False
        key, game = self._wanted.popitem()
        if len(self._known) >= MOST_KEPT:
            self._known.clear()
        sight = sight_of(game)
        self._known[key] = small_picture(sight.get("map") or sight.get("board"))
        return not self._wanted


def side_of(game: Saved) -> str:
    """Return the faction whose mark a game's card has: its winner, or whose turn it is; "" where it is nobody's."""
    side = game.winner or game.to_move
    return PORTRAITS.of(game.system).seat(game, side) if game.readable and side in game.sides else ""
