"""What whole games came to: a line for each game, the causes of further touches, the turns that cost most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import cv2

from benchmarks.inference import CARDS
from benchmarks.whole_games.player import WAYS, Way
from benchmarks.whole_games.recording import TurnNotes
from vision.frame import load_picture

UNSEEN = {"plan", "dice rolled again", *CARDS.values()}
"""Kinds of turns with something in them that no camera over the board sees."""
WORST = 10
COLUMNS = (
    *("turns", "one touch", "in sight", "missed", "wrong", "surely", "asked", "a turn", "worst", "alarms"),
    *("half: wrong", "out", "asked", "right", "of", "unsure", "seconds", "record"),
)
WIDE = tuple(len(name) + 2 for name in COLUMNS)
HEAD = f"{'game':30}{'way':10}" + "".join(f"  {name}" for name in COLUMNS)
KEY = """\
one touch: turns that took one touch at most, of those that weren't entered by touch on purpose; in sight: the same of
turns without a draw, a card or a re-roll; missed: how many of these weren't proposed first
wrong, surely: how often another turn was proposed first, and with a likelihood of 0.9 or more; asked: areas asked about
a turn, worst: touches; alarms: how often the screen began to call a board different that was as it should be
half: what was said of boards in the middle of a turn, of so many; unsure: signs that were not "agrees" after a turn
seconds: from the last piece to the sentence, median and worst; record: whether it is what was played in the end"""


@dataclass(frozen=True, slots=True)
class GameNotes:
    """A game that was played in some way, or several together; folder: of its recording."""

    name: str
    folder: Path
    way: Way
    turns: tuple[TurnNotes, ...]
    is_record_true: bool

    def as_json(self) -> dict[str, Any]:
        """Return all of the notes for JSON."""
        turns = [{**asdict(turn), "cause": turn.cause} for turn in self.turns]
        return {"game": self.name, "way": self.way, "record_true": self.is_record_true, "turns": turns}


def summary(games: Sequence[GameNotes]) -> Iterator[str]:
    """Yield lines for each way to play: all games as one, why turns took more than a touch, and the dearest turns."""
    yield from ("", KEY)
    for way in dict.fromkeys(game.way for game in games):
        mine = [game for game in games if game.way == way]
        turns = tuple(turn for game in mine for turn in game.turns)
        both = GameNotes("all", Path(), way, turns, all(game.is_record_true for game in mine))
        yield from ("", f"{way}: {WAYS[way]}", HEAD, row(both), "", *causes(both), "", *worst(mine))


def row(game: GameNotes) -> str:
    """Return a game's figures as a line of the table."""
    turns, pressed = game.turns, [turn for turn in game.turns if not turn.meant]
    sight = [turn for turn in pressed if not UNSEEN & set(turn.kinds)]
    half = Counter(said for turn in turns for said in turn.half)
    seconds = [turn.sentence_s for turn in pressed if turn.sentence_s is not None]
    cells = (
        sum(turn.turns for turn in turns),
        _share(pressed),
        _share(sight),
        sum(bool(turn.wrong_first) or turn.sentence_s is None for turn in sight),
        sum(bool(turn.wrong_first) for turn in pressed),
        sum(turn.surely_wrong for turn in pressed),
        sum(len(turn.questions) for turn in turns),
        f"{sum(turn.touches for turn in pressed) / max(1, sum(turn.turns for turn in pressed)):.2f}",
        max((turn.touches for turn in pressed), default=0),
        sum(turn.alarms for turn in turns),
        *(half[said] for said in ("wrong turn", "out of sync", "asked", "right")),
        half.total(),
        sum(turn.unsure_after for turn in turns),
        f"{median(seconds):.1f} {max(seconds):.1f}" if seconds else "-",
        "yes" if game.is_record_true else "NO",
    )
    return f"{game.name:30}{game.way:10}" + "".join(f"{cell:>{wide}}" for cell, wide in zip(cells, WIDE, strict=True))


def _share(turns: Sequence[TurnNotes]) -> str:
    """Return the part of the turns that took one touch at most."""
    played = sum(turn.turns for turn in turns)
    return f"{100 * sum(turn.turns for turn in turns if turn.is_one_touch) / played:.1f} %" if played else "-"


def causes(game: GameNotes) -> list[str]:
    """Return why turns took more than a touch, the dearest cause first.

    Of each: touches beyond one a turn, turns, what was played.
    """
    cost, times = Counter[str](), Counter[str]()
    for turn in _costly(game):
        unseen = [kind for kind in turn.kinds if kind in UNSEEN]
        cause = f"{turn.cause}: {' + '.join(unseen or turn.kinds[:1])}"
        cost[cause] += turn.touches - turn.turns
        times[cause] += 1
    return [f"{n:5} touches in {times[cause]:3} turns  {cause}" for cause, n in cost.most_common()]


def worst(games: Sequence[GameNotes]) -> list[str]:
    """Return the turns that cost most, with their pictures and why."""
    return [line for game, turn in _dearest(games) for line in _turn_lines(game.name, turn)]


def save_worst(games: Sequence[GameNotes], into: Path) -> list[str]:
    """Save the dearest turns' pictures as PNG files in a folder, the dearest first, and return a line for each.

    Raises OSError and PictureError.
    """
    into.mkdir(parents=True, exist_ok=True)
    lines = list[str]()
    for number, (game, turn) in enumerate(_dearest(games), 1):
        path = into / f"{number:02}-{game.name}-{game.way}-{Path(turn.picture).stem}.png"
        path.write_bytes(cv2.imencode(".png", load_picture(game.folder / turn.picture))[1].tobytes())
        first, *more = _turn_lines(game.name, turn)
        lines += [f"{path.name}: {first}", *more]
    return lines


def _dearest(games: Sequence[GameNotes]) -> list[tuple[GameNotes, TurnNotes]]:
    costly = [(game, turn) for game in games for turn in _costly(game)]
    return sorted(costly, key=lambda pair: pair[1].turns - pair[1].touches)[:WORST]


def _costly(game: GameNotes) -> list[TurnNotes]:
    return [turn for turn in game.turns if not turn.meant and not turn.is_one_touch]


def _turn_lines(game: str, turn: TurnNotes) -> list[str]:
    lines = [
        f"{turn.touches} touches, {game}/{turn.picture}, turn {turn.number}: {turn.words}",
        f"    why: {turn.cause}",
    ]
    lines += [f"    first proposed: {turn.wrong_first}"] if turn.wrong_first else []
    lines += [f"    asked about {', '.join(turn.questions)}"] if turn.questions else []
    return [*lines, *(f"    read as {what}" for what in turn.misread), *(f"    {what}" for what in turn.faults)]
