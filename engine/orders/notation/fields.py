"""Fields of a line of text: how numbers, names and pairs are written and read in positions and in what is agreed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.orders.notation.lines import NOTHING, Line, quote_name

Json = dict[str, Any]
Field = tuple[str, Callable[[Any], str], Callable[[Line], Any]]
"""A field: its key in JSON, how its value is written and read."""


def names(given: Iterable[str]) -> list[str]:
    """Names as they are written, or the mark for nothing."""
    return [quote_name(name) for name in given] or [NOTHING]


def row(given: Iterable[str]) -> str:
    """Names side by side."""
    return " ".join(names(given))


def pairs(table: Mapping[str, Any]) -> str:
    """As many "name=value" as there are."""
    return " ".join(f"{quote_name(name)}={_together(value)}" for name, value in table.items())


def _together(value: Any) -> str:
    """A value after "=": a number, a name, or names joined by "+"."""
    if isinstance(value, int):
        return str(value)
    return "+".join(names([value] if isinstance(value, str) else value))


def read_pairs(line: Line, read: Callable[[Line], Any]) -> Json:
    """As many "name=value" as follow."""
    found: Json = {}
    while line.has_name():
        if line.next.text in found:
            raise line.refuse(f"{line.next.text} is written twice")
        name = line.take().text
        line.need("=")
        found[name] = read(line)
    return found


def pairs_of(read: Callable[[Line], Any]) -> Callable[[Line], Json]:
    """The reading of pairs with such values."""
    return lambda line: read_pairs(line, read)


def read_joined(line: Line) -> list[str]:
    """Names joined by "+"."""
    return line.joined(lambda: line.name("a name"))


def read_hand(line: Line) -> list[str] | int:
    """A number of cards, or their names."""
    return line.number("a number of cards") if line.next.kind == "number" else read_joined(line)


def read_number(line: Line) -> int:
    """A number."""
    return line.number("a number")


NUMBER = (str, read_number)
NAME = (quote_name, lambda line: line.name("a name"))
COUNTS = (pairs, pairs_of(read_number))
LISTS = (pairs, pairs_of(read_joined))
HANDS = (pairs, pairs_of(read_hand))
TOKENS = (pairs, pairs_of(lambda line: line.name("a bonus")))
CARDS = (row, lambda line: line.names("a card"))

AGREED: dict[str, Field] = {
    "standby": ("standby", *COUNTS),
    "left": ("commanders_left", *COUNTS),
    "hands": ("hands", *HANDS),
    "discard": ("discard", *CARDS),
    "initiative": ("initiative", *NAME),
    "round": ("round", *NUMBER),
    "bonuses": ("bonuses", *TOKENS),
    "due": ("dice", *NUMBER),
    "winner": ("winner", *NAME),
    "passed": ("passed", row, lambda line: line.names("a faction")),
}
"""What an agreed step says besides the board, by the word that its field begins with."""
