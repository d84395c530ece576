"""What is told of a fault in Gunbai itself, and a report of it that a person may send: nothing private is in it.

A report has the versions, where in the code it happened, the settings, and the steps of the game. It has no names of
players, no folder of the user, and no card that somebody may still hold: names of cards are struck out of whatever
the fault itself says, and drawn cards are only counted.
"""

from __future__ import annotations

import json
import platform
import re
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from companion import __version__, storage
from companion.errors import MatchError
from companion.journal import read_game
from companion.settings import Settings, plain
from engine.orders.board import Board
from engine.systems import SYSTEMS

STRUCK = "[…]"
PRIVATE = frozenset({"players", "table", "camera"})
"""Fields of the settings that say who or where somebody is."""


@dataclass(frozen=True, slots=True)
class Crash:
    """A fault of Gunbai's own. kind: the exception's name; place: file and line; trace: how it came to that;
    scene: who was on stage; game: the saved game that was played, None where there was none.
    """

    kind: str
    place: str
    trace: str
    scene: str
    game: Path | None = None


def crash_of(error: BaseException, scene: str, game: Path | None = None) -> Crash:
    """What is kept of an exception: no local variables, so nothing that they hold."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    return Crash(type(error).__name__, place, "".join(traceback.format_exception(error)), scene, game)


def write_report(crash: Crash, settings: Settings, folder: Path) -> Path:
    """Write the report into the folder: the file it became. OSError where the disk refuses."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        path = folder / f"report-{number}.txt"
        try:
            storage.create(path, report(crash, settings).encode())
        except FileExistsError:
            number += 1
        else:
            return path


def report(crash: Crash, settings: Settings) -> str:
    """The report's text."""
    game, cards, names = _game(crash.game)
    told = struck(crash.trace, {*cards, *names, *settings.players.values()}).replace(str(Path.home()), "~")
    parts = (
        f"Gunbai {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"{crash.kind} at {crash.place}, on stage: {crash.scene}",
        told.strip(),
        "settings:\n" + "\n".join(_settings_lines(settings)),
        "game:\n" + (game or "none"),
    )
    return "\n\n".join(parts) + "\n"


def struck(text: str, words: Iterable[str]) -> str:
    """The text without these words, however they are written."""
    wanted = sorted((re.escape(word) for word in words if word), key=len, reverse=True)
    return re.sub("|".join(wanted), STRUCK, text, flags=re.IGNORECASE) if wanted else text


def _settings_lines(settings: Settings) -> list[str]:
    told = [one.name for one in fields(settings) if one.name not in PRIVATE]
    return [f"  {name} = {plain(getattr(settings, name))!r}" for name in told]


def _game(path: Path | None) -> tuple[str, set[str], set[str]]:
    """The steps of a saved game, the names of its cards, and of its players; nothing where it cannot be read."""
    if path is None:
        return "", set(), set()
    try:
        journal = read_game(path)
    except MatchError as error:
        return f"  {type(error).__name__}", set(), set()
    request = {key: value for key, value in journal.request.items() if key not in ("players", "texts")}
    players = journal.request.get("players")
    names = {str(name) for name in players.values()} if isinstance(players, dict) else set()
    lines = [request, *(_covered(journal.system.step_written(step)) for step in journal.steps)]
    if journal.fault is not None:
        lines.append({"broken": journal.fault.line})
    told = "\n".join(f"  {struck(json.dumps(line, ensure_ascii=False), names)}" for line in lines)
    return told, _cards(journal.last.board) if journal.system.name == SYSTEMS[0] else set(), names


def _covered(step: Mapping[str, Any]) -> dict[str, Any]:
    """A step with what is nobody else's to read left out: drawn cards are counted, notes and hands are dropped."""
    kept = {key: value for key, value in step.items() if key not in ("note", "hands")}
    if isinstance(kept.get("draw"), list):
        kept["draw"] = len(kept["draw"])
    return kept


def _cards(board: Board) -> set[str]:
    """Every card of the box, by name and by title."""
    cards = board.mode.cards
    return {*cards, *(card.title for card in cards.values())}
