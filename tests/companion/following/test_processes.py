"""One process plays, is killed and plays on; another follows from beginning to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from companion import cli
from companion.games.journal import read_game
from tests.companion.sample_games import played
from tests.patience import PATIENCE_S

ROOT = Path(cli.__file__).resolve().parent.parent
PLAYER = """
import sys
from companion.games.match import Match, open_game
from pathlib import Path
from tests.companion.sample_games import BOARD, BONUSES, played
path = Path(sys.argv[1])
match = open_game(path) if path.exists() else Match.start(path, BOARD, "red", BONUSES)
print("ready", flush=True)
for order in sys.stdin:
    if order == "undo\\n":
        match.undo()
    else:
        match.offer(played()[0][len(match.steps)])
    print(len(match.steps), flush=True)
"""


class Player:
    """A process that plays the recorded game: a step or undo as it is told."""

    def __init__(self, path: Path) -> None:
        command = [sys.executable, "-c", PLAYER, str(path)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT)
        assert self._answer() == "ready"

    def _answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def do(self, order: str) -> int:
        assert self.process.stdin is not None
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()
        return int(self._answer())

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_S)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def following(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    (tmp_path / "games").mkdir()
    environment = {**os.environ, "GUNBAI_DATA": str(tmp_path), "GUNBAI_LIVE": str(tmp_path / "run")}
    command = [sys.executable, "-m", "companion", "follow", "--json"]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        late = Timer(PATIENCE_S, process.kill)  # nothing comes any more: `until` ends
        late.start()
        yield process
        late.cancel()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130


def until(process: subprocess.Popen[str], **wanted: object) -> list[dict[str, Any]]:
    """Return the events up to the first one that has all these values."""
    assert process.stdout is not None
    told = []
    for line in process.stdout:
        told.append(json.loads(line))
        if wanted.items() <= told[-1].items():
            return told
    raise AssertionError(told)


@pytest.mark.long
def test_one_follows_while_another_plays_is_killed_and_plays_on(
    tmp_path: Path, following: subprocess.Popen[str]
) -> None:
    path = tmp_path / "games" / "a.jsonl"
    assert until(following, event="game")[-1]["game"] is None
    steps: list[int] = []
    player = Player(path)
    assert until(following, event="game")[-1]["steps"] == 0  # before anything is played, or step 1 is no news
    for round_of in range(3):
        for _ in range(5):
            n = player.do("step")
            steps += [event["n"] for event in until(following, event="step", n=n) if event["event"] == "step"]
        assert player.do("undo") == n - 1
        until(following, event="undo", n=n - 1)
        player.do("step")
        steps += [event["n"] for event in until(following, event="step", n=n) if event["event"] == "step"]
        player.kill()
        if round_of == 1:
            os.truncate(path, path.stat().st_size - 7)  # as a power cut may leave it
            until(following, event="undo", n=n - 1)
        player = Player(path)
    player.kill()
    assert steps == [1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 10, 10, 11, 12, 13, 14, 14]
    other = Player(tmp_path / "games" / "b.jsonl")
    told = until(following, event="winner", game="b.jsonl")
    assert [event["steps"] for event in told if event["event"] == "game"] == [0]
    other.kill()
    assert len(read_game(path).steps) == 14 < len(played()[0])
