"""A report of a fault in Gunbai itself that a person may send: it contains nothing private.

A report has the versions, where in the code it happened, the settings, and the steps of the game. It has no names of
players or of the machine, no folder of the user, and no card that somebody may still hold: names of cards are struck
out of whatever the fault itself says, drawn cards are only counted, and those of the card game are numbered. What a
fault says is only kept with a game at the table, as only then the names are known that it may hold.
"""

from __future__ import annotations

import json
import platform
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from companion import __version__
from companion.core import storage
from companion.core.errors import MatchError
from companion.core.language import _
from companion.crash.anonymous import (
    STRUCK,
    anonymous_request,
    anonymous_steps,
    names_in,
    rename_throughout,
    strike_words,
)
from companion.crash.traces import place_of, trace_of, without_homes
from companion.games.journal import AnyJournal, Journal, read_game
from companion.games.summary import SYSTEM_RECORDS
from companion.settings.layers import Settings, plain

__all__ = ["REPORTS", "STRUCK", "Crash", "crash_of", "report", "strike_words", "write_report"]

REPORTS = "reports"
PRIVATE = frozenset({"players", "table", "camera"})
"""Fields of the settings that may identify a person or a place."""
NOBODYS = frozenset({"", "localhost", "gunbai", "raspberrypi"})
"""Host names that identify nobody."""


@dataclass(frozen=True, slots=True)
class Crash:
    """A fault of Gunbai's own.

    kind: the exception's name; place: file and line; trace: its traceback with messages; scene: what was on the screen;
    game: the saved game being played, None if there was none; bare: the traceback without messages.
    """

    kind: str
    place: str
    trace: str
    scene: str
    game: Path | None = None
    bare: str = ""


def crash_of(error: BaseException, scene: str, game: Path | None = None) -> Crash:
    """Describe an exception as a Crash, without any local variables. scene: what was on the screen."""
    trace = "".join(traceback.format_exception(error))
    return Crash(type(error).__name__, place_of(error), trace, scene, game, trace_of(error))


def write_report(crash: Crash, settings: Settings | None, folder: Path) -> Path:
    """Write a crash report into a folder and return its path; OSError if the disk refuses."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        path = folder / f"report-{number}.txt"
        try:
            storage.create(path, report(crash, settings).encode(errors="backslashreplace"))
        except FileExistsError:
            number += 1
        else:
            return path


def report(crash: Crash, settings: Settings | None) -> str:
    """Return the text of a crash report, with nothing private in it. settings: None if unknown."""
    journal: AnyJournal | MatchError | None
    try:
        journal = None if crash.game is None else read_game(crash.game)  # up to its first fault
    except MatchError as error:
        journal = error
    people = {platform.node(), platform.node().partition(".")[0]} - NOBODYS
    if isinstance(journal, Journal):
        people |= names_in(journal)
    if settings is not None:
        people |= {*settings.players.values()}
    trace = without_homes(crash.bare)
    if isinstance(journal, Journal) and crash.game is not None:  # so the names that the trace may contain are known
        files = {str(crash.game), crash.game.name}
        trace = without_homes(strike_words(crash.trace, {*people, *_cards(journal), *files}))
    parts = [
        f"Gunbai {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"{crash.kind} at {crash.place}, on stage: {crash.scene}",
        trace.strip(),
    ]
    if settings is not None:
        public = [field.name for field in fields(settings) if field.name not in PRIVATE]
        lines = [f"  {name} = {plain(getattr(settings, name))!r}" for name in public]
        parts.append("settings:\n" + strike_words(without_homes("\n".join(lines)), people))
    parts.append("game:\n" + ("\n".join(f"  {line}" for line in _game(journal)) or "none"))
    return "\n\n".join(parts) + "\n"


# ---- the game --------------------------------------------------------------------------------------


def _game(journal: AnyJournal | MatchError | None) -> list[str]:
    """Return the lines on the game, with nothing private: request and steps as JSON; the error's type if unreadable."""
    if journal is None:
        return []
    if isinstance(journal, MatchError):
        return [type(journal).__name__]
    steps = [*map(_covered, anonymous_steps(journal))]
    records = SYSTEM_RECORDS.of(journal.system.name)
    if records.card_of is not None:
        names = _numbers(steps, records.card_of, set(records.cards(journal.last)))
        steps = [{key: rename_throughout(value, names) for key, value in step.items()} for step in steps]
    lines = [{key: value for key, value in anonymous_request(journal).items() if key != "players"}, *steps]
    if journal.fault is not None:
        lines.append({"broken": journal.fault.line})
    return [json.dumps(line, ensure_ascii=False) for line in lines]


def _covered(step: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step without notes and hands, and with drawn cards as a number."""
    kept = {key: value for key, value in step.items() if key not in ("note", "hands")}
    if isinstance(kept.get("draw"), list):
        kept["draw"] = len(kept["draw"])
    return kept


# ---- cards -----------------------------------------------------------------------------------------


def _cards(journal: AnyJournal) -> set[str]:
    """Return the names and titles of all cards of the game, and the titles' translations."""
    cards = SYSTEM_RECORDS.of(journal.system.name).cards(journal.last)
    titles = {title for card in cards.values() for title in card}
    return {*cards, *titles, *map(_, titles)}


def _numbers(steps: list[dict[str, Any]], card_of: Callable[[str], str], known: set[str]) -> dict[str, str]:
    """Return {word with a card's name: the same word with "card N"}, numbered as the cards come up in the steps.

    >>> _numbers([{"attack": "fox-2", "with": "fox"}], lambda word: word.partition("-")[0], {"fox"})
    {'fox-2': 'card 1-2', 'fox': 'card 1'}
    """
    numbers: dict[str, int] = {}
    names: dict[str, str] = {}
    for word in _words(steps):
        card = card_of(word)
        if card in known:
            number = numbers.setdefault(card, len(numbers) + 1)
            names[word] = f"card {number}{word.removeprefix(card)}"
    return names


def _words(value: object) -> Iterator[str]:
    """Yield every string in a JSON value, keys included, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *_words(item))
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
