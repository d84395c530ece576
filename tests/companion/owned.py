"""What tests put on owners' shelves is forgotten by the engine after each of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources

from companion.content.decks import DECKS
from companion.content.shelves import BATTLES
from engine.orders.board import own_board_names, remove_board


def own_rivers(name: str) -> str:
    """Return the text of an owner's board that is Rivers under another name."""
    rivers = resources.files("engine") / "data" / "boards" / "sengoku-rivers.toml"
    return rivers.read_text(encoding="utf-8").replace('board = "sengoku-rivers"', f'board = "{name}"')


def forget() -> None:
    """No owner's deck or battle is known any more."""
    for shelf in (DECKS, BATTLES):
        for name in shelf.names():
            shelf.remove(name)


@contextmanager
def shelves() -> Iterator[None]:
    """Shelves of their own: boards that are made known meanwhile are forgotten too."""
    before = own_board_names()
    try:
        yield
    finally:
        forget()
        for name in set(own_board_names()) - set(before):
            remove_board(name)
