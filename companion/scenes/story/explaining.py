"""What a long touch at a table explains, by the key of what was touched and the picture that it is on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from companion.core.language import _
from companion.games.rules_search import Library
from companion.text.meanings.meaning import COMMON, Meaning, find, opening
from companion.text.orders import sentence
from companion.text.people import People
from companion.ui.about import Explanation

if TYPE_CHECKING:
    from companion.scenes.story.presenter import SystemPresenter, TablePicture

P = TypeVar("P")
S = TypeVar("S")


def explain(
    presenter: SystemPresenter[P, S], table: tuple[P, People], key: str, picture: TablePicture | None
) -> Explanation | None:
    """Return the explanation of a key at a table; None if the key has none.

    picture: the one beside or around the thing with this key.
    """
    position, people = table
    kind, _colon, what = key.partition(":")
    if kind == "faction" and what in people.factions:
        return Explanation(people.name(what), _("Whatever has this shape and colour belongs to this side."))
    library = presenter.library(position)
    entry = presenter.entry_of(key)
    if entry in library.entries:
        told = library.entries[entry]
        return Explanation(told.title, sentence(opening(told.text)), str(told.citation))
    meaning = presenter.meaning(key, picture) or find(key, COMMON)
    return None if meaning is None else Explanation(meaning.title, meaning.text, _cite(meaning, library))


def _cite(meaning: Meaning, library: Library) -> str:
    entry = library.entries.get(f"section:{meaning.section}")
    return "" if entry is None else str(entry.citation)
