"""The review of a game of General Orders on the terminal: curve, turning points, luck and choices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from companion.core.language import _
from companion.games.journal import OrdersJournal, players_of
from companion.games.orders import orders_throws
from companion.games.reviews import FORMAT, turn_json
from companion.text.columns import columns
from companion.text.people import People
from companion.text.percent import chance_percent
from companion.text.review import (
    TurnWords,
    curve_parts,
    good_turns,
    luck_lines,
    point_lines,
    point_title,
    points_words,
    sparkline,
    story,
)
from engine.orders.player.review import ReviewedTurn, account, chances, turning_points


def review_text(journal: OrdersJournal, turns: Sequence[ReviewedTurn]) -> str:
    """Return a review as text: the curve of chances, the turning points, and each side's luck and choices."""
    people = People(journal.last.board.factions, players_of(journal.request))
    parts = [_curve(turns, people), _points(journal, turns, people), _accounts(journal, turns, people)]
    return "\n\n".join(filter(None, parts))


def _curve(turns: Sequence[ReviewedTurn], people: People) -> str:
    """Return the chances as text: a bar for each turn, a line for each round."""
    first = people.factions[0]
    ends = chances(turns, first)[1:]
    rows = []
    for number, played in groupby(zip(turns, ends, strict=True), lambda pair: pair[0].round):
        ended = [chance for _turn, chance in played]
        rows.append([_("Round {n}").format(n=number), sparkline(ended), chance_percent(ended[-1])])
    title = _("{who}'s chance to win after each turn").format(who=people.name(first))
    return "\n".join([title, columns(rows)])


def _points(journal: OrdersJournal, turns: Sequence[ReviewedTurn], people: People) -> str:
    lines = []
    for point in turning_points(turns):
        words = TurnWords(point.turn, journal.positions, journal.steps, people)
        lines += [point_title(point, people), *(f"  {line}" for line in point_lines(point, words) if line)]
    return "\n".join([_("Turning points"), *lines]) if lines else _("No single turn turned this game.")


def _accounts(journal: OrdersJournal, turns: Sequence[ReviewedTurn], people: People) -> str:
    accounts = [account(turns, side) for side in people.factions]
    parts = curve_parts(turns, people.factions)
    names = list(dict.fromkeys(part.name for part in parts))
    rows = [["", _("good turns"), *names]]
    for side, made in zip(people.factions, accounts, strict=True):
        points = {part.name: part.points for part in parts if part.side == side}
        rows.append([people.name(side), good_turns(made), *(points_words(points.get(name, 0)) for name in names)])
    whole = _("{who}'s chance to win, from {start} to {end}, point by point").format(
        who=people.name(people.factions[0]),
        start=chance_percent(parts[0].begin),
        end=chance_percent(chances(turns, people.factions[0])[-1]),
    )
    told = story(accounts, people, journal.last.winner_name)
    luck = luck_lines(orders_throws(journal.positions, journal.steps), people)
    return "\n".join(filter(None, (whole, columns(rows), *luck, told)))


def review_json(journal: OrdersJournal, turns: Sequence[ReviewedTurn]) -> dict[str, Any]:
    """Return the review as JSON for other programs."""
    factions = journal.last.board.factions
    accounts = {side: account(turns, side) for side in factions}
    return {
        "format": FORMAT,
        "board": journal.last.board.name,
        "winner": journal.last.winner_name,
        "chances": {side: [round(chance, 6) for chance in chances(turns, side)] for side in factions},
        "turns": [turn_json(turn) for turn in turns],
        "turning_points": [
            {"step": point.turn.first + 1, "side": point.turn.side, "by": point.by, "change": round(point.change, 6)}
            for point in turning_points(turns)
        ],
        "sides": {
            side: {
                "turns": made.turns,
                "good": made.good,
                "choice": round(made.choice, 6),
                "dice": round(made.dice, 6),
                "cards": round(made.played + made.drawn, 6),
                "played": round(made.played, 6),
                "drawn": round(made.drawn, 6),
                "later": round(made.later, 6),
                "agreed": round(made.agreed, 6),
            }
            for side, made in accounts.items()
        },
    }
