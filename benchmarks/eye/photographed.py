"""What an app sees of an evening, as files, so that nothing is simulated in the process that is measured.

    python -m benchmarks.eye.photographed FOLDER [--turns 8] [--seed 1]

game.jsonl has a game before its first turn; kitchen.table is calibrated; empty.jpg and start.jpg are what it was
calibrated by; turn-01.jpg and so on show the board after each turn. Owners' boards to trace are traced-901.jpg and so
on, with their corners and size in traced-901.json.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from benchmarks.eye.traced_tables import photograph
from benchmarks.memory import TRACED, TURNS
from companion.demo.autoplayer import deployments
from companion.demo.table import SimulatedTable
from companion.games.match import Match
from engine.orders.board import load_board
from engine.orders.game import apply, owed
from engine.orders.position import Position
from tests.companion.sample_games import BOARD, BONUSES
from vision.frame import jpeg_of
from vision.geometry import Picture

QUALITY = 95


def write_evening(folder: Path, turns: int, seed: int) -> None:
    """Write all the files into the folder."""
    folder.mkdir(parents=True, exist_ok=True)

    def keep(name: str, picture: Picture) -> None:
        (folder / f"{name}.jpg").write_bytes(jpeg_of(picture, QUALITY))

    for board in TRACED:
        sight = photograph(board)
        keep(f"traced-{board}", sight.picture_bgr)
        about = {"corners_px": sight.corners_px.tolist(), "size_mm": sight.plan.size_mm}
        (folder / f"traced-{board}.json").write_text(json.dumps(about))
    table, rng = SimulatedTable(load_board(BOARD), seed), random.Random(seed)
    table.calibrated().save(folder / "kitchen.table")
    keep("empty", table.empty_shot().picture)
    keep("start", table.start_photo())
    match = Match.start(folder / "game.jsonl", BOARD, "red", BONUSES)
    match.close()
    position = match.position
    for turn in range(turns):
        position = _after_plain_turn(position, rng)
        table.lay(position)
        keep(f"turn-{turn + 1:02}", table.photo())


def _after_plain_turn(position: Position, rng: random.Random) -> Position:
    """Return the position after a turn that moves units and owes nothing: a camera sees it whole."""
    for step in deployments(position, rng):
        after = apply(position, step)
        if step.moves and owed(after) is None:
            return after
    raise SystemExit("no plain turn: take another seed")


def main() -> int:
    """Write the files from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eye.photographed", description="an evening as files")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write_evening(options.folder, options.turns, options.seed)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
