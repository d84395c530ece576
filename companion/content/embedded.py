"""What a saved game brings with it: the files of its owner's battle or decks, so that it is played on as it began."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.content.battles import BATTLES
from companion.content.decks import DECKS
from companion.content.own_files import OwnFiles, text_of


def with_texts(request: Mapping[str, Any]) -> dict[str, Any]:
    """A `new` request with the text of each owner's file that it names; the same where it names none.

    OwnFileError where such a file cannot be read.
    """
    texts = {name: text_of(shelf.path_of(name)) for shelf, name in _named(request) if name in shelf.names()}
    return {**request, "texts": texts} if texts else dict(request)


def _named(request: Mapping[str, Any]) -> Iterable[tuple[OwnFiles[Any], str]]:
    """The shelf and the name of all that a request of either system is played with."""
    decks = request.get("decks", {})
    names = [*decks.values()] if isinstance(decks, dict) else []
    return [*((DECKS, name) for name in names), (BATTLES, str(request.get("scenario", "")))]
