"""What the app lets people hear: sounds, made of struck notes, and what is said aloud.

A step taken, the other's turn, a round's end, the end of the game, an objection, something asked and little time left
each have a sound. Said aloud are rulings, whose turn it is, what the app's side does, dice owed, a round's end, the
winner.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from companion.core.language import _
from companion.games.clock import GameClock
from companion.games.status import SILENT, Aloud, Situation
from companion.perception.sync.status import SyncStatus
from companion.scenes.base.stage import Scene, Table
from companion.scenes.disputes.ruling import RulingScene

ASKING = frozenset({"proposal", "out", "lost"})  # what the camera means that somebody has to answer
RATE_HZ = 16000
PEAK = 32767
ATTACK_S = 0.004
OVERTONES = ((1.0, 1.0, 1.0), (3.93, 0.22, 2.6), (9.2, 0.06, 5.0))
"""Partials of a struck bar tuned as a marimba's is (1 : 3.93 : 9.2): frequency, strength, how much faster it fades."""
WHOLE = sum(strength for _times, strength, _faster in OVERTONES)


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """What there is to hear now: the game at the table, who is on stage, what the camera means, the clock."""

    game: Situation | None = None
    scenes: Iterable[Scene] = ()
    sense: SyncStatus = field(default_factory=SyncStatus)
    clock: GameClock | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """What of a moment is compared with the one before, to find the sound."""

    game: object = None
    steps: int = 0
    waited: str | None = None
    objection: int = 0
    asked: object = None
    low: frozenset[str] = frozenset()
    round: int = 0
    winner: str | None = None


def _snapshot(moment: Moment) -> _Snapshot:
    game, clock, sense = moment.game, moment.clock, moment.sense
    refused = [scene for scene in moment.scenes if isinstance(scene, RulingScene) and not scene.ruling.legal]
    asked = moment.fault or sense.question or (sense.sign if sense.sign in ASKING else "")
    low = () if clock is None or game is None else filter(clock.is_low, game.sides)
    return _Snapshot(
        game=None if game is None else game.game,
        steps=0 if game is None else game.steps,
        waited=None if game is None else game.runs_for,
        objection=id(refused[0]) if refused else 0,  # by identity: one that stays on stage sounds once
        asked=asked,
        low=frozenset(low),
        round=game.rounds.n if game is not None and game.rounds.most else 0,  # of a duel each turn would be one
        winner=None if game is None else game.winner,
    )


class Cues:
    """The choice of a sound for the most important change from one moment to the next."""

    def __init__(self) -> None:
        self._last = _Snapshot()

    def cue_for(self, moment: Moment) -> str:
        """Return the cue (a name in CUES) for what is new in this moment since the last one; "" for nothing."""
        before, now = self._last, _snapshot(moment)
        self._last = now
        if now == before:
            return ""
        if now.objection and now.objection != before.objection:
            return "objection"
        same = now.game == before.game
        if same and now.low - before.low:
            return "low"
        if same and now.steps > before.steps:
            if now.winner is not None and before.winner is None:
                return "end"
            if now.round > before.round > 0:
                return "round"
            return "turn" if now.waited not in (None, before.waited) else "step"
        return "attention" if now.asked and now.asked != before.asked else ""


class Strike(NamedTuple):
    """A struck note: when, its pitch, how loud (0 to 1), and how long until it has faded to a third."""

    at_s: float
    pitch_hz: float
    loud: float
    fades_s: float


CUES: Mapping[str, tuple[Strike, ...]] = {
    "step": (Strike(0.0, 392.0, 0.5, 0.05),),
    "turn": (Strike(0.0, 392.0, 0.5, 0.08), Strike(0.11, 523.3, 0.55, 0.14)),
    "objection": (Strike(0.0, 233.1, 0.6, 0.09), Strike(0.12, 196.0, 0.6, 0.14)),
    "attention": (Strike(0.0, 523.3, 0.5, 0.1), Strike(0.16, 523.3, 0.5, 0.16)),
    "low": (Strike(0.0, 659.3, 0.45, 0.07), Strike(0.14, 587.3, 0.45, 0.07), Strike(0.28, 523.3, 0.5, 0.16)),
    "round": (Strike(0.0, 261.6, 0.4, 0.1), Strike(0.16, 329.6, 0.4, 0.1), Strike(0.32, 392.0, 0.5, 0.16)),
    "end": (
        *(Strike(0.14 * n, pitch, 0.5, 0.1) for n, pitch in enumerate((261.6, 329.6, 392.0))),
        *(Strike(0.42, pitch, 0.16, 0.15) for pitch in (261.6, 392.0, 523.3)),
    ),
}
"""A step was taken; the other player's turn; an objection; the table is asked for something; little time is left;
a round is over; the game is."""


def samples(cue: str) -> array[int]:
    """Return the sound of a cue: signed 16-bit samples, RATE_HZ of them a second; KeyError for an unknown cue."""
    notes = CUES[cue]
    length_s = max(note.at_s + 5 * note.fades_s for note in notes)
    mixed = [0.0] * int(length_s * RATE_HZ)
    for note in notes:
        start = int(note.at_s * RATE_HZ)
        for times, strength, faster in OVERTONES:
            turn = 2 * math.pi * note.pitch_hz * times / RATE_HZ
            fade = math.exp(-faster / (note.fades_s * RATE_HZ))
            level = note.loud * strength / WHOLE
            for i in range(min(len(mixed) - start, int(5 * note.fades_s * RATE_HZ))):
                mixed[start + i] += level * min(1.0, i / (ATTACK_S * RATE_HZ)) * math.sin(turn * i)
                level *= fade
    most = max(1.0, *(abs(value) for value in mixed))
    return array("h", (int(value / most * PEAK) for value in mixed))


# ---- what is said aloud ---------------------------------------------------------------------------


SENTENCE_ENDS = re.compile(r"(?<=[.!?]) ")


@dataclass(frozen=True, slots=True)
class _Heard:
    """What of a moment is compared with the one before, to find what to say."""

    game: object = None
    position: object = None
    round: int = 0
    aloud: Aloud = SILENT
    winner: str | None = None
    ruling: int = 0
    announced: str = ""


class Sayings:
    """The choice of words for what is new from one moment to the next.

    Everybody at the table hears them, so a card that may be in a hand is never named.
    """

    def __init__(self) -> None:
        self._last = _Heard()

    def saying(self, table: Table | None, scenes: Iterable[Scene]) -> str:
        """Return what is new since the last call, in a sentence or a few; "" for nothing."""
        before = self._last
        ruling = next((scene for scene in scenes if isinstance(scene, RulingScene)), None)
        now = self._last = _heard(before, table, ruling)
        if table is not None and ruling is not None and now.ruling != before.ruling:
            return ruling_words(ruling, table.speech().secret)
        if table is None:
            return ""
        news = [] if now.position is before.position else [*_news(before, now, table)]
        if now.announced != before.announced and now.announced:
            news.append(now.announced)
        return " ".join(news)


def _heard(before: _Heard, table: Table | None, ruling: RulingScene | None) -> _Heard:
    """Return what is compared of a moment; while the position stays the same, only ruling and announcement are new."""
    if table is None:
        return _Heard()
    mark, position = id(ruling) if ruling is not None else 0, table.match.position
    if position is before.position:
        return replace(before, ruling=mark, announced=table.announcement)
    return _Heard(table.match.path, position, table.rounds.n, table.speech(), table.winner, mark, table.announcement)


def _news(before: _Heard, now: _Heard, table: Table) -> Iterable[str]:
    """Yield sentences about what a step has changed, the most important first."""
    same_game = now.game == before.game
    if now.winner is not None:
        if now.winner != before.winner or not same_game:
            yield _("{who} wins!").format(who=table.people.name(now.winner))
        return
    aloud, begins = now.aloud, same_game and now.round > before.round
    if begins and aloud.round_over:
        yield aloud.round_over
    elif aloud.acting and (not same_game or aloud.acting != before.aloud.acting):
        yield aloud.turn
    if aloud.dice and (not same_game or aloud.dice != before.aloud.dice):
        yield aloud.dice


def ruling_words(scene: RulingScene, secret: frozenset[str]) -> str:
    """Return a ruling's first two sentences, or only a pointer to the screen if they hold a title in `secret`."""
    verdict = scene.verdict()
    text = " ".join(SENTENCE_ENDS.split(verdict.text)[:2])
    heard = text.casefold()
    if not any(title.casefold() in heard for title in secret):
        return text
    return _("Not allowed. The screen says why.") if verdict.holds is False else _("See the screen.")
