"""Steps as lines of text, for people to type: the form that `gunbai check` takes beside JSON.

    advance:c4 from d5=2t d3=1t                 reinforce:1 place e3=4t d3=2t recall b2=1t
    bombard:c3 at b3 with shore_strike          plan:2 draw 2          plan:1 draw ambush
    pass      roll 1 0 by black      reroll mobilise by black      remove 1t+1w by red in c3
    bomb:zone-green at b2 payload 2  paradrop:c2 at d4 recall b2=1t      return advance:b3 by yellow
    agreed b3=2t/red c1=- commanders sail:c1=red to black note "the ship was really there"
    play ambush by black             play mobilise by red place e3=2t             accept

    step     = deploy | "pass" | "accept" [by] | "roll" faces by | "reroll" card by
             | "remove" units by ["in" area] | "return" space by
             | "play" card by ["from" loads] ["place" loads] ["recall" loads] ["at" area] ["units" N]
             | "agreed" { area "=" stands } ["commanders" { space "=" factions }] ["to" faction]
             ["readings" { reading "=" answer }] besides ["note" text]
    besides  = ["standby" counts] ["left" counts] ["hands" { faction "=" (N | cards) }] ["discard" cards]
             ["initiative" faction] ["round" N] ["bonuses" { slot "=" token }] ["due" dice] ["winner" faction]
             ["passed" (faction { faction } | "-")]
    counts   = { faction "=" N }
    deploy   = space ["from" loads] ["place" loads] ["recall" loads] ["at" area] ["payload" N] ["draw" (N | cards)]
             ["with" cards]
    by       = "by" faction
    loads    = area "=" units { area "=" units }        the area "reserve" is the reserve
    units    = N kind { "+" N kind }                    kinds: t troop, s ship, w siege weapon, a aircraft
    stands   = N kind "/" faction { "+" N kind "/" faction } | "-"          factions = faction { "+" faction } | "-"
    faces    = N { N } | "-"          cards = card { card } | "-"

Words are small letters, digits, "_", ":" and "-"; capitals are read as small. Any other name, and a name that is
itself a word of the grammar, is written in double quotes as JSON writes text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from engine.codec import brief
from engine.errors import BadStep
from engine.orders.steps import Accept, Agreed, Deploy, Load, Pass, Play, Remove, Reroll, Return, Roll, Step
from engine.orders.wire.steps import OTHER_CORRECTIONS
from intake.errors import Unreadable
from intake.json_text import parse_json

T = TypeVar("T")

KINDS = {"t": "troop", "s": "ship", "w": "siege", "a": "aircraft"}
"""Kinds of unit by their letters."""
_FOR_PARTS = (
    *("from", "place", "recall", "at", "draw", "with", "by", "units", "in", "payload", "commanders", "to", "readings"),
    *("standby", "left", "hands", "discard", "initiative", "round", "bonuses", "due", "winner", "passed", "note"),
)
_FOR_STEPS = ("pass", "play", "roll", "reroll", "remove", "return", "accept", "agreed")
KEYWORDS = frozenset((*_FOR_PARTS, *_FOR_STEPS))
"""Words with a meaning of their own; a name that is one of them is written in quotes."""
NOTHING = "-"

_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")
    |(?P<word>[A-Za-z][A-Za-z0-9_]*(?:[:-][A-Za-z0-9_]+)*)
    |(?P<number>[0-9]+)
    |(?P<mark>[=+/-])
    |(?P<end>\Z)
    |(?P<bad>\S))""",
    re.VERBOSE,
)
_MOST_DIGITS = 9
"""The most digits of a number: far beyond what any box holds, and short enough to be read at once."""


class Lexeme(NamedTuple):
    """A piece of a line: what it is ("word", "quoted", "number", "mark", "end", "bad"), its text, where it begins."""

    kind: str
    text: str
    column: int


class Line:
    """A line being read from left to right; what does not fit raises BadStep, naming the column."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0

    @property
    def next(self) -> Lexeme:
        """The piece that is read next."""
        return self._tokens[self._at]

    def take(self) -> Lexeme:
        """Read the next piece, which must not be the end."""
        token = self.next
        self._at += 1
        return token

    def fail(self, expected: str) -> BadStep:
        """Return the fault to raise if something other than `expected` comes next."""
        found = "the end of the line" if self.next.kind == "end" else brief(self.next.text)
        return self.refuse(f"expected {expected}, found {found}")

    def refuse(self, why: str) -> BadStep:
        """Return the fault to raise for what comes next, with its column."""
        return BadStep(f"column {self.next.column}: {why}")

    def skip(self, text: str) -> bool:
        """Read this word or mark if it comes next, not in quotes; return whether it did."""
        found = self.next.kind in ("word", "mark") and self.next.text == text
        if found:
            self.take()
        return found

    def need(self, text: str) -> None:
        """Read this word or mark; raise BadStep if it doesn't come next."""
        if not self.skip(text):
            raise self.fail(repr(text))

    def has_name(self) -> bool:
        """Return whether a name comes next."""
        return self.next.kind == "quoted" or (self.next.kind == "word" and self.next.text not in KEYWORDS)

    def name(self, what: str) -> str:
        """Read a name; raise BadStep, saying that `what` was expected, if none comes next."""
        if not self.has_name():
            raise self.fail(what)
        return self.take().text

    def names(self, what: str) -> list[str]:
        """Read all names that come next, at least one; none if the mark for nothing stands there."""
        if self.skip(NOTHING):
            return []
        names = [self.name(what)]
        while self.has_name():
            names.append(self.take().text)
        return names

    def number(self, what: str) -> int:
        """Read a number of up to _MOST_DIGITS digits; raise BadStep, naming `what` as expected, if none comes next."""
        if self.next.kind != "number" or len(self.next.text) > _MOST_DIGITS:
            raise self.fail(what)
        return int(self.take().text)

    def numbers(self, what: str) -> list[int]:
        """Read all numbers that come next, at least one; none if the mark for nothing stands there."""
        if self.skip(NOTHING):
            return []
        numbers = [self.number(what)]
        while self.next.kind == "number":
            numbers.append(self.number(what))
        return numbers

    def joined(self, read: Callable[[], T]) -> list[T]:
        """Read things joined by "+", each by `read`, at least one; none if the mark for nothing stands there."""
        if self.skip(NOTHING):
            return []
        found = [read()]
        while self.skip("+"):
            found.append(read())
        return found

    def end(self) -> None:
        """Raise BadStep unless the line ends here."""
        if self.next.kind != "end":
            raise self.fail("the end of the line")


def _tokens(text: str) -> Iterator[Lexeme]:
    at = 0
    while True:
        found = _TOKEN.match(text, at)
        assert found is not None  # its last two branches fit everything
        kind = str(found.lastgroup)
        token = _token(kind, found[kind], found.start(kind) + 1)
        yield token
        if token.kind in ("end", "bad"):  # nothing takes a bad one, so what follows it is of no use
            return
        at = found.end()


def _token(kind: str, text: str, column: int) -> Lexeme:
    if kind == "word":
        return Lexeme(kind, text.lower(), column)
    if kind == "quoted":
        try:
            return Lexeme(kind, parse_json(text), column)
        except Unreadable:
            return Lexeme("bad", text, column)
    return Lexeme(kind, text, column)


# --- steps ------------------------------------------------------------------------------


def parse_step(text: str) -> Step:
    """Parse a step from a line of text; raise BadStep with what is wrong, and the column.

    >>> parse_step("roll 1 0 by black")
    Roll(dice=(1, 0), by='black')
    """
    line = Line(text)
    word = next(filter(line.skip, _PARSE), None)
    step = _read_deploy(line) if word is None else _PARSE[word](line)
    line.end()
    return step


def _read_unit(line: Line) -> tuple[str, int]:
    n = line.number("a number of units")
    quoted = line.next.kind == "quoted"
    kind = line.name("a kind of unit")
    return (kind if quoted else KINDS.get(kind, kind)), n


def _read_units(line: Line) -> tuple[tuple[str, int], ...]:
    return tuple(line.joined(lambda: _read_unit(line)))


def _read_pairs(line: Line, read: Callable[[Line], T]) -> dict[str, T]:
    """Read all "name=value" that come next; raise BadStep for a name that comes twice."""
    found: dict[str, T] = {}
    while line.has_name():
        if line.next.text in found:
            raise line.refuse(f"{line.next.text} is written twice")
        name = line.take().text
        line.need("=")
        found[name] = read(line)
    return found


def _read_loads(line: Line, word: str) -> tuple[Load, ...]:
    if not line.skip(word):
        return ()
    loads: list[Load] = []
    while not loads or line.has_name():
        area = line.name("an area")
        line.need("=")
        loads += [(area, kind, n) for kind, n in _read_units(line)]
    return tuple(loads)


def _read_said(line: Line, word: str, what: str) -> str | None:
    return line.name(what) if line.skip(word) else None


def _read_by(line: Line) -> str:
    line.need("by")
    return line.name("a faction")


def _read_deploy(line: Line) -> Deploy:
    step = Deploy(
        space=line.name("an action space or one of " + ", ".join(_PARSE)),
        moves=_read_loads(line, "from"),
        place=_read_loads(line, "place"),
        recall=_read_loads(line, "recall"),
        target=_read_said(line, "at", "an area"),
        payload=line.number("a number of units") if line.skip("payload") else None,
    )
    draw: tuple[str, ...] | int | None = None
    if line.skip("draw"):
        by_number = line.next.kind == "number"
        draw = line.number("a number of cards") if by_number else tuple(line.names("a card or a number"))
    return replace(step, draw=draw, cards=tuple(line.names("a card")) if line.skip("with") else ())


def _read_play(line: Line) -> Play:
    return Play(
        card=line.name("a card"),
        by=_read_by(line),
        moves=_read_loads(line, "from"),
        place=_read_loads(line, "place"),
        recall=_read_loads(line, "recall"),
        target=_read_said(line, "at", "an area"),
        units=line.number("a number of units") if line.skip("units") else None,
    )


def _read_agreed(line: Line) -> Agreed:
    def stand() -> tuple[str, str, int]:
        kind, n = _read_unit(line)
        line.need("/")
        return line.name("a faction"), kind, n

    areas = _read_pairs(line, lambda line: tuple(line.joined(stand)))
    spaces = _read_pairs(line, _read_names) if line.skip("commanders") else {}
    to_move = _read_said(line, "to", "a faction")
    readings = _read_pairs(line, lambda line: line.name("an answer")) if line.skip("readings") else {}
    other = {key: read(line) for word, (key, read) in _OTHER.items() if line.skip(word)}
    return Agreed(
        areas=tuple(areas.items()),
        spaces=tuple((space, tuple(holders)) for space, holders in spaces.items()),
        to_move=to_move,
        note=_read_said(line, "note", "a note") or "",
        readings=tuple(readings.items()),
        other=OTHER_CORRECTIONS.read(other, BadStep),
    )


def _read_names(line: Line) -> list[str]:
    """Read names joined by "+"."""
    return line.joined(lambda: line.name("a name"))


def _read_hand(line: Line) -> list[str] | int:
    """Read a number of cards, or their names."""
    return line.number("a number of cards") if line.next.kind == "number" else _read_names(line)


def _read_number(line: Line) -> int:
    return line.number("a number")


_OTHER: dict[str, tuple[str, Callable[[Line], Any]]] = {
    "standby": ("standby", lambda line: _read_pairs(line, _read_number)),
    "left": ("commanders_left", lambda line: _read_pairs(line, _read_number)),
    "hands": ("hands", lambda line: _read_pairs(line, _read_hand)),
    "discard": ("discard", lambda line: line.names("a card")),
    "initiative": ("initiative", lambda line: line.name("a name")),
    "round": ("round", _read_number),
    "bonuses": ("bonuses", lambda line: _read_pairs(line, lambda line: line.name("a bonus"))),
    "due": ("dice", _read_number),
    "winner": ("winner", lambda line: line.name("a name")),
    "passed": ("passed", lambda line: line.names("a faction")),
}
"""The parts of an agreed step besides the board: {first word: (key in JSON, how it is read)}."""

_PARSE: dict[str, Callable[[Line], Step]] = {
    "pass": lambda line: Pass(),
    "play": _read_play,
    "roll": lambda line: Roll(tuple(line.numbers("a face")), _read_by(line)),
    "reroll": lambda line: Reroll(line.name("a card"), _read_by(line)),
    "remove": lambda line: Remove(_read_units(line), _read_by(line), _read_said(line, "in", "an area")),
    "return": lambda line: Return(line.name("an action space"), _read_by(line)),
    "agreed": _read_agreed,
    "accept": lambda line: Accept(_read_said(line, "by", "a faction")),
}
