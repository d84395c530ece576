"""A summary of a saved game of any system, for the shelf: what is played, by which sides, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from companion.games.journal import AnyJournal
from companion.systems.game_system import Slot

P = TypeVar("P")
BETWEEN = "/"  # both decks of a card game; their titles stand on a line each


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A saved game in short; its sides are named as in its file.

    board: the board, the scenario, or both decks; title: what people call that, "" for a board, whose title is
    translated elsewhere; sides: both, the near one first; round: the turn, in a card game or a battle; to_move, winner:
    "" for nobody; names: the sides' names if these aren't colours; needs: the board, battle or decks that must exist,
    as the file doesn't contain them.
    """

    system: str
    board: str
    sides: tuple[str, str]
    round: int
    to_move: str
    winner: str
    title: str = ""
    names: dict[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Records(Generic[P]):
    """What the shelf and fault reports need to know of a system's saved games.

    summary: summarises a position; names: lists all boards, scenarios or decks; fits: checks that facts from the
    shelf's index, in `index_file.FORM` and perhaps a stranger's, are consistent; cards: {card: its titles} of a game,
    which a report must not reveal; card_of: returns the card that a word in a step names, for systems whose steps name
    hidden cards, which reports replace by numbers; None for others.
    """

    summary: Callable[[P], GameSummary]
    names: Callable[[], Collection[str]]
    fits: Callable[[Mapping[str, Any]], bool] = lambda facts: len(facts["sides"]) == 2
    cards: Callable[[P], Mapping[str, Collection[str]]] = lambda position: {}
    card_of: Callable[[str], str] | None = None


SYSTEM_RECORDS = Slot[Records[Any]]("records")


def summary_of(journal: AnyJournal) -> GameSummary:
    """Summarise a saved game."""
    found = SYSTEM_RECORDS.of(journal.system.name).summary(journal.last)
    texts = journal.request.get("texts", {})
    return replace(found, needs=tuple(name for name in found.board.split(BETWEEN) if name not in texts))


def are_known(system: str, needs: Iterable[str]) -> bool:
    """Return whether all these boards, scenarios or decks exist (an owner may have deleted one)."""
    return all(name in SYSTEM_RECORDS.of(system).names() for name in needs)
