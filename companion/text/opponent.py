"""The side that the app plays, in words."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.language import _
from engine.orders.player.levels import Worth
from engine.words import mark

Words = Mapping[str, tuple[str, str]]
"""{what it is called inside: (its name, what it is like)}."""

LEVELS: Words = {
    "first": (mark("Beginner"), mark("still learning")),
    "child": (mark("Gentle"), mark("simple moves, misses things")),
    "even": (mark("Even"), mark("a fair fight")),
    "strong": (mark("Strong"), mark("plays to win")),
    "best": (mark("Master"), mark("takes its time")),
}
PACES: Words = {
    "usual": (mark("As usual"), mark("a few seconds a turn")),
    "long": (
        mark("Takes its time"),
        mark("plays better, up to four minutes a turn – touch “Play now” at any moment"),
    ),
}
COMMANDERS: Words = {
    "": (mark("As Gunbai"), mark("no leanings")),
    "falcon": (mark("The Falcon"), mark("moves up fast, wants to begin")),
    "rice_lord": (mark("The Rice Lord"), mark("wants land, and more land")),
    "gatekeeper": (mark("The Gatekeeper"), mark("guards headquarters first")),
    "rider": (mark("The Dispatch Rider"), mark("wants to begin, presses your headquarters")),
    "surveyor": (mark("The Surveyor"), mark("spreads over the map")),
    "quartermaster": (mark("The Quartermaster"), mark("guards headquarters first")),
}
HEAD_STARTS: Words = {
    "none": (mark("None"), ""),
    "troops": (mark("Two troops"), mark("two more at your headquarters")),
    "initiative": (mark("The initiative"), mark("you begin, and win the tie")),
}


def level_name(level: str) -> str:
    """Say in a word how well an opponent of this level plays."""
    return _(LEVELS[level][0])


def level_note(level: str) -> str:
    """Say what it is like to play against an opponent of this level."""
    return _(LEVELS[level][1])


def pace_name(pace: str) -> str:
    """Say how long the app thinks about a turn."""
    return _(PACES[pace][0])


def pace_note(pace: str) -> str:
    """Say what it is like to wait for it."""
    return _(PACES[pace][1])


def commander_name(commander: str) -> str:
    """Name a commander with a temperament; "" is the app as it is."""
    return _(COMMANDERS[commander][0])


def commander_note(commander: str) -> str:
    """Say what a commander likes."""
    return _(COMMANDERS[commander][1])


def head_start_name(head_start: str) -> str:
    """Name what the person is given at the start."""
    return _(HEAD_STARTS[head_start][0])


def head_start_note(head_start: str) -> str:
    """Say what a head start is."""
    return _(HEAD_STARTS[head_start][1])


def head_start_worth(weaker: str, stronger: str, without: Worth, given: Worth) -> str:
    """Say how often one level beats a better one with a head start, and without."""
    return _("In games of {weaker} against {stronger}: {given} % won with it, {without} % without ({n} each).").format(
        weaker=level_name(weaker),
        stronger=level_name(stronger),
        given=round(100 * given.wins / given.games),
        without=round(100 * without.wins / without.games),
        n=min(given.games, without.games),
    )
