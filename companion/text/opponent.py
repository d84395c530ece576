"""The side that the app plays, in words."""

from __future__ import annotations

from companion.core.language import _
from engine.orders.player.head_starts import Worth


def level_name(level: str) -> str:
    """Say in a word how well an opponent of this level plays."""
    return {
        "first": _("Beginner"),
        "child": _("Gentle"),
        "even": _("Even"),
        "strong": _("Strong"),
        "best": _("Master"),
    }[level]


def level_note(level: str) -> str:
    """Say what it is like to play against an opponent of this level."""
    return {
        "first": _("still learning"),
        "child": _("simple moves, misses things"),
        "even": _("a fair fight"),
        "strong": _("plays to win"),
        "best": _("takes its time"),
    }[level]


def pace_name(pace: str) -> str:
    """Say how long the app thinks about a turn."""
    return {"usual": _("As usual"), "long": _("Takes its time")}[pace]


def pace_note(pace: str) -> str:
    """Say what it is like to wait for it."""
    return {
        "usual": _("a few seconds a turn"),
        "long": _("plays better, up to four minutes a turn – touch “Play now” at any moment"),
    }[pace]


def commander_name(commander: str) -> str:
    """Name a commander with a temperament; "" is the app as it is."""
    return {
        "": _("As Gunbai"),
        "falcon": _("The Falcon"),
        "rice_lord": _("The Rice Lord"),
        "gatekeeper": _("The Gatekeeper"),
        "rider": _("The Dispatch Rider"),
        "surveyor": _("The Surveyor"),
        "quartermaster": _("The Quartermaster"),
    }[commander]


def commander_note(commander: str) -> str:
    """Say what a commander likes."""
    return {
        "": _("no leanings"),
        "falcon": _("moves up fast, wants to begin"),
        "rice_lord": _("wants land, and more land"),
        "gatekeeper": _("guards headquarters first"),
        "rider": _("wants to begin, presses your headquarters"),
        "surveyor": _("spreads over the map"),
        "quartermaster": _("guards headquarters first"),
    }[commander]


def head_start_name(head_start: str) -> str:
    """Name what the person is given at the start."""
    return {"none": _("None"), "troops": _("Two troops"), "initiative": _("The initiative")}[head_start]


def head_start_note(head_start: str) -> str:
    """Say what a head start is."""
    return {
        "none": "",
        "troops": _("two more at your headquarters"),
        "initiative": _("you begin, and win the tie"),
    }[head_start]


def head_start_worth(weaker: str, stronger: str, without: Worth, given: Worth) -> str:
    """Say how often one level beats a better one with a head start, and without."""
    return _("In games of {weaker} against {stronger}: {given} % won with it, {without} % without ({n} each).").format(
        weaker=level_name(weaker),
        stronger=level_name(stronger),
        given=round(100 * given.wins / given.games),
        without=round(100 * without.wins / without.games),
        n=min(given.games, without.games),
    )
