"""The words the engine speaks in: English, or what a listener asked to hear instead.

The engine knows one language. Every sentence it makes goes through `say`, and every number of things through
`count_words`, so that an app can have them in another (`speak`); the protocol never asks, and stays English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar

Text = Callable[[str], str]
Form = Callable[[str, str, int], str]


def _unchanged(text: str) -> str:
    return text


def _english(singular: str, plural: str, n: int) -> str:
    return singular if n == 1 else plural


_language: ContextVar[tuple[Text, Form]] = ContextVar("language", default=(_unchanged, _english))
"""The language spoken; each thread has its own."""


def speak(text: Text = _unchanged, form: Form = _english) -> None:
    """Speak another language from now on; without arguments, English again.

    `text` translates a template; `form` picks and translates the singular or the plural one for a number. Both keep the
    template's named fields.
    """
    _language.set((text, form))


def say(text: str, **facts: object) -> str:
    """Return a sentence in the language spoken, with its named fields filled in.

    >>> say("{who} passes", who="red")
    'red passes'
    """
    text = _language.get()[0](text)
    return text.format_map(facts) if facts else text


def form(singular: str, plural: str, n: int) -> str:
    """Return whichever of two templates goes with a number, in the language spoken.

    >>> form("{n} unit goes", "{n} units go", 2)
    '{n} units go'
    """
    return _language.get()[1](singular, plural, n)


def mark(text: str) -> str:
    """Mark a template for translation and return it unchanged; `say` translates it where it is used."""
    return text


def pair(singular: str, plural: str) -> tuple[str, str]:
    """Mark a singular and a plural template for translation and return both unchanged."""
    return singular, plural


_SIDES = {"red": mark("Red"), "black": mark("Black"), "blue": mark("Blue"), "yellow": mark("Yellow")}


def side(name: str) -> str:
    """Return a side's name as it stands in a sentence.

    >>> side("red"), side("nobody known")
    ('Red', 'nobody known')
    """
    return say(_SIDES.get(name, name))


_ZONE = "zone-"
_ZONES = {
    "red": mark("red zone"),
    "green": mark("green zone"),
    "blue": mark("blue zone"),
    "yellow": mark("yellow zone"),
    "orange": mark("orange zone"),
    "purple": mark("purple zone"),
    "white": mark("white zone"),
    "grey": mark("grey zone"),
    "brown": mark("brown zone"),
    "pink": mark("pink zone"),
    "teal": mark("teal zone"),
    "black": mark("black zone"),
}


def zone(area: str) -> str:
    """Return the name of an air zone in words, or of any other area as it is.

    >>> zone("zone-green"), zone("zone-mauve"), zone("c4")
    ('green zone', 'zone mauve', 'c4')
    """
    colour = area.removeprefix(_ZONE)
    if colour == area:
        return area
    known = _ZONES.get(colour)
    return say(known) if known else say("zone {name}", name=colour)


def place(area: str) -> str:
    """Return the name of an area as it stands in a sentence: an air zone with its article.

    >>> place("zone-green"), place("c4")
    ('the green zone', 'c4')
    """
    return say("the {zone}", zone=zone(area)) if area.startswith(_ZONE) else area


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
    ("red", "troop"): pair("{n} red troop", "{n} red troops"),
    ("red", "ship"): pair("{n} red ship", "{n} red ships"),
    ("red", "siege"): pair("{n} red siege weapon", "{n} red siege weapons"),
    ("red", "commander"): pair("{n} red commander", "{n} red commanders"),
    ("black", "troop"): pair("{n} black troop", "{n} black troops"),
    ("black", "ship"): pair("{n} black ship", "{n} black ships"),
    ("black", "siege"): pair("{n} black siege weapon", "{n} black siege weapons"),
    ("black", "commander"): pair("{n} black commander", "{n} black commanders"),
    ("blue", "troop"): pair("{n} blue troop", "{n} blue troops"),
    ("blue", "aircraft"): pair("{n} blue aircraft", "{n} blue aircraft"),
    ("blue", "commander"): pair("{n} blue commander", "{n} blue commanders"),
    ("yellow", "troop"): pair("{n} yellow troop", "{n} yellow troops"),
    ("yellow", "aircraft"): pair("{n} yellow aircraft", "{n} yellow aircraft"),
    ("yellow", "commander"): pair("{n} yellow commander", "{n} yellow commanders"),
}
"""Things with their owner, by (side, thing): in many languages a colour's ending depends on the thing."""


def count_words(n: int, thing: str, whose: str = "") -> str:
    """Return a number of things, such as units, in words.

    >>> count_words(1, "siege"), count_words(2, "troop", "red"), count_words(2, "aircraft"), count_words(3, "die")
    ('1 siege weapon', '2 red troops', '2 aircraft', '3 dice')
    >>> count_words(2, "area")
    '2 areas'
    """
    known = _THINGS_OF.get((whose, thing)) if whose else _THINGS.get(thing)
    singular, plural = known or ("{n} {whose} {thing}", "{n} {whose} {thing}s")
    return _language.get()[1](singular, plural, n).format(n=n, whose=say(whose), thing=thing).replace("  ", " ")


_KINDS = {
    "troop": mark("troops"),
    "ship": mark("ships"),
    "siege": mark("siege weapons"),
    "aircraft": mark("aircraft"),
}


def kind_words(unit: str) -> str:
    """Return the name of a kind of units, without their number.

    >>> kind_words("troop"), kind_words("aircraft")
    ('troops', 'aircraft')
    """
    return say(_KINDS[unit])


def decimal(number: float, digits: int | None = None) -> str:
    """Return a number as text, with the decimal mark of the language spoken.

    digits: how many after the mark; None for as many as needed.

    >>> decimal(1.5, 2), decimal(10.1), decimal(2.0)
    ('1.50', '10.1', '2')
    """
    written = f"{number:g}" if digits is None else f"{number:.{digits}f}"
    return written.replace(".", say("0.5")[1])


def join_words(parts: Iterable[str]) -> str:
    """Join words into a list with commas and "and"; "nothing" if there are none.

    >>> join_words(["a", "b", "c"]), join_words([])
    ('a, b and c', 'nothing')
    """
    *others, last = list(parts) or [say("nothing")]
    return say("{others} and {last}", others=", ".join(others), last=last) if others else last
