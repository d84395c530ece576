"""Whole games by the only player who presses: how many touches a turn takes, what is proposed wrongly, and why.

    python -m benchmarks.whole_games [--games 4] [--seed 1] [--turns N] [--size 1280x960] [--support] [--cards]
                                     [--keep FOLDER]
    python -m benchmarks.whole_games FOLDER...      recorded games, or folders of them

Without folders games are recorded on simulated tables of any kind, on the four boards in turn. `--keep` keeps them,
and plays those that are there already. `--way` says how they are played; several times for several ways. `--worst`
keeps the pictures of the ten turns that cost most, and what is printed of them.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cv2

from benchmarks.measuring import BOARDS, size_px
from benchmarks.whole_games.figures import HEAD, GameNotes, row, save_worst, summary
from benchmarks.whole_games.hands import Sitting, record_game
from benchmarks.whole_games.player import WAYS, LonePlayer, Way
from benchmarks.whole_games.recording import MOMENTS, Recording, recordings_in
from benchmarks.window import separate_place
from companion.core.errors import CompanionError
from engine.orders.board import load_board
from tests.companion.gallery.gallery import unpainted
from vision.errors import VisionError

WORST_TEXT = "worst.txt"


def recorded(options: argparse.Namespace, place: Path) -> Iterator[Recording]:
    """Yield the games to play: those named, or as many as asked for, recorded if they are not there yet."""
    if options.recordings:
        yield from recordings_in(options.recordings)
        return
    for seed in range(options.seed, options.seed + options.games):
        board = load_board(BOARDS[(seed - 1) % len(BOARDS)])
        suffix = ("-support" if options.support else "") + ("-cards" if options.cards else "")
        folder = (options.keep or place) / f"{board.name}-{seed}{suffix}"
        if (folder / MOMENTS).exists():
            yield Recording.load(folder)
            continue
        folder.mkdir(parents=True)
        size = size_px(options.size)
        yield record_game(folder, Sitting(board, seed, size, options.turns, options.support, options.cards))


def play_recording(recording: Recording, way: Way) -> GameNotes:
    """Play a recorded game this way and return its notes; the record it leaves is thrown away."""
    with tempfile.TemporaryDirectory() as folder, unpainted():
        player = LonePlayer(recording, Path(folder), way)
        turns = tuple(player.play())
        return GameNotes(recording.name, recording.folder, way, turns, player.is_record_true)


def main() -> int:
    """Run this benchmark from the command line; 0 if all records are true."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.whole_games", description=__doc__.split("\n", 1)[0])
    parser.add_argument("recordings", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--games", type=int, default=len(BOARDS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, help="no more of each game")
    parser.add_argument("--size", default="1280x960")
    parser.add_argument("--support", action="store_true", help="with the support board in sight")
    parser.add_argument("--cards", action="store_true", help="cards are laid face up in sight, with their codes")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--way", action="append", choices=tuple(WAYS), dest="ways")
    parser.add_argument(
        "--worst", type=Path, metavar="FOLDER", help="the pictures of the dearest turns go there as PNG"
    )
    parser.add_argument("--json", action="store_true", help="one object for each game and way")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    with separate_place() as place:
        try:
            games = play_all(recorded(options, place), options.ways or ["pressed"], as_json=options.json)
            if options.worst:
                (options.worst / WORST_TEXT).write_text("\n".join(save_worst(games, options.worst)) + "\n")
        except (CompanionError, VisionError, OSError) as error:
            print(f"whole games: {error}", file=sys.stderr)
            return 2
    if not options.json:
        print("\n".join(summary(games)))
    return 0 if all(game.is_record_true for game in games) else 1


def play_all(recordings: Iterable[Recording], ways: Sequence[Way], *, as_json: bool) -> list[GameNotes]:
    """Play each game in these ways, and print at once what comes of each."""
    games = list[GameNotes]()
    if not as_json:
        print(HEAD, flush=True)
    for recording in recordings:
        for way in ways:
            games.append(play_recording(recording, way))
            print(json.dumps(games[-1].as_json()) if as_json else row(games[-1]), flush=True)
    return games


if __name__ == "__main__":
    sys.exit(main())
