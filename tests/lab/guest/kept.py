"""Says of each game that `player.py` began how much of it is on the disk: {name: [steps, words]}.

kept.py RECORDED FOLDER. -1 steps: nothing of it can be read. The words are about what stands behind the last whole
step, such as a line that the power cut short; "" where nothing does.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from companion.core.errors import MatchError
from companion.games.journal import read_journal


def kept(recorded: Path, path: Path) -> tuple[int, str]:
    """How many of the recording's steps there are, and what is wrong with the rest."""
    try:
        there = read_journal(path)
    except MatchError as error:
        return -1, str(error)
    steps = read_journal(recorded).steps[: len(there.steps)]
    if there.steps != steps or there.mended:
        return -1, "other steps than were played"
    return len(steps), there.fault.message if there.fault is not None else ""


def main() -> None:
    """Tell of all."""
    recorded, folder = Path(sys.argv[1]), Path(sys.argv[2])
    print(json.dumps({path.name: kept(recorded, path) for path in sorted(folder.glob("lab-*.jsonl"))}))


if __name__ == "__main__":
    main()
