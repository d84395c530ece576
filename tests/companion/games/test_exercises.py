"""Turns to try again: read off the kept reviews, and coming back on their days."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from companion.games.exercises import DAYS, LOST, Exercise, Practice, exercises_of, kept_exercises
from companion.games.review_file import review_path, write_review
from tests.companion.sample_reviews import reviewed

TODAY = date(2026, 3, 1)
GAME = Path("game.jsonl")


class Calendar:
    """A day that goes on when told to."""

    day = TODAY

    def __call__(self) -> date:
        return self.day


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
def practice(tmp_path: Path, calendar: Calendar) -> Practice:
    return Practice(tmp_path / "practice.json", calendar)


def exercise(first: int = 0) -> Exercise:
    return Exercise(GAME, "a", first, "red", 0.2)


def test_turns_that_gave_up_much_are_worth_trying_again() -> None:
    turns = reviewed()
    found = exercises_of(GAME, "a", turns)
    assert [task.first for task in found] == [turn.first for turn in turns if turn.choice < -LOST]
    assert len(found) > 2
    assert {task.side for task in exercises_of(GAME, "a", turns, "black")} == {"red"}, "not those of the app"


@pytest.mark.parametrize("app", ["", "black"])
def test_those_of_all_kept_games_are_read_off_their_reviews(tmp_path: Path, app: str) -> None:
    game = tmp_path / "game.jsonl"
    game.write_text(json.dumps({"do": "new", "opponent": {"side": app, "level": "even", "seed": 0}}) + "\n")
    write_review(game, "a", reviewed())
    found = list(kept_exercises(tmp_path))
    wanted = exercises_of(game, "a", reviewed(), app)
    assert [(task.key, task.game, task.side) for task in found] == [(task.key, task.game, task.side) for task in wanted]


@pytest.mark.parametrize("spoiled", [b"{", b"[]", b'{"turns": 3}', b'{"turns": [{"choice": "x"}], "mark": "a"}'])
def test_a_spoiled_review_has_none(tmp_path: Path, spoiled: bytes) -> None:
    (tmp_path / "game.jsonl").write_bytes(b"{}")
    review_path(tmp_path / "game.jsonl").write_bytes(spoiled)
    assert list(kept_exercises(tmp_path)) == []


def test_one_that_is_found_at_once_is_learnt(practice: Practice) -> None:
    assert practice.due_today([exercise()]) == (exercise(),)
    practice.note_answer(exercise(), solved=True)
    assert practice.due_today([exercise()]) == ()
    assert practice.learnt([exercise(), exercise(1)]) == 1


def test_one_that_was_missed_comes_back_until_it_is_learnt(practice: Practice, calendar: Calendar) -> None:
    practice.note_answer(exercise(), solved=False)
    for days in DAYS:
        calendar.day += timedelta(days - 1)
        assert practice.due_today([exercise()]) == ()
        calendar.day += timedelta(1)
        assert practice.due_today([exercise(1), exercise()]) == (exercise(), exercise(1)), "before what is new"
        assert practice.learnt([exercise()]) == 0
        practice.note_answer(exercise(), solved=True)
    assert practice.learnt([exercise()]) == 1


def test_missed_again_it_begins_anew(practice: Practice, calendar: Calendar) -> None:
    practice.note_answer(exercise(), solved=False)
    practice.note_answer(exercise(), solved=True)
    practice.note_answer(exercise(), solved=False)
    calendar.day += timedelta(DAYS[0])
    assert practice.due_today([exercise()]) == (exercise(),)


def test_it_is_kept(tmp_path: Path, practice: Practice, calendar: Calendar) -> None:
    practice.note_answer(exercise(), solved=False)
    practice.note_answer(exercise(1), solved=True)
    again = Practice(tmp_path / "practice.json", calendar)
    assert again.due_today([exercise(), exercise(1), exercise(2)]) == (exercise(2),)
    assert again.learnt([exercise(1)]) == 1


@pytest.mark.parametrize(
    "tried", [7, {"a:0": 3}, {"a:0": {"found": 9, "due": None}}, {"a:0": {"found": 0, "due": "soon"}}]
)
def test_what_is_spoiled_counts_for_nothing(tmp_path: Path, tried: object) -> None:
    path = tmp_path / "practice.json"
    path.write_text(json.dumps({"format": 1, "tried": tried}))
    assert Practice(path).due_today([exercise()]) == (exercise(),)


@pytest.mark.parametrize("kept", [b'{"format": 1, "tri', b'{"format": 2, "tried": {"a:0": {"found": 1}}}'])
def test_a_file_that_is_damaged_or_newer_is_kept_aside(tmp_path: Path, kept: bytes) -> None:
    path = tmp_path / "practice.json"
    path.write_bytes(kept)
    practice = Practice(path)
    assert path.read_bytes() == kept, "until there is something to write"
    for first in (0, 1):
        practice.note_answer(exercise(first), solved=True)
    assert [aside.read_bytes() for aside in tmp_path.glob("practice.json.*")] == [kept]
    assert Practice(path).learnt([exercise(), exercise(1)]) == 2


def test_a_disk_that_refuses_costs_only_what_was_tried_today(tmp_path: Path, calendar: Calendar) -> None:
    (tmp_path / "practice.json").mkdir()
    practice = Practice(tmp_path / "practice.json", calendar)
    practice.note_answer(exercise(), solved=True)
    assert practice.learnt([exercise()]) == 1
