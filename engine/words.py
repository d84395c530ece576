"""The words the engine speaks in: English, or what a listener asked to hear instead.

The engine knows one language. Every sentence it makes goes through `say`, and every number of things through
`counted`, so that an app can have them in another (`speak`); the protocol never asks, and stays English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Text = Callable[[str], str]
Form = Callable[[str, str, int], str]


def _same(text: str) -> str:
    return text


def _english(one: str, many: str, n: int) -> str:
    return one if n == 1 else many


class _Spoken:
    """The language spoken now."""

    text: Text = staticmethod(_same)
    form: Form = staticmethod(_english)


def speak(text: Text = _same, form: Form = _english) -> None:
    """Speak another language from now on: `text` gives a sentence's template in it, `form` its form for a number.

    Templates keep their named places. Without arguments, English again.
    """
    _Spoken.text, _Spoken.form = staticmethod(text), staticmethod(form)


def say(text: str, **facts: object) -> str:
    """A sentence in the language spoken, its named places filled in.

    >>> say("{who} passes", who="red")
    'red passes'
    """
    return _Spoken.text(text).format_map(facts) if facts else _Spoken.text(text)


def form(one: str, many: str, n: int) -> str:
    """The one of two templates that goes with a number, in the language spoken.

    >>> form("{n} unit goes", "{n} units go", 2)
    '{n} units go'
    """
    return _Spoken.form(one, many, n)


def mark(text: str) -> str:
    """A template that is spoken elsewhere, marked for those who translate."""
    return text


def pair(one: str, many: str) -> tuple[str, str]:
    """The two forms of a number of things, marked for those who translate."""
    return one, many


_THINGS = {
    "troop": pair("{n} troop", "{n} troops"),
    "ship": pair("{n} ship", "{n} ships"),
    "siege": pair("{n} siege weapon", "{n} siege weapons"),
    "aircraft": pair("{n} aircraft", "{n} aircraft"),
    "commander": pair("{n} commander", "{n} commanders"),
    "card": pair("{n} card", "{n} cards"),
    "die": pair("{n} die", "{n} dice"),
    "point": pair("{n} point", "{n} points"),
    "unit": pair("{n} unit", "{n} units"),
    "general": pair("{n} general", "{n} generals"),
    "order": pair("{n} order", "{n} orders"),
}
_THINGS_OF = {
    "troop": pair("{n} {whose} troop", "{n} {whose} troops"),
    "ship": pair("{n} {whose} ship", "{n} {whose} ships"),
    "siege": pair("{n} {whose} siege weapon", "{n} {whose} siege weapons"),
    "aircraft": pair("{n} {whose} aircraft", "{n} {whose} aircraft"),
    "commander": pair("{n} {whose} commander", "{n} {whose} commanders"),
}


def counted(n: int, thing: str, whose: str = "") -> str:
    """A number of things, such as units.

    >>> counted(1, "siege"), counted(2, "troop", "red"), counted(2, "aircraft"), counted(3, "die")
    ('1 siege weapon', '2 red troops', '2 aircraft', '3 dice')
    >>> counted(2, "area")
    '2 areas'
    """
    forms = (_THINGS_OF if whose else _THINGS).get(thing, ("{n} {whose} {thing}", "{n} {whose} {thing}s"))
    return _Spoken.form(*forms, n).format(n=n, whose=say(whose), thing=thing).replace("  ", " ")


def joined(parts: Iterable[str]) -> str:
    """Parts of a sentence in a row.

    >>> joined(["a", "b", "c"]), joined([])
    ('a, b and c', 'nothing')
    """
    *others, last = list(parts) or [say("nothing")]
    return say("{others} and {last}", others=", ".join(others), last=last) if others else last
