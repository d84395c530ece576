"""Taking pictures is never in the way of the game."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from companion.core import storage
from companion.evidence import pictures
from companion.evidence.pictures import Name, folder_of, kept_pictures, prune
from companion.evidence.recorder import WAITING, Recorder, Writer
from companion.games.match import Match
from tests.companion.evidence.recording.table import PASS, names, played, sight
from tests.companion.sample_games import BOARD, BONUSES
from vision.frame import jpeg_of


def test_a_full_disk_costs_the_picture_and_not_the_game(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes, lasting: str) -> None:
        raise OSError(28, "No space left on device", str(path))

    recorder = Recorder()
    recorder.see(match, sight(match))
    played(match)
    with monkeypatch.context() as patch:
        patch.setattr(storage, "atomic_write", full)
        recorder.see(match, sight(match, 200))
        recorder.wait()
    assert recorder.fault is not None
    assert "No space left" in recorder.fault
    assert len(match.steps) == 1
    match.offer(PASS)
    match.undo()
    match.undo()
    played(match)
    recorder.see(match, sight(match, 210))
    recorder.close()


def test_a_disk_that_stands_still_makes_nobody_wait() -> None:
    import threading

    stuck, writer, done = threading.Event(), Writer(), []
    writer.put(lambda: (stuck.wait(), None)[1])
    for n in range(WAITING + 3):
        writer.put(lambda n=n: done.append(n))  # type: ignore[misc]
    assert writer.fault is not None
    assert "was not kept" in writer.fault
    stuck.set()
    writer.wait()
    assert done[0] == 0
    assert len(done) >= WAITING - 1
    writer.close()


def test_a_power_cut_leaves_no_half_picture(match: Match) -> None:
    folder = folder_of(match.path)
    pictures.keep(folder, Name("turn", 0, match.mark(0)), jpeg_of(np.zeros((8, 8, 3), np.uint8)), {})
    (folder / "turn-0001-aaaaaaaaaaaa.jpg.new-77").write_bytes(b"\xff\xd8half")
    assert len(kept_pictures(match)) == 1
    prune(match.path.parent)
    assert names(match) == [Name("turn", 0, match.mark(0)).text]


def test_pictures_go_with_their_game_and_the_oldest_first(match: Match, tmp_path: Path) -> None:
    picture, own = jpeg_of(np.zeros((8, 8, 3), np.uint8)), folder_of(match.path)
    gone = folder_of(tmp_path / "gone.jsonl")
    for folder, step in ((own, 1), (own, 2), (gone, 1)):
        pictures.keep(folder, Name("turn", step, f"{step:012}"), picture, {})
    prune(tmp_path)
    assert not gone.exists()
    assert len(names(match)) == 2
    old = own / Name("turn", 1, f"{1:012}").text
    os.utime(old, (1, 1))
    prune(tmp_path, most_bytes=int(1.5 * old.stat().st_size))
    assert names(match) == [Name("turn", 2, f"{2:012}").text]
    (own / "letter.txt").write_text("not ours")
    match.close()
    match.path.unlink()
    prune(tmp_path)
    assert names(match) == ["letter.txt"]


def test_pictures_of_the_game_played_last_stay_whatever_the_clock_says(match: Match, tmp_path: Path) -> None:
    picture = jpeg_of(np.zeros((8, 8, 3), np.uint8))
    other = Match.start(tmp_path / "other.jsonl", BOARD, "black", BONUSES)
    for game in (match, other):
        pictures.keep(folder_of(game.path), Name("turn", 1, f"{1:012}"), picture, {})
    os.utime(folder_of(other.path), (1, 1))  # it was played last, by a clock that was set back
    size = (folder_of(match.path) / Name("turn", 1, f"{1:012}").text).stat().st_size
    prune(tmp_path, most_bytes=int(1.5 * size), played=[other.path.name, match.path.name])
    assert (len(names(other)), len(names(match))) == (1, 0)
