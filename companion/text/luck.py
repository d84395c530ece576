"""Luck in a player's words: how unlikely a roll was, and how lucky a side was over a whole game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from companion.core.language import _, plural
from companion.text.people import People
from companion.text.percent import chance_percent
from engine.dice import Throw, luckier_than, luckiest, unluckiest

PLAYERS = 100


def throw_words(throw: Throw, people: People) -> str:
    """Say how unlikely a roll was: "Ana hit with 1 of 12 dice. That or worse comes 6% of the time."."""
    who, hits = people.name(throw.by), throw.hits
    told = plural(
        "{who} hit with {hits} of {n} die.", "{who} hit with {hits} of {n} dice.", throw.dice, who=who, hits=hits
    )
    if max(throw.faces) > 1:
        told = plural(
            "{who} rolled {hits} with {n} die.", "{who} rolled {hits} with {n} dice.", throw.dice, who=who, hits=hits
        )
    rarity = _("That or better comes {percent} of the time.")
    if not throw.is_lucky:
        rarity = _("That or worse comes {percent} of the time.")
    return f"{told} {rarity.format(percent=chance_percent(throw.rarity))}"


def share_words(who: str, share: Fraction) -> str:
    """Say how lucky a player was with all dice of a game, as a share of 100 players with the same rolls."""
    n = round(PLAYERS * share)
    if n * 2 < PLAYERS:
        return _("{who}: unluckier with dice than {n} of 100 players.").format(who=who, n=min(PLAYERS - n, PLAYERS - 1))
    return _("{who}: luckier with dice than {n} of 100 players.").format(who=who, n=min(n, PLAYERS - 1))


def luck_lines(throws: Sequence[Throw], people: People) -> Iterator[str]:
    """Yield how lucky each side was over a game, then its luckiest and its unluckiest roll."""
    for side in people.factions:
        own = [throw for throw in throws if throw.by == side]
        if own:
            yield share_words(people.name(side), luckier_than(own))
    best, worst = luckiest(throws), unluckiest(throws)
    if best is not None:
        yield _("Luckiest roll: {roll}").format(roll=throw_words(best, people))
    if worst is not None:
        yield _("Unluckiest roll: {roll}").format(roll=throw_words(worst, people))
