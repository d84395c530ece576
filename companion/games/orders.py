"""Saved games of General Orders: their summaries, and the statistics that only they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.journal import OrdersJournal
from companion.games.saved.statistics import PASS, GameFacts
from companion.games.summary import GameSummary, Records
from engine.dice import Throw
from engine.orders.board import board_names, load_board
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Deploy, Pass, Roll, Step
from engine.orders.turn import ready


def _summary(position: Position) -> GameSummary:
    return GameSummary(
        system="orders",
        board=position.board.name,
        sides=position.board.factions,
        round=position.round,
        to_move=position.to_move_name,
        winner=position.winner_name or "",
    )


def _fits(facts: Mapping[str, Any]) -> bool:
    """Return whether the game is played on the board that it names, by that board's sides."""
    name = facts["board"]
    is_known = name in board_names()
    return facts["needs"] == [name] and (not is_known or facts["sides"] == list(load_board(name).factions))


def _cards(position: Position) -> Mapping[str, Collection[str]]:
    cards = position.board.mode.cards.values()
    return {card.name: [title for title in (card.title, card.title_pt) if title] for card in cards}


RECORDS = Records(_summary, board_names, _fits, _cards)


# ---- statistics -----------------------------------------------------------------------------------


def statistics(facts: GameFacts, journal: OrdersJournal) -> GameFacts:
    """Return a copy of the facts with the game's points, turns, dice, actions and swing filled in."""
    last = journal.last
    turns = [_action(journal, i) for i, step in enumerate(journal.steps) if isinstance(step, Deploy | Pass)]
    actions: dict[str, Counter[str]] = {faction: Counter() for faction in last.board.factions}
    for faction, action in turns:
        actions[faction][action] += 1
    return replace(
        facts, points=score(last).vp, turns=len(turns), dice=_dice(journal), actions=actions, swing=_swing(journal)
    )


def _action(journal: OrdersJournal, index: int) -> tuple[str, str]:
    """Return (faction, action) of the turn that begins with this step."""
    step, before = journal.steps[index], journal.positions[index]
    action = before.board.space(step.space).action.name if isinstance(step, Deploy) else PASS
    return ready(before, step).to_move_name, action


def _dice(journal: OrdersJournal) -> dict[str, tuple[int, int]]:
    """Return {faction: (dice rolled, pips)}."""
    found = dict.fromkeys(journal.last.board.factions, (0, 0))
    for step in journal.steps:
        if isinstance(step, Roll):
            count, pips = found[step.by]
            found[step.by] = count + len(step.dice), pips + sum(step.dice)
    return found


def orders_throws(positions: Sequence[Position], steps: Sequence[Step]) -> list[Throw]:
    """Return all rolls of a game; positions: before each step, and the last one."""
    die = positions[0].board.mode.die
    return [
        Throw(number, step.by, die, len(step.dice), sum(step.dice))
        for number, step in enumerate(steps)
        if isinstance(step, Roll) and step.dice
    ]


def _swing(journal: OrdersJournal) -> tuple[int, str, int]:
    """Return the largest change of the lead from one turn to the next: (by how much, who gained, in which round)."""
    first, second = journal.last.board.factions
    starts = [i for i, step in enumerate(journal.steps) if isinstance(step, Deploy | Pass)]
    most = (0, first, 1)
    ends = [*starts[1:], len(journal.steps)]
    for start, end in zip(starts, ends[: len(starts)], strict=True):
        leads = [score(journal.positions[i]).vp for i in (start, end)]
        change = (leads[1][first] - leads[1][second]) - (leads[0][first] - leads[0][second])
        if abs(change) > most[0]:
            most = abs(change), first if change > 0 else second, journal.positions[start].round
    return most
