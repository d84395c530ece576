"""Reads what the command line is given: positions, steps and saved games, as files, standard input or text.

Every fault ends as one line that says where it is: the file, and the line where that helps.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from companion.core.errors import InputError, MatchError, blame_file
from companion.core.storage import is_there
from companion.games.journal import MOST_BYTES as MOST_GAME_BYTES
from companion.games.journal import AnyJournal, object_of, parse_journal
from companion.games.match import remark
from companion.terminal.reports import REPORTS
from engine.codec import brief
from engine.errors import EngineError
from engine.orders.position import Position
from engine.referee import MOST_STEPS
from engine.system import System
from engine.systems import DEFAULT, system_named
from intake.errors import Unreadable
from intake.files import STANDARD_INPUT, read_file_or_pipe
from intake.json_text import parse_json
from intake.text import decode_text

MOST_BYTES = 32_000_000
Held = TypeVar("Held")
NOTATION_WORDS = ("pass", "accept")
PICTURES = (b"\x89PNG", b"\xff\xd8\xff")  # the first bytes of picture files


@dataclass(frozen=True, slots=True)
class Loaded(Generic[Held]):
    """A position and its system of rules, and a remark on the file it came from, if there is any."""

    system: System[Any, Any]
    position: Held
    notice: str | None = None


def read_bytes(name: str) -> bytes:
    """Read a file's bytes, or standard input for "-"; InputError names a file that cannot be read."""
    with blame_file(name, InputError):
        return read_file_or_pipe(name, MOST_BYTES)


def load_game(name: str) -> AnyJournal:
    """Read the saved game in a file, or on standard input for "-"; MatchError if it is unreadable or not a game."""
    with blame_file(name, MatchError):
        return parse_journal(read_file_or_pipe(name, MOST_GAME_BYTES), name)


def _decode(data: bytes, name: str) -> str:
    if data.startswith(PICTURES):
        raise InputError(f"{name}: a picture, not text (to score one, name its table with --table)")
    with blame_file(name, InputError):
        text = decode_text(data)
    if not text.strip():
        raise InputError(f"{name}: the file is empty")
    return text


def _json(text: str, name: str) -> Any:
    with blame_file(name, InputError):
        return parse_json(text)


def _first_object(text: str) -> dict[str, Any]:
    """Parse the object on the first line that is not blank; {} if there is none."""
    try:
        return object_of(text.lstrip().partition("\n")[0].encode())
    except ValueError:
        return {}


def is_game(text: str) -> bool:
    """Return whether this text begins as a saved game does, with a request."""
    return "do" in _first_object(text)


def load_position(name: str) -> Loaded[Position]:
    """Load a position of General Orders from a file: a JSON position, or the last one of a saved game.

    InputError or MatchError if the file has neither, InputError for another system's position.
    """
    loaded = load_any(name)
    if not isinstance(loaded.position, Position):
        raise InputError(f"{name}: of {loaded.system.name}, not of General Orders")
    return loaded


def load_any(name: str) -> Loaded[Any]:
    """Load a position of any system from a file: a JSON position, or the last one of a saved game.

    InputError or MatchError if the file has neither.
    """
    data = read_bytes(name)
    text = _decode(data, name)
    if is_game(text):
        journal = parse_journal(data, name)
        said = remark(journal)
        return Loaded(journal.system, journal.last, f"{name}: {said}" if said else None)
    value = _json(text, name)
    if isinstance(value, dict) and set(value) <= {"id", "position"} and "position" in value:
        value = value["position"]
    try:
        system = system_named(value.get("system", DEFAULT) if isinstance(value, dict) else DEFAULT)
        return Loaded(system, system.read_position(value))
    except EngineError as error:
        raise InputError(f"{name}: not a position: {error}") from error


def load_steps(given: str, system: System[Any, Any]) -> list[Any]:
    """Load steps from the file that `given` names ("-" for standard input), or parse `given` itself as steps.

    They are JSON: a list, one step, or a step a line (a saved game's first line is skipped). `given` may also be a
    line of notation, if the system has one. InputError if a step is invalid, or if there are none or too many.
    """
    if given.lstrip().startswith(("{", "[")):
        return _steps(given, "the steps", system)
    # what isn't a file and contains a blank or a colon is taken for a step
    written = given in NOTATION_WORDS or " " in given or ":" in given
    if given == STANDARD_INPUT or not written or is_there(Path(given)):
        return _steps(_decode(read_bytes(given), given), given, system)
    try:
        step = REPORTS.of(system.name).step_of(given)
    except EngineError as error:
        raise InputError(f"{brief(given)}: neither a file nor a step: {error}") from error
    if step is None:
        raise InputError(f"{brief(given)}: not a file, and steps of {system.name} must be JSON")
    return [step]


def _steps(text: str, name: str, system: System[Any, Any]) -> list[Any]:
    try:
        value = parse_json(text)
    except Unreadable:
        pairs = _by_line(text, name)
    else:
        listed = value if isinstance(value, list) else [value]
        pairs = [(f"{name}: step {number}", raw_step) for number, raw_step in enumerate(listed, 1)]
    if not pairs:
        raise InputError(f"{name}: no steps in it")
    if len(pairs) > MOST_STEPS:
        raise InputError(f"{name}: at most {MOST_STEPS} steps are read, not {len(pairs)}")
    steps = []
    for where, raw_step in pairs:
        try:
            steps.append(system.read_step(raw_step))
        except EngineError as error:
            raise InputError(f"{where}: {error}") from error
    return steps


def _by_line(text: str, name: str) -> list[tuple[str, Any]]:
    """Split JSON lines into (where, value); InputError for the whole text if not even its first line is JSON."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if is_game(text):
        lines = lines[1:]
    elif not _first_object(text):
        _json(text, name)
    pairs = []
    for number, line in lines:
        where = f"{name}: line {number}"
        try:
            pairs.append((where, object_of(line.encode())))
        except ValueError as error:
            raise InputError(f"{where}: {error}") from error
    return pairs
