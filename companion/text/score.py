"""The score in sentences: who wins and why, with names, and the text that can be passed on."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.language import _, plural
from companion.games.position_facts import is_supplied
from companion.text.orders import faction_name, game_title, join_words, practice_note
from companion.text.people import People
from engine.orders.position import Position
from engine.orders.score import AGREED, HQ_LOST, Score, score, settle_conflict

OVER = "game.over"  # the rule that says how a game ends: its citation stands for the tie too
TIE = "tie"


def points(n: int) -> str:
    """Return points in words: "1 point", "5 points"."""
    return plural("{n} point", "{n} points", n)


def leader(position: Position) -> str:
    """Return the side that has won, or would win if the game ended now."""
    return position.winner_name or score(position).winner


def verdict(position: Position, people: People) -> str:
    """Say who wins: "Ana wins", or "Ana would win now" while the game goes on."""
    form = _("{who} would win now") if position.winner_name is None else _("{who} wins")
    return form.format(who=people.name(leader(position)))


def reasons(position: Position, people: People) -> list[str]:
    """Return sentences on why a side wins: what decided it, with its citation, and areas that don't count."""
    counted = score(position)
    if position.reason == AGREED:
        return [_("Agreed by both players and set by hand.")]
    if HQ_LOST in (position.reason, counted.reason):
        return [_headquarters(position, people)]
    return [_by_points(counted, position, people), *_not_counted(position, people)]


def made_up(position: Position) -> list[str]:
    """Return the note that the board is a practice one, whose points are made up; none for any other."""
    note = _("Played on a practice board, with an invented map and points.")
    return [note] if practice_note(position.board) else []


def _headquarters(position: Position, people: People) -> str:
    winner = leader(position)
    cite = _cite(position)
    if len(score(position).empty_headquarters) == 2:
        form = _("Both headquarters are empty: {who} has the initiative and wins ({cite}).")
        return form.format(who=people.name(winner), cite=cite)
    loser = next(faction for faction in people.factions if faction != winner)
    home = next(area.name for area in position.board.areas if area.hq == loser)
    form = _("{who}'s headquarters {area} has fallen: this ends the game at once, whatever the points ({cite}).")
    return form.format(who=people.name(loser), area=home, cite=cite)


def _by_points(counted: Score, position: Position, people: People) -> str:
    first, second = sorted(people.factions, key=lambda faction: -counted.vp[faction])
    if counted.vp[first] == counted.vp[second]:
        form = _("Tied at {points}: {who} has the initiative and wins ({cite}).")
        each = points(counted.vp[first])
        return form.format(points=each, who=people.name(position.initiative_name), cite=_cite(position))
    form = _("{first} has {points}, {second} has {others}.")
    return form.format(
        first=people.name(first),
        points=points(counted.vp[first]),
        second=people.name(second),
        others=points(counted.vp[second]),
    )


def _not_counted(position: Position, people: People) -> list[str]:
    cut: dict[str, list[str]] = {}
    position = settle_conflict(position)
    for area in position.board.areas:
        holder = position.controller(area.name)
        if area.vp and holder is not None and not is_supplied(position, area.name):
            cut.setdefault(holder, []).append(_("{area} ({points})").format(area=area.name, points=points(area.vp)))
    form = _("Not scored, cut off from {who}'s headquarters: {areas}.")
    return [form.format(who=people.name(who), areas=join_words(areas)) for who, areas in cut.items()]


def _cite(position: Position) -> str:
    return str(position.board.mode.rules[OVER].citation)


def as_text(position: Position, people: People, day: str) -> str:
    """Return the result as a few lines to pass on: the game, the day, both sides' points, the winner and why."""
    counted = score(position)
    sides = [
        _("{who} ({faction}): {points} – {areas}").format(
            who=people.name(faction),
            faction=faction_name(faction),
            points=points(counted.vp[faction]),
            areas=", ".join(f"{area} {n}" for area, n in counted.areas[faction].items()) or _("no area"),
        )
        for faction in people.factions
    ]
    head = _("{game}, {day}").format(game=game_title(position.board), day=day)
    return "\n".join([head, "", *sides, "", f"{verdict(position, people)}.", *reasons(position, people)]) + "\n"


@dataclass(frozen=True, slots=True)
class BoardOutcome:
    """Who wins as the board stands, and why in words.

    `winner` is None only where a tie is decided by an initiative that is not known; `reason` is then "tie".
    """

    winner: str | None
    reason: str
    score: Score
    why: tuple[str, ...]


def board_outcome(position: Position, initiative_known: bool = True) -> BoardOutcome:
    """Return who would win if the game ended now, and why; a lost headquarters counts before any points."""
    result = score(position)
    both_empty = len(result.empty_headquarters) == 2
    even = not result.empty_headquarters and len(set(result.vp.values())) == 1
    if not initiative_known and (both_empty or even):
        return _tie(result, both_empty)
    if HQ_LOST in (position.reason, result.reason):
        winner = position.winner_name or result.winner
        loser = next(faction for faction in position.board.factions if faction != winner)
        home = next(area.name for area in position.board.areas if area.hq == loser)
        form = _("{loser} has no units left in its headquarters {area}, so {winner} wins whatever the points")
        sentence = form.format(loser=_(loser), area=home, winner=_(winner))
        if len(result.empty_headquarters) == 2:
            form = _("both headquarters are empty; {winner} has the initiative and wins")
            sentence = form.format(winner=_(winner))
        return BoardOutcome(winner, HQ_LOST, result, (sentence,))
    return BoardOutcome(result.winner, result.reason, result, result.why)


def _tie(result: Score, both_empty: bool) -> BoardOutcome:
    even = _("both headquarters are empty") if both_empty else _("both have {points}")
    form = _("{even}: whoever holds the initiative wins (give the game with --game, and it is known)")
    sentence = form.format(even=even.format(points=points(max(result.vp.values()))))
    return BoardOutcome(None, TIE, result, (sentence, *result.why[1:]))
