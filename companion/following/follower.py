"""Follows whatever game is on the table by looking at its file: nothing is asked of the app, and nothing is written.

A new game, an older one that is continued, undo and a correction (the file is replaced), a torn line after a power cut,
a restart of the app: after each of them the next look tells how it is now, in events: plain values that have changed.

Nothing here names a card in a hand: a draw is a number, as in the journal, and where players entered their cards openly
they are counted. Of the players' names there are those in the game's first line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

from companion.core.errors import MatchError
from companion.core.language import _, plural
from companion.core.storage import GAME_SUFFIX
from companion.games import checksums
from companion.games.journal import AnyJournal, object_of, players_of, read_game, step_of
from companion.games.live_note import LiveNote, read_note
from companion.games.summary import SYSTEM_RECORDS
from companion.terminal.orders import REASONS as ORDERS
from companion.terminal.reports import REPORTS
from engine.errors import EngineError
from engine.generals import words as generals
from engine.sonae import words as sonae
from engine.system import System
from engine.words import mark
from intake.text import one_line

# ---- what is told -----------------------------------------------------------------------------

Event = dict[str, Any]
"""A JSON object; its `event` says of which kind."""

KEPT = ("round", "turn", "owed", "score", "winner")
"""The events that say how the game is now: the last of each holds until the next."""


def facts_by_event(system: System[Any, Any], position: Any) -> dict[str, Event]:
    """Return the fields of each event in KEPT as the position has them; a side is "" where it is nobody's."""
    short = SYSTEM_RECORDS.of(system.name).summary(position)
    score = REPORTS.of(system.name).score_json(position)
    over = bool(short.winner)
    owed = None if over else system.pending(position)
    return {
        "round": {"round": short.round},
        "turn": {"to_move": "" if over else short.to_move},
        "owed": {"owed": owed and {key: value for key, value in owed.items() if key != "cards"}},
        "score": {"score": score.get("vp") or score.get("sides", {})},
        "winner": {"winner": short.winner, "reason": str(score.get("reason") or "") if over else ""},
    }


def game_event(journal: AnyJournal, name: str) -> Event:
    """Return the event for a game that begins, or is back on the table."""
    start = SYSTEM_RECORDS.of(journal.system.name).summary(journal.positions[0])
    return {
        "event": "game",
        "game": name,
        "system": journal.system.name,
        "board": start.board,
        "sides": list(start.sides),
        "players": players_of(journal.request),
        "steps": len(journal.steps),
    }


def step_event(system: System[Any, Any], name: str, n: int, step: Any, before: Any) -> Event:
    """Return the event of a confirmed step, the n-th from 1; its text says the same for people."""
    written = system.write_step(step)
    if isinstance(written.get("draw"), list):
        written = {**written, "draw": len(written["draw"])}
        step = system.read_step(written)
    text = REPORTS.of(system.name).step_text(step, before)
    return {"event": "step", "game": name, "n": n, "step": written, "text": text}


def changes(before: Mapping[str, Any], now: Mapping[str, Any], name: str, n: int) -> Iterator[Event]:
    """Yield an event for each of KEPT whose fields have changed, in that order; n: how many steps the game has."""
    for key in KEPT:
        if now[key] != before.get(key):
            yield {"event": key, "game": name, "n": n, **now[key]}


# ---- where it is read -------------------------------------------------------------------------

State = tuple[int, int, int]
"""A file's number, size in bytes, and when it was changed, in ns."""
SCAN_EVERY = 8  # looks: how often the games that are not followed are looked at


def file_state(path: Path) -> State | None:
    """Return a file's inode, size and modification time (ns); None if it can't be found."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


class Followed:
    """One game's file, read on from where the last look ended, or anew if it has not merely grown."""

    def __init__(self, path: Path, journal: AnyJournal, state: State) -> None:
        self.path = path
        self.system = journal.system
        self.state = state
        self._take(journal)

    def _take(self, journal: AnyJournal) -> None:
        self.lines = list(journal.lines)
        self.steps, self.last = list(journal.steps), journal.last
        self._whole = journal.whole
        self._chain = 0
        for line in self.lines:
            self._chain = checksums.next_checksum(self._chain, object_of(line))
        self._grows = journal.fault is None and journal.data[: journal.whole] == b"".join(self.lines)
        self.facts = facts_by_event(self.system, self.last)

    def look(self, now: State) -> Iterator[Event]:
        """Yield what has happened since the last look; MatchError if the file is no game any more."""
        longer = now[0] == self.state[0] and now[1] > self.state[1]
        self.state = now
        if longer and self._grows and (lines := self._added()) is not None:
            yield from self._read_on(lines)
        else:
            yield from self._read_again()

    def _added(self) -> list[bytes] | None:
        """Return the whole lines that were added; None if there are none, or a line is not complete."""
        with self.path.open("rb") as file:
            file.seek(self._whole)
            data = file.read()
        return data.splitlines(keepends=True) if data.endswith(b"}\n") else None

    def _read_on(self, lines: list[bytes]) -> Iterator[Event]:
        for line in lines:
            try:
                value = object_of(line)
                chain = checksums.next_checksum(self._chain, value)
                if not checksums.matches(value, chain):
                    raise ValueError("damaged")
                step = step_of(self.system, value)
                play = self.system.play_recorded if checksums.KEY in value else self.system.play
                position = play(self.last, step)[0]
            except (EngineError, ValueError):
                yield from self._read_again()
                return
            self._chain, self._whole = chain, self._whole + len(line)
            self.lines.append(line)
            yield from self._stepped(step, position)

    def _stepped(self, step: Any, position: Any) -> Iterator[Event]:
        self.steps.append(step)
        yield step_event(self.system, self.path.name, len(self.steps), step, self.last)
        yield from self._came_to(position)

    def _came_to(self, position: Any) -> Iterator[Event]:
        before, self.last = self.facts, position
        self.facts = facts_by_event(self.system, position)
        yield from changes(before, self.facts, self.path.name, len(self.steps))

    def _read_again(self) -> Iterator[Event]:
        journal = read_game(self.path)
        if not journal.lines or journal.lines[0] != self.lines[0]:
            self.system = journal.system
            self._take(journal)
            yield from start_events(self.path, journal)
            return
        same = sum(
            1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(self.lines, journal.lines, strict=False))
        )
        undone = same < len(self.lines)
        if undone:
            yield {"event": "undo", "game": self.path.name, "n": same - 1}
        self.steps, self.last = list(journal.steps[: same - 1]), journal.positions[same - 1]
        if undone:
            yield from self._came_to(self.last)
        for step, position in zip(journal.steps[same - 1 :], journal.positions[same:], strict=True):
            yield from self._stepped(step, position)
        self._take(journal)


def start_events(path: Path, journal: AnyJournal) -> Iterator[Event]:
    """Yield the events for a game new on the table: what it is, and how it stands now."""
    yield game_event(journal, path.name)
    yield from changes({}, facts_by_event(journal.system, journal.last), path.name, len(journal.steps))


class Follower:
    """Follows the games in a folder: each `look` yields the events since the last; the first, how things are.

    note: the file in which the running app says what it does. only: a game to follow, whatever else is played.
    """

    def __init__(self, folder: Path, note: Path | None = None, only: Path | None = None) -> None:
        self._folder, self._note_path, self._only = folder, note, only
        self._game: Followed | None = None
        self._told: dict[str, object] = {}
        self._seen: dict[str, State] = {}
        self._looks = 0
        self._bad: tuple[Path, State] | None = None

    def look(self) -> Iterator[Event]:
        """Yield the events since the last look."""
        note = read_note(self._note_path)
        yield from self._of_the_app(note)
        path = self._only or self._on_the_table(note)
        state = file_state(path) if path else None
        if path is None or state is None:
            if self._game is not None or "game" not in self._told:
                self._game, self._told["game"] = None, None
                yield {"event": "game", "game": None}
            return
        if self._bad == (path, state) or (self._game and (self._game.path, self._game.state) == (path, state)):
            return
        try:
            if self._game is not None and self._game.path == path:
                yield from self._game.look(state)
            else:
                journal = read_game(path)
                self._game = Followed(path, journal, state)
                yield from start_events(path, journal)
            self._told["game"] = path
        except (MatchError, OSError):  # half written, or no game: looked at again once it has changed
            self._bad = path, state

    def _of_the_app(self, note: LiveNote | None) -> Iterator[Event]:
        now: dict[str, dict[str, object]] = {
            "app": {"running": note is not None},
            "camera": {"state": note.camera if note else "off"},
        }
        for name, told in now.items():
            if self._told.get(name) != told:
                self._told[name] = told
                yield {"event": name, **told}

    def _on_the_table(self, note: LiveNote | None) -> Path | None:
        """Return the file of the game that the app names, else of the one changed last; None if there is neither."""
        if note is not None and note.game is not None:
            return note.game
        self._looks += 1
        if self._game is not None and self._looks % SCAN_EVERY != 1:
            return self._game.path
        return self._last_changed()

    def _last_changed(self) -> Path | None:
        """Return the game changed last: at first by the clock, later by changes, as clocks without battery jump.

        Where several have changed, the last of them: the game that was followed may have ended just before another
        began.
        """
        try:
            with os.scandir(self._folder) as found:
                files = {path.name: path.stat() for path in found if path.name.endswith(GAME_SUFFIX) and path.is_file()}
        except OSError:
            files = {}
        now = {name: (stat.st_ino, stat.st_size, stat.st_mtime_ns) for name, stat in files.items()}
        before, self._seen = self._seen, now
        held = self._game.path if self._game else None
        if held is not None and held.name in now:
            changed = [name for name, state in now.items() if before.get(name) != state and before]
            if not changed:
                return held
            now = {name: now[name] for name in changed}
        newest = max(now, key=lambda name: (now[name][2], name), default=None)
        return self._folder / newest if newest is not None else None


# ---- in words ------------------------------------------------------------------------------------


CAMERA = {
    "off": mark("the camera is off"),
    "lost": mark("the camera doesn't see the board"),
    "waiting": mark("the camera is starting"),
    "hand": mark("a hand is over the board"),
    "moving": mark("something is moving on the board"),
    "turn": mark("a turn is being entered in Gunbai"),
    "playing": mark("a turn is being played on the board"),
    "dice": mark("the camera sees the dice"),
    "sync": mark("the board matches the game"),
    "unsure": mark("the camera isn't sure what is on the board"),
    "proposal": mark("the camera has seen a turn, to be confirmed"),
    "out": mark("the board and the game differ"),
    "behind": mark("the board is behind the game"),
    "ignored": mark("the camera is being ignored"),
}


def _camera(event: Event) -> str:
    state = str(event["state"])
    return _(CAMERA[state]) if state in CAMERA else _("the camera: {state}").format(state=state)


def _game(event: Event) -> str:
    if event["game"] is None:
        return _("no game on the table")
    players = event["players"]
    sides = [_(side) + (f" ({players[side]})" if players.get(side) else "") for side in event["sides"]]
    told = [str(event["game"])] + ([str(event["board"])] if event["board"] else [])
    told += [_("{who} against {other}").format(who=sides[0], other=sides[1])] if len(sides) == 2 else sides
    return ", ".join([*told, plural("{n} step", "{n} steps", event["steps"])])


def _score(event: Event) -> str:
    sides = [" ".join((_(side), _numbers(value))) for side, value in event["score"].items()]
    return _("score: {numbers}").format(numbers=", ".join(sides) or "–")


def _numbers(value: object) -> str:
    if isinstance(value, Mapping):
        return f"({', '.join(f'{name} {number}' for name, number in value.items())})"
    return str(value)


def _winner(event: Event) -> str:
    if not event["winner"]:
        return _("nobody has won yet")
    if not event["reason"]:
        return _("{who} wins").format(who=_(event["winner"]))
    return _("{who} wins: {why}").format(who=_(event["winner"]), why=_why(event["reason"]))


def _why(reason: str) -> str:
    """Say why a game ended; a reason that is not known here by its name."""
    if reason in ORDERS:
        return _(ORDERS[reason])
    if reason in sonae.REASONS:
        return sonae.reason_words(reason)
    return generals.reason_words(reason) if reason in generals.REASONS else reason


_TOLD: Mapping[str, Callable[[Event], str]] = {
    "app": lambda event: _("Gunbai is running") if event["running"] else _("Gunbai isn't running"),
    "camera": _camera,
    "game": _game,
    "step": lambda event: f"{event['n']}: {event['text']}",
    "undo": lambda event: plural("undone: {n} step is left", "undone: {n} steps are left", event["n"]),
    "round": lambda event: _("round {n}").format(n=event["round"]),
    "turn": lambda event: (
        _("{who} to move").format(who=_(event["to_move"])) if event["to_move"] else _("nobody to move")
    ),
    "owed": lambda event: (
        str(event["owed"].get("message") or event["owed"].get("wants")) if event["owed"] else _("nothing is owed")
    ),
    "score": _score,
    "winner": _winner,
}


def in_words(event: Event) -> str:
    """Return an event as one sentence; one of an unknown kind as its name."""
    tell = _TOLD.get(event["event"])
    return one_line(tell(event) if tell is not None else event["event"])
