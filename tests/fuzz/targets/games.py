"""Saved games and what lies beside them: taken back steps, clock, review; positions and steps for commands."""

from __future__ import annotations

import json
import math
import shutil
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from companion.core import storage
from companion.core.errors import InputError, MatchError
from companion.games import checksums, undo_log
from companion.games.clock import GameClock, clock_path
from companion.games.journal import AnyJournal, parse_journal, players_of
from companion.games.match import GameSession, open_game
from companion.games.private_hand import load_told_hand, save_told_hand, told_hand_path
from companion.games.reviews import DAYS, Tried, parse_tried, read_review, review_path, tried_text, write_review
from companion.games.status import Situation
from companion.games.summary import are_known, summary_of
from companion.terminal.inputs import load_any, load_steps
from companion.text.people import People
from companion.text.review import TurnWords, point_title
from engine.orders.player.review import chances, turning_points
from engine.systems import DEFAULT, SYSTEMS, system_named
from intake.errors import Unreadable
from tests.companion.other_games import BEGIN, STEPS
from tests.companion.sample_games import REQUEST, played
from tests.companion.sample_reviews import reviewed
from tests.fuzz.spoil import then
from tests.fuzz.target import Target, Work, hold, hold_again, hold_line, hold_same, named
from tests.fuzz.trees import as_json, as_json_lines

ORDERS = {key: value for key, value in REQUEST.items() if key != "do"}
FEW = 7


def _beginnings() -> dict[str, tuple[dict[str, Any], list[dict[str, Any]]]]:
    """How a game of each system begins, and a few of its steps, as JSON."""
    orders = [system_named(DEFAULT).write_step(step) for step in played()[0][:FEW]]
    others = {system: (BEGIN[system], STEPS[system]) for system in BEGIN}
    return {DEFAULT: (ORDERS, orders), **others}


def game_file(path: Path, system: str) -> Path:
    """Write a saved game of a system after a few steps, as the app does, and return its path."""
    request, steps = _beginnings()[system]
    match: GameSession[Any, Any] = GameSession.begin(path, {**request, "players": {"red": "Jô", "black": "Ana"}})
    for step in steps:
        hold(match.offer(match.system.read_step(step)).legal, f"{step} is legal")
    match.close()
    return path


@cache
def games() -> tuple[bytes, ...]:
    """Return a saved game of each system."""
    folder = Path("honest")
    folder.mkdir()
    return tuple(game_file(folder / f"{system}.jsonl", system).read_bytes() for system in SYSTEMS)


def sealed(data: bytes) -> bytes:
    """Return a saved game with each line's check value put right, as far as the lines are objects."""
    lines: list[bytes] = []
    for line in data.split(b"\n"):
        try:
            value = json.loads(line)
            lines.append(checksums.with_checksum(checksums.plain(value), lines)[:-1])
        except (ValueError, RecursionError, AttributeError, TypeError):
            lines.append(line)
    return b"\n".join(lines)


GAME = then(as_json_lines, sealed, 0.7)


def _told(journal: AnyJournal) -> None:
    """Check what the shelf, the log and the players' names make of a game."""
    if journal.fault is not None:
        hold_line(journal.fault.message)
    found = summary_of(journal)
    are_known(found.system, found.needs)
    for name in players_of(journal.request).values():
        hold(name.isprintable(), "players' names are shown as they are")


def _game(folder: Path) -> Work:
    def read(data: bytes) -> bool:
        journal = parse_journal(data, "game.jsonl")
        _told(journal)
        hold_again((journal.steps, None), lambda: _steps_of(b"".join(journal.lines)), "the steps read again")
        return True

    return Work(games(), read)


def _steps_of(data: bytes) -> tuple[Any, Any]:
    journal = parse_journal(data, "game.jsonl")
    return journal.steps, journal.fault


def _open(folder: Path) -> Work:
    """Prepare to check a game opened to be played: nothing of the file is lost, and the disk then holds the game."""
    place = folder / "open"
    path = place / "game.jsonl"

    def read(data: bytes) -> bool:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        path.write_bytes(data)
        match = open_game(path)
        match.close()
        after = path.read_bytes()
        kept = [path.read_bytes() for path in place.glob("*.broken-*")]
        if match.notice:
            hold_line(match.notice)
        whole = after.rstrip(b"\n") == data.rstrip(b"\n") or data in kept or data == after[: len(data)]
        hold(whole or any(data.endswith(tail) for tail in kept), "what was damaged is kept as it was")
        again = open_game(path)
        again.close()
        hold_same(again.steps, match.steps, "the steps of a game opened again")
        hold(again.notice is None or after == data, f"nothing is said of a game that was put right: {again.notice}")
        return True

    return Work(games(), read)


def _undone(folder: Path) -> Work:
    """Prepare to check the undone steps: a damaged list costs what can be redone, and nothing else."""
    game = game_file(folder / "game.jsonl", DEFAULT)
    match = open_game(game)
    for steps in (1, 2, 1):
        hold(match.undo(steps), "steps can be recalled")
    match.redo()
    match.close()
    beside = undo_log.path_of(game)
    whole = game.read_bytes()

    def read(data: bytes) -> bool:
        beside.write_bytes(data)
        undo_log.read_undone(game)
        match = open_game(game)
        waiting = match.redoable_steps
        match.close()
        hold_same(game.read_bytes(), whole, "the game itself")
        hold(all(step is not None for step in waiting), "steps are steps")
        return bool(match.taken_back)

    return Work((beside.read_bytes(),), read)


def _resealed_alone(data: bytes) -> bytes:
    """Lines that each have a check value of their own, fixed."""
    return b"\n".join(sealed(line) for line in data.split(b"\n"))


def _clock(folder: Path) -> Work:
    """Thinking time: a damaged file is told and set aside, and the clock runs."""
    place = folder / "clock"
    game = place / "game.jsonl"
    situation = Situation(game, object(), 3, ("red", "black"), "red", frozenset({"red"}))

    def read(data: bytes) -> bool:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        clock_path(game).write_bytes(data)
        clock = GameClock()
        clock.minutes, clock.warn_s = 10, 120
        clock.tick(situation, 0.0)
        known = dict(clock.spent_s)
        hold(all(math.isfinite(used) and used >= 0 for used in known.values()), f"times that count: {known}")
        hold(known or any(path.read_bytes() == data for path in place.iterdir()), "a damaged file is kept")
        clock.go_on()
        for now_s in (1.0, 62.5, 125.0):
            clock.tick(situation, now_s)
            for text, _low, _runs in clock.face().values():
                hold_line(text, "the clock's face")
        clock.leave()
        json.loads(clock_path(game).read_bytes())
        return bool(known)

    honest = (b'{"spent_s": {"red": 61.5, "black": 0.0}}\n', storage.line_of({"spent_s": {"black": 3599.9}}))
    return Work(honest, read)


def _hand(folder: Path) -> Work:
    """Prepare to check the cards that the app was told: a damaged file tells none, nor any that the deck lacks."""
    game, mode = folder / "hand.jsonl", system_named(DEFAULT).new({"do": "new", **ORDERS}).board.mode

    def read(data: bytes) -> bool:
        told_hand_path(game).write_bytes(data)
        note = load_told_hand(game, mode)
        hold(note is None or {*note.cards, *note.discard} <= set(mode.cards), "cards of the deck")
        if note is not None:
            save_told_hand(game, note)
            hold_same(load_told_hand(game, mode), note, "what is kept again")
        return note is not None

    honest = (b'{"cards": {"ambush": 2}, "discard": ["mobilise"]}\n', b'{"cards": {}, "discard": []}\n')
    return Work(honest, read)


def _review(folder: Path) -> Work:
    """Prepare to check a review: what is accepted of it goes with the game, and can be shown."""
    game, turns = folder / "reviewed.jsonl", reviewed(FEW)
    steps, positions = played()
    steps, positions = steps[:FEW], positions[: FEW + 1]
    people = People(positions[0].board.factions)
    write_review(game, "mark", turns)
    honest = review_path(game).read_bytes()

    def read(data: bytes) -> bool:
        review_path(game).write_bytes(data)
        found = read_review(game, "mark", positions, steps)
        for turn in found or ():
            told = TurnWords(turn, positions, steps, people)
            for line in (told.played_sentence(), told.better(), told.luck()):
                hold_line(line, "a sentence of a review")
        hold(all(0 <= chance <= 1 for chance in chances(found or (), people.factions[0])), "chances are chances")
        for point in turning_points(found or ()):
            hold_line(point_title(point, people), "the title of a turning point")
        return found is not None

    return Work((honest,), read)


def _practice(_folder: Path) -> Work:
    """Prepare to check what was tried of a review's turns: what is accepted is written as it was."""
    tried = {"a game": Tried(0, date(2026, 9, 1)), "another": Tried(len(DAYS), None)}

    def read(data: bytes) -> bool:
        found = parse_tried(data)
        hold_again(found, lambda: parse_tried(tried_text(found)), "turns that were tried, written and read again")
        return True

    return Work((tried_text(tried), tried_text({})), read)


def _inputs(folder: Path) -> Work:
    """Prepare to check a position, a saved game or steps, as commands are given them."""
    path = folder / "given.json"
    seeds = [*games()]
    for system in SYSTEMS:
        rules, (request, steps) = system_named(system), _beginnings()[system]
        position = rules.new({"do": "new", **request})
        seeds += [json.dumps(rules.write_position(position)).encode(), json.dumps(steps).encode()]
        seeds += [json.dumps({"id": 1, "position": rules.write_position(position)}, indent=1).encode()]

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        try:
            loaded = load_any(str(path))
        except InputError as error:
            hold_line(str(error))
            return _some_steps(str(path))
        if loaded.notice:
            hold_line(loaded.notice)
        rules, position = loaded.system, loaded.position
        hold_again(
            position, lambda: rules.read_position(rules.write_position(position)), "a position written and read again"
        )
        return True

    return Work(tuple(seeds), read)


def _some_steps(path: str) -> bool:
    """Load steps of whichever system has them; raise the last system's InputError if none has."""
    fault: InputError | None = None
    for system in SYSTEMS:
        rules = system_named(system)
        try:
            steps = load_steps(path, rules)
        except InputError as error:
            fault = error
            continue
        _written_again(rules, steps)
        return True
    assert fault is not None
    raise fault


def _written_again(rules: Any, steps: list[Any]) -> None:
    hold_again(
        steps, lambda: [rules.read_step(rules.write_step(step)) for step in steps], "steps written and read again"
    )


TARGETS = named(
    (
        Target("game", _game, GAME, (MatchError,), ("companion.games.journal", "companion.games.checksums")),
        Target("open", _open, GAME, (MatchError,), ("companion.games.game_file",), share=0.5),
        Target("undone", _undone, then(as_json_lines, _resealed_alone), (), ("companion.games.undo_log",), share=0.5),
        Target("clock", _clock, as_json, (), ("companion.games.clock",)),
        Target("hand", _hand, as_json, (), ("companion.games.private_hand",)),
        Target("review", _review, as_json, (), ("companion.games.reviews",)),
        Target("practice", _practice, as_json, (Unreadable,), ("companion.games.reviews",)),
        Target(
            "inputs",
            _inputs,
            as_json_lines,
            (InputError, MatchError),
            ("companion.terminal.inputs", "companion.commands.games"),
        ),
    )
)
