"""How a game of any system is shown away from its table: on the start page, on the shelf, where it is looked at."""

from __future__ import annotations

from typing import Any, Protocol, TypedDict

from companion.games.match import AnyMatch
from companion.games.rules_search import Library
from companion.games.shelf import Saved
from companion.scenes.story.game_log import GameLog
from companion.ui.screen import MapPicture, Picture


class Sight(TypedDict, total=False):
    """The picture beside a screen's words, as the field of `Screen` that takes it."""

    map: MapPicture
    board: Picture


class Portrait(Protocol):
    """What a system gives for it."""

    def sight(self, position: Any) -> Sight:
        """A position as a picture."""

    def seat(self, game: Saved, side: str) -> str:
        """The colour of a side, as its file calls it; the near one's for nobody's."""

    def log(self, match: AnyMatch) -> GameLog[Any, Any]:
        """A game in words."""

    def library(self, game: Saved) -> Library:
        """The rules that it is played by, to look things up in."""
