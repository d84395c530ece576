"""What a saved game brings with it: the files of its owner's battle or decks, so that it is played on as it began."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.content.battles import BATTLES
from companion.content.decks import DECKS
from companion.content.own_files import OwnFiles, text_of

SHELVES: Mapping[str, OwnFiles[Any]] = {"scenario": BATTLES, "decks": DECKS}
"""By the key of a request that names what lies there. A game on an owner's board needs the board itself."""


def with_texts(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a `new` request with the text of each owner's file that it names, if any.

    OwnFileError where such a file cannot be read.
    """
    texts: dict[str, str] = {}
    for key, shelf in SHELVES.items():
        named = request.get(key, ())
        names = named.values() if isinstance(named, dict) else [named]
        texts |= {name: text_of(shelf.path_of(name)) for name in names if name in shelf.names()}
    return {**request, "texts": texts} if texts else dict(request)
