"""What the index of the saved games keeps of each, as JSON: made from its file, and looked at when it comes back.

The index may come from a stranger, and so may the games: texts and lists are short, numbers small, sides those of the
game. Facts of a file with a fault say until when they hold: it is read again once Gunbai is another version, or what
the game is played with has come, gone or changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion import __version__
from companion.core.storage import data_dir
from companion.games.journal import AnyJournal, players_of
from companion.games.summary import SYSTEM_RECORDS, GameSummary, are_known, summary_of
from companion.systems.game_system import game_system
from engine.systems import DEFAULT, SYSTEMS
from intake.errors import Unreadable
from intake.json_text import parse_object

Facts = Mapping[str, Any]
Form = Mapping[str, Callable[[object], bool]]
"""What facts there are, and of which form each is."""
MOST_LETTERS = 400
MOST_PARTS = 40
MOST = 10**9
FIRST_LINE_BYTES = 1_000_000
NAME = re.compile(r"[a-z][a-z0-9-]{0,79}")


def facts_of(journal: AnyJournal) -> dict[str, Any]:
    """Return what the index keeps of a saved game, read from its journal."""
    fault = journal.fault.message if journal.fault else ""
    found = asdict(summary_of(journal))
    found |= {"steps": len(journal.steps), "players": players_of(journal.request), "fault": fault}
    return _lasting(found | {"look_only": __version__ if journal.look_only else ""})


def facts_of_fault(path: Path, fault: str) -> dict[str, Any]:
    """Return what the index keeps of a file that cannot be read as a game."""
    system, needs = system_and_needs(path)
    nothing = asdict(GameSummary(system, "", ("", ""), 0, "", "")) | {"sides": (), "needs": needs}
    return _lasting(nothing | {"steps": 0, "players": {}, "fault": fault, "look_only": ""})


def _lasting(facts: Facts) -> dict[str, Any]:
    """Return facts as they are kept; after a fault, with the mark of what they depend on."""
    kept: dict[str, Any] = clip(facts)
    holds_for = mark(kept["system"], kept["needs"]) if kept["fault"] or kept["look_only"] else ""
    return kept | {"again": holds_for}


def system_and_needs(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return the system of an unreadable file, and what it is played with, as far as its first line says."""
    try:
        with path.open("rb") as file:
            request = parse_object(file.readline(FIRST_LINE_BYTES))
    except (OSError, Unreadable):
        return DEFAULT, ()
    system = request.get("system", DEFAULT)
    if not isinstance(system, str) or system not in SYSTEMS:
        return DEFAULT, ()
    needs = request.get(game_system(system).needs)
    names = needs.values() if isinstance(needs, dict) else (needs,)
    return system, tuple(name for name in names if isinstance(name, str) and NAME.fullmatch(name))


def mark(system: str, needs: Iterable[str]) -> str:
    """Return a short name for this version of Gunbai and the current state of the files that the game needs."""
    folder = data_dir() / game_system(system).folder
    states = [(name, are_known(system, (name,)), _state(folder / f"{name}.toml")) for name in needs]
    return hashlib.sha256(repr((__version__, states)).encode()).hexdigest()[:12]


def _state(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


# ---- what comes back ------------------------------------------------------------------------------


def saved_values(facts: Facts) -> dict[str, Any] | None:
    """Turn an index entry's facts into the fields of a `shelf.Saved`; None if they are outdated or of another form."""
    if not has_form(facts, FORM) or not _fits(facts):
        return None
    if facts["again"] and facts["again"] != mark(facts["system"], facts["needs"]):
        return None
    lists = {name: tuple(facts[name]) for name in ("sides", "needs")}
    return {name: value for name, value in facts.items() if name != "again"} | lists


def _fits(facts: Facts) -> bool:
    """Return whether the facts of a game fit together."""
    sides = facts["sides"]
    if not {facts["to_move"], facts["winner"]} <= {"", *sides}:
        return False
    if not facts["board"]:
        return not sides
    return SYSTEM_RECORDS.of(facts["system"]).fits(facts)


def printable(text: str, most: int = MOST_LETTERS) -> str:
    r"""Return a stranger's text cut to the length of a line, with a blank for each unprintable character.

    >>> printable("a\x1b[2Jb\nc")
    'a [2Jb c'
    """
    return "".join(letter if letter.isprintable() else " " for letter in text[:most])


def clip(value: Any) -> Any:
    """Cut the texts and lists in a value to the size that is kept."""
    if isinstance(value, str):
        return value[:MOST_LETTERS]
    if isinstance(value, Mapping):
        return {clip(key): clip(part) for key, part in list(value.items())[:MOST_PARTS]}
    if isinstance(value, list | tuple):
        return [clip(part) for part in value[:MOST_PARTS]]
    return value


def has_form(facts: Facts, form: Form) -> bool:
    """Return whether the facts are all those of this form, and no others."""
    return facts.keys() == form.keys() and all(is_fact(facts[name]) for name, is_fact in form.items())


def is_system(value: object) -> bool:
    """Return whether a value names a system of rules."""
    return isinstance(value, str) and value in SYSTEMS


def is_text(value: object) -> bool:
    """Return whether a value is a text of the length that is kept."""
    return isinstance(value, str) and len(value) <= MOST_LETTERS


def is_count(value: object) -> bool:
    """Return whether a value is a whole number of the size that is kept."""
    return type(value) is int and -MOST <= value <= MOST


def is_number(value: object) -> bool:
    """Return whether a value is a whole number from 0 on, of the size that is kept."""
    return is_count(value) and isinstance(value, int) and value >= 0


def is_list(values: object, is_one: Callable[[object], bool] = is_text) -> bool:
    """Return whether a value is a short list of such values."""
    return isinstance(values, list) and len(values) <= MOST_PARTS and all(map(is_one, values))


def is_map(values: object, is_one: Callable[[object], bool] = is_text) -> bool:
    """Return whether a value is a short mapping from texts to such values."""
    return isinstance(values, dict) and is_list([*values]) and is_list([*values.values()], is_one)


FORM: Form = {
    "system": is_system,
    **dict.fromkeys(("board", "title", "to_move", "winner", "fault", "look_only", "again"), is_text),
    **dict.fromkeys(("round", "steps"), is_number),
    **dict.fromkeys(("sides", "needs"), is_list),
    **dict.fromkeys(("players", "names"), is_map),
}
"""What is kept of a game, and of which form."""
