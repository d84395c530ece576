"""What is said aloud: a ruling, whose turn it is, what the app's side does, dice owed, a round's end and the winner.

Everybody at the table hears it, so a card that may be in a hand is never named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.core.language import _
from companion.games.status import SILENT, Aloud
from companion.scenes.base.stage import Scene, Table
from companion.scenes.disputes.ruling import RulingScene

SENTENCE_ENDS = re.compile(r"(?<=[.!?]) ")


@dataclass(frozen=True, slots=True)
class _Heard:
    """A moment in short, to be compared with the next one."""

    game: object = None
    position: object = None
    round: int = 0
    aloud: Aloud = SILENT
    winner: str | None = None
    ruling: int = 0
    announced: str = ""


class Sayings:
    """Compares each moment with the one before, and says what is new."""

    def __init__(self) -> None:
        self._last = _Heard()

    def saying(self, table: Table | None, scenes: Iterable[Scene]) -> str:
        """Say what is new, in a sentence or a few; "" for nothing."""
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
    """Condense the moment to what is compared, working nothing out anew for a position seen before."""
    if table is None:
        return _Heard()
    mark, position = id(ruling) if ruling is not None else 0, table.match.position
    if position is before.position:
        return replace(before, ruling=mark, announced=table.announcement)
    return _Heard(table.match.path, position, table.rounds.n, table.speech(), table.winner, mark, table.announcement)


def _news(before: _Heard, now: _Heard, table: Table) -> Iterable[str]:
    """Yield what a step has brought, the most important first."""
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
    """Say yes or no, and the first reason; secret: titles of cards that nobody may hear."""
    verdict = scene.verdict()
    text = " ".join(SENTENCE_ENDS.split(verdict.text)[:2])
    heard = text.casefold()
    if not any(title.casefold() in heard for title in secret):
        return text
    return _("Not allowed. The screen says why.") if verdict.holds is False else _("See the screen.")
