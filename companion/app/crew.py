"""Whoever works beside the app: what it asks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from companion.games.match import Match
from engine.orders.position import Position

if TYPE_CHECKING:
    from vision.reading.read import Reading


class Recording(Protocol):
    """Whoever keeps pictures of the turns."""

    def see(self, match: Match, reading: Reading, frame: bytes | None = None) -> None:
        """A settled look at the table between turns; it must not take time."""


class Learning(Protocol):
    """Whoever learns from what people confirm how far this table's readings can be trusted."""

    def refined(self, reading: Reading) -> Reading:
        """The reading as it is to be believed; the same object again for the same reading."""

    def confirmed(self, position: Position) -> bool:
        """People said that the table stood so in the last reading."""


class Serving(Protocol):
    """Whoever looks after the app's process."""

    def turned(self, now_s: float) -> None:
        """The window's loop has done a whole turn."""

    def missing_screen(self, why: str) -> bool:
        """No screen could be opened; True where it is to be tried again, after a wait."""
