"""Lines of text, word by word: what the notation of steps and positions is written with and read from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from engine.codec import brief
from engine.errors import EngineError
from intake.errors import Unreadable
from intake.json_text import parse_json

T = TypeVar("T")

_FOR_PARTS = (
    "from",
    "place",
    "recall",
    "at",
    "draw",
    "with",
    "by",
    "units",
    "in",
    "closed",
    "commanders",
    "to",
    "readings",
    "standby",
    "left",
    "hands",
    "discard",
    "initiative",
    "round",
    "bonuses",
    "due",
    "winner",
    "note",
    "payload",
    "passed",
)
_FOR_STEPS = ("pass", "play", "roll", "reroll", "remove", "return", "accept", "agreed")
KEYWORDS = frozenset((*_FOR_PARTS, *_FOR_STEPS))
"""Words with a meaning of their own; a name that is one of them is written in quotes."""

NOTHING = "-"

_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")
    |(?P<word>[A-Za-z][A-Za-z0-9_]*(?:[:-][A-Za-z0-9_]+)*)
    |(?P<number>[0-9]+)
    |(?P<mark>[=+;/-])
    |(?P<end>\Z)
    |(?P<bad>\S))""",
    re.VERBOSE,
)
_PLAIN = re.compile(r"[a-z][a-z0-9_]*(?:[:-][a-z0-9_]+)*")
_MOST_DIGITS = 9


class Lexeme(NamedTuple):
    """A piece of a line: what it is ("word", "quoted", "number", "mark", "end", "bad"), its text, where it begins."""

    kind: str
    text: str
    column: int


def quote_name(name: str) -> str:
    """A name as it is written: plain where it is a small word, else in quotes as JSON writes text.

    >>> quote_name("advance:c4"), quote_name("draw"), quote_name("Two words")
    ('advance:c4', '"draw"', '"Two words"')
    """
    return name if _PLAIN.fullmatch(name) and name not in KEYWORDS else json.dumps(name)


class Line:
    """A line being read from left to right; what does not fit raises `fault`, naming the column."""

    def __init__(self, text: str, fault: type[EngineError]) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0
        self._fault = fault

    @property
    def next(self) -> Lexeme:
        """The piece that is read next."""
        return self._tokens[self._at]

    def take(self) -> Lexeme:
        """Read one piece, which is not the end."""
        token = self.next
        self._at += 1
        return token

    def fail(self, wanted: str) -> EngineError:
        """The fault to raise where something else than `wanted` follows."""
        found = "the end of the line" if self.next.kind == "end" else brief(self.next.text)
        return self.refuse(f"expected {wanted}, found {found}")

    def refuse(self, why: str) -> EngineError:
        """The fault to raise for what follows."""
        return self._fault(f"column {self.next.column}: {why}")

    def sees(self, text: str) -> bool:
        """Whether this word or mark follows, out of quotes."""
        return self.next.kind in ("word", "mark") and self.next.text == text

    def skip(self, text: str) -> bool:
        """Read this word or mark if it follows."""
        found = self.sees(text)
        if found:
            self.take()
        return found

    def need(self, text: str) -> None:
        """Read this word or mark."""
        if not self.skip(text):
            raise self.fail(repr(text))

    def has_name(self) -> bool:
        """Whether a name follows."""
        return self.next.kind == "quoted" or (self.next.kind == "word" and self.next.text not in KEYWORDS)

    def name(self, what: str) -> str:
        """Read a name."""
        if not self.has_name():
            raise self.fail(what)
        return self.take().text

    def names(self, what: str) -> list[str]:
        """Read as many names as follow, at least one, or the mark for nothing."""
        if self.skip(NOTHING):
            return []
        names = [self.name(what)]
        while self.has_name():
            names.append(self.take().text)
        return names

    def number(self, what: str) -> int:
        """Read a number from 0."""
        if self.next.kind != "number" or len(self.next.text) > _MOST_DIGITS:
            raise self.fail(what)
        return int(self.take().text)

    def numbers(self, what: str) -> list[int]:
        """Read as many numbers as follow, at least one, or the mark for nothing."""
        if self.skip(NOTHING):
            return []
        numbers = [self.number(what)]
        while self.next.kind == "number":
            numbers.append(self.number(what))
        return numbers

    def joined(self, read: Callable[[], T]) -> list[T]:
        """Read things joined by "+", at least one, or the mark for nothing."""
        if self.skip(NOTHING):
            return []
        found = [read()]
        while self.skip("+"):
            found.append(read())
        return found

    def end(self) -> None:
        """Nothing may follow."""
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
