"""What a saved game brings with it: the files of its owner's battle or decks, so that it is played on as it began."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.content.battles import BATTLES
from companion.content.decks import DECKS
from companion.content.own_files import OwnFiles, text_of


def with_texts(request: Mapping[str, Any]) -> dict[str, Any]:
    """A `new` request with the text of each owner's file that it names; the same where it names none.

    OwnFileError where such a file cannot be read.
    """
    decks = request.get("decks", {})
    named: list[tuple[OwnFiles[Any], str]] = [(BATTLES, str(request.get("scenario", "")))]
    named += [(DECKS, name) for name in decks.values()] if isinstance(decks, dict) else []
    texts = {name: text_of(shelf.path_of(name)) for shelf, name in named if name in shelf.names()}
    return {**request, "texts": texts} if texts else dict(request)
