"""What a saved game of any rules tells in short, for the shelf: what is played, by which sides, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.journal import AnyJournal
from engine.systems import SYSTEMS

BETWEEN = "/"  # both decks of a card game; their titles stand on a line each


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in short. Sides are called as its file calls them.

    board: the board, the scenario, or both decks; title: the same as people call it, "" for a board, whose title is the
    language's; needs: the board, or the battle and decks that its file does not bring along; sides: both, the near one
    first; names: what they are called where that is not their colour; round: of a card game and a battle the turn;
    to_move, winner: "" for nobody.
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


def summary_of(journal: AnyJournal) -> GameSummary:
    """What a journal tells."""
    found, brought = _OF[journal.system.name](journal.last), journal.request.get("texts", {})
    return replace(found, needs=tuple(name for name in found.board.split(BETWEEN) if name not in brought))


def are_known(system: str, needs: Iterable[str]) -> bool:
    """Whether there are such boards, scenarios or decks: an owner's may have gone since."""
    return system in SYSTEMS and all(map(_KNOWN[system], needs))


def _orders(position: Any) -> GameSummary:
    board = position.board
    return GameSummary(
        SYSTEMS[0], board.name, board.factions, position.round, position.to_move_name, position.winner_name or ""
    )


def _sonae(position: Any) -> GameSummary:
    scenario = position.scenario
    by = position.due[0].by if position.due else -1
    if not position.due and position.acting:
        by = scenario.divisions[position.acting].side
    return GameSummary(
        "sonae",
        scenario.name,
        scenario.sides,
        position.turn,
        scenario.sides[by] if by >= 0 else "",
        position.winner_name or "",
        scenario.title,
        {army.name: army.title for army in scenario.armies},
    )


def _generals(position: Any) -> GameSummary:
    from engine.generals.position import SIDES

    decks = [side.deck for side in position.sides]
    board, title = BETWEEN.join(one.name for one in decks), "\n".join(one.title for one in decks)
    return GameSummary(
        "generals", board, SIDES, position.turn, position.to_move_name, position.winner_name or "", title
    )


def _is_board(name: str) -> bool:
    from engine.orders.board import board_names

    return name in board_names()


def _is_scenario(name: str) -> bool:
    from engine.sonae.scenario import scenario_names

    return name in scenario_names()


def _is_deck(name: str) -> bool:
    from engine.generals.cards import deck_names

    return name in deck_names()


_OF: dict[str, Callable[[Any], GameSummary]] = {"orders": _orders, "sonae": _sonae, "generals": _generals}
_KNOWN: dict[str, Callable[[str], bool]] = {"orders": _is_board, "sonae": _is_scenario, "generals": _is_deck}
