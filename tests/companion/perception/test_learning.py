"""A table's experience beside its file: used, added to, and never missed when it is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core import storage
from companion.games.match import Match
from companion.perception.cameras import CameraSession, Setup, Watching
from companion.perception.learning import Learner, LearnerInUse, experience_path
from companion.perception.sync.status import TableView
from engine.orders.game import new_game
from tests.companion.sample_games import BOARD, BONUSES
from vision.reading.count import CountBelief
from vision.reading.read import Reading

START = new_game(BOARD, "red", BONUSES)
SHORT = CountBelief((((("red", "troop", 2),), 0.6), ((("red", "troop", 3),), 0.4)))


def reading() -> Reading:
    """All areas that hold three red troops at the start read as two."""
    held = [area.name for area in START.board.areas if START.units_in(area.name) == {"red": {"troop": 3}}]
    assert held
    return Reading({}, {}, dict.fromkeys(held, 0.6), (), 1.0, counts=dict.fromkeys(held, SHORT))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "kitchen.table"
    path.write_bytes(b"a table")
    return path


def test_confirmed_turns_are_remembered_beside_the_table(table: Path) -> None:
    learner = Learner(table)
    assert not learner.learn(START), "nothing was seen yet"
    seen = reading()
    assert learner.refine(seen) is learner.refine(seen)
    assert learner.learn(START)
    learner.refine(seen)
    assert not learner.learn(START), "a reading teaches once"
    again = Learner(table)
    assert again.experience == learner.experience
    assert again.experience.turns == 1
    assert again.refine(seen).confidence != seen.confidence


def test_another_calibration_starts_anew(table: Path) -> None:
    learner = Learner(table)
    learner.refine(reading())
    learner.learn(START)
    table.write_bytes(b"calibrated again")
    assert Learner(table).experience.turns == 0


def test_without_a_file_it_learns_for_this_evening() -> None:
    learner = Learner()
    learner.refine(reading())
    assert learner.learn(START)
    assert learner.experience.turns == 1


@pytest.mark.parametrize("text", ["", "[]", "{", '{"tables": 1}', "[" * 5000])
def test_a_broken_file_is_told_and_passed_over(table: Path, text: str) -> None:
    experience_path(table).write_text(text)
    learner = Learner(table)
    assert learner.experience.turns == 0
    assert learner.fault is not None
    assert "lost what was learned" in learner.fault


def test_a_broken_experience_in_a_whole_file_is_told(table: Path) -> None:
    learner = Learner(table)
    learner.refine(reading())
    learner.learn(START)
    path = experience_path(table)
    path.write_text(path.read_text().replace("gunbai-experience", "gunbai-nothing"))
    assert "lost what was learned" in (Learner(table).fault or "")


def test_a_full_disk_costs_the_lesson_and_not_the_game(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes, lasting: str) -> None:
        raise OSError(28, "No space left on device")

    learner = Learner(table)
    learner.refine(reading())
    monkeypatch.setattr(storage, "atomic_write", full)
    assert learner.learn(START)
    assert "No space left" in (learner.fault or "")


def test_without_its_table_file_nothing_is_kept(tmp_path: Path) -> None:
    learner = Learner(tmp_path / "none.table")
    assert "is not kept" in (learner.fault or "")
    learner.refine(reading())
    assert learner.learn(START)
    assert list(tmp_path.iterdir()) == []


class Blind(Watching):
    """A watch that sees nothing; each has a table of its own."""

    def glimpse(self, match: Match) -> TableView:
        return TableView("waiting")

    def close(self) -> None:
        pass


def test_another_table_has_a_learner_of_its_own(table: Path, tmp_path: Path) -> None:
    watched = CameraSession(lambda setup: Blind(), Setup(table, "0"))
    learner, seen = LearnerInUse(watched, kept=True), reading()
    learner.refine(seen)
    assert learner.learn(START)
    other = tmp_path / "other.table"
    other.write_bytes(b"another table")
    watched.begin(Setup(other, "0"))
    assert learner.refine(seen).confidence == seen.confidence, "nothing is known of this table yet"
    watched.begin(Setup(table, "0"))
    assert learner.refine(seen).confidence != seen.confidence


def test_a_simulated_table_leaves_nothing_on_the_disk(table: Path) -> None:
    learner = LearnerInUse(CameraSession(lambda setup: Blind(), Setup(table, None)), kept=False)
    learner.refine(reading())
    assert learner.learn(START)
    assert not experience_path(table).exists()
