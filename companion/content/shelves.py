"""The shelves of owners' boards of General Orders and battles of Sonae, and what a saved game brings along of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.content.decks import DECKS
from companion.content.own_files import OwnFiles, owners_reader, text_of
from engine.orders.board import add_board, own_board_names, read_board, remove_board
from engine.sonae.scenario import add_scenario, own_scenario_names, read_scenario, remove_scenario

# a board is called as its text says, whatever its file is called
BOARDS = OwnFiles(
    "boards", lambda _name, text, where: read_board(where, text), add_board, remove_board, own_board_names
)


BATTLES = OwnFiles(
    "scenarios", owners_reader(read_scenario, "battle"), add_scenario, remove_scenario, own_scenario_names
)


SHELVES: Mapping[str, OwnFiles[Any]] = {"scenario": BATTLES, "decks": DECKS}
"""{key of a `new` request: the shelf of what it names}, without boards: a game doesn't bring its board along."""


def with_texts(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a `new` request with the text of each owner's file that it names, if any.

    OwnFileError if such a file cannot be read.
    """
    texts: dict[str, str] = {}
    for key, shelf in SHELVES.items():
        named = request.get(key, ())
        names = named.values() if isinstance(named, dict) else [named]
        texts |= {name: text_of(shelf.path_of(name)) for name in names if name in shelf.names()}
    return {**request, "texts": texts} if texts else dict(request)
