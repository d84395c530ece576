"""Plays a recorded game over and over on this machine's disk, and says what it is about to do and what is done.

player.py RECORDED FOLDER: each game is FOLDER/lab-N.jsonl, N going on from those that are there. Lines of JSON:
{"will": [game, steps]} before a change, {"is": [game, steps]} once Gunbai has confirmed it. Steps are taken back and
done again too, which replaces the file.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.games.journal import read_journal
from companion.games.match import AnyMatch, GameSession

UNDO = 0.15  # how often a step is followed by an undo


def say(what: str, game: str, steps: int) -> None:
    """Tell the host."""
    sys.stdout.write(json.dumps({what: [game, steps]}) + "\n")
    sys.stdout.flush()


def names(folder: Path) -> Iterator[Path]:
    """Games that aren't there yet."""
    number = 1
    while True:
        path = folder / f"lab-{number}.jsonl"
        if not path.exists():
            yield path
        number += 1


def play(recorded: Path, path: Path, rng: random.Random) -> None:
    """Play one game to the recording's end."""
    journal = read_journal(recorded)
    say("will", path.name, 0)
    match: AnyMatch = GameSession.begin(path, journal.request)
    say("is", path.name, 0)
    while len(match.steps) < len(journal.steps):
        back = rng.randint(1, 3) if rng.random() < UNDO else 0
        if 0 < back <= len(match.steps):
            say("will", path.name, len(match.steps) - back)
            match.undo(back)
        else:
            say("will", path.name, len(match.steps) + 1)
            ruling = match.offer(journal.steps[len(match.steps)])
            if not ruling.legal:
                sys.exit(f"{path}: {ruling.objections[0].message}")
        if not match.is_saved:
            sys.exit(f"{path}: {match.fault}")
        say("is", path.name, len(match.steps))
    match.close()


def main() -> None:
    """Play until the power goes."""
    recorded, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(sys.argv[3])
    for path in names(folder):
        play(recorded, path, rng)


if __name__ == "__main__":
    main()
