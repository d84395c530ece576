"""The side that the app plays, in words."""

from __future__ import annotations

from companion.core.language import _


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
