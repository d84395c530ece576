"""The side that the app plays, in words."""

from __future__ import annotations

from companion.core.language import _


def level_name(level: str) -> str:
    """How well it plays, in a word."""
    return {"child": _("Gentle"), "even": _("Even"), "strong": _("Strong")}[level]


def level_note(level: str) -> str:
    """What it is like to play against."""
    return {
        "child": _("simple moves, misses things"),
        "even": _("a fair fight"),
        "strong": _("plays to win"),
    }[level]
