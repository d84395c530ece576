"""What it is worth to hold this card and no other: what cards of its name bring on average, less what any card brings.

The averages are data (`engine/data/gains`), counted in self-play by `training.card_gains`; there is a table for each
mode. A card that isn't in it, such as one of an owner's own deck, is worth what any card is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engine.orders.board import Board
from engine.tables import Each, read_table, table_names

_FORM = {"mean": float, "gains": Each(float)}


def card_luck(board: Board, card: str) -> float:
    """Return by how much more than any card one of this name raises the chance to win, on average."""
    return _lucks(board.mode.name).get(card, 0.0)


@cache
def _lucks(mode: str) -> Mapping[str, float]:
    if mode not in table_names("gains"):
        return {}
    table = read_table("gains", mode, _FORM)
    return {card: gain - table["mean"] for card, gain in table["gains"].items()}
