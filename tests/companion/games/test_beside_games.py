"""What is kept beside a game: its review, turns to try again, the cards that the app was told."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.games.match import Match
from companion.games.private_hand import HandNote, load_told_hand, parse_told_hand, save_told_hand, told_hand_path
from companion.games.reviews import (
    DAYS,
    LOST,
    Exercise,
    Practice,
    exercises_of,
    kept_exercises,
    read_review,
    review_path,
    turn_json,
    write_review,
)
from companion.games.saved import shelf
from engine.orders.board import load_board
from engine.orders.player.review import ReviewedTurn
from intake.errors import Unreadable
from tests.companion.commands.terminal import Capture
from tests.companion.sample_games import BOARD, game_file, played
from tests.companion.sample_reviews import reviewed

STEPS = 12
Json = dict[str, Any]


def read(game: Path, mark: str = "a", steps: int = STEPS) -> tuple[ReviewedTurn, ...] | None:
    done, positions = played()
    return read_review(game, mark, positions[: steps + 1], done[:steps])


def test_it_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    game, turns = tmp_path / "game.jsonl", reviewed(STEPS)
    assert read(game) is None
    write_review(game, "a", turns)
    found = read(game)
    assert found is not None
    assert [turn_json(turn) for turn in found] == [turn_json(turn) for turn in turns]
    assert [(turn.first, turn.end, turn.side, turn.turn, turn.best, turn.reasons) for turn in found] == [
        (turn.first, turn.end, turn.side, turn.turn, turn.best, turn.reasons) for turn in turns
    ]


def test_after_an_undo_it_is_of_another_game(match: Match) -> None:
    for step in played()[0][:STEPS]:
        match.offer(step)
    write_review(match.path, match.mark(len(match.steps)), reviewed(STEPS))
    assert read_review(match.path, match.mark(STEPS), match.positions, match.steps) is not None
    match.undo()
    assert read_review(match.path, match.mark(STEPS - 1), match.positions, match.steps) is None
    match.redo()
    assert read_review(match.path, match.mark(STEPS), match.positions, match.steps) is not None
    match.close()


def test_it_goes_where_its_game_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    (tmp_path / "games").mkdir()
    game = game_file(tmp_path / "games", STEPS)
    write_review(game, "a", reviewed(STEPS))
    thrown = shelf.throw_away(game)
    assert review_path(thrown).exists()
    assert not review_path(game).exists()
    assert read(shelf.put_back(thrown)) is not None


def _first(change: Callable[[Json], object]) -> Callable[[Json], object]:
    return lambda value: change(value["turns"][0])


def test_a_review_of_an_earlier_version_still_opens(tmp_path: Path) -> None:
    """What was told as luck with cards counts as a card that was played."""
    game = tmp_path / "game.jsonl"
    write_review(game, "a", reviewed(STEPS))
    value = json.loads(review_path(game).read_text())
    swing = {"step": value["turns"][0]["step"], "kind": "cards", "by": "red", "change": 0.1}
    value["turns"][0]["swings"].append(swing)
    review_path(game).write_text(json.dumps(value))
    found = read(game)
    assert found is not None
    assert found[0].swings[-1].kind == "played"


SPOILED: dict[str, Callable[[Json], object]] = {
    "a newer format": lambda value: value.update(format=2),
    "another game": lambda value: value.update(mark="b"),
    "a turn too few": lambda value: value["turns"].pop(),
    "no list": lambda value: value.update(turns=7),
    "no mark": lambda value: value.pop("mark"),
    "a chance over 1": _first(lambda turn: turn.update(before=1.5)),
    "a chance that is a truth": _first(lambda turn: turn.update(after=True)),
    "a better turn that is none": _first(lambda turn: turn.update(best={"roll": [1], "by": "red"})),
    "a better turn against the rules": _first(lambda turn: turn.update(best={"deploy": "advance:a3"})),
    "a better turn in no form": _first(lambda turn: turn.update(best={"deploy": 3})),
    "an unknown reason": _first(lambda turn: turn["reasons"][0].update(code="magic")),
    "a reason elsewhere": _first(lambda turn: turn["reasons"][0].update(areas=["z9"])),
    "a huge reason": _first(lambda turn: turn["reasons"][0].update(amount=10**9)),
    "a swing elsewhere": _first(lambda turn: turn["swings"][0].update(step=99)),
    "a swing of nobody": _first(lambda turn: turn["swings"][0].update(by="green")),
    "a choice that wins": _first(lambda turn: turn["swings"][0].update(change=0.5)),
    "no choice": _first(lambda turn: turn["swings"][0].update(kind="dice")),
    "no swings": _first(lambda turn: turn.update(swings=[])),
}


@pytest.mark.parametrize("what", SPOILED)
def test_one_wrong_word_costs_all_of_it(tmp_path: Path, what: str) -> None:
    game = tmp_path / "game.jsonl"
    write_review(game, "a", reviewed(STEPS))
    value = json.loads(review_path(game).read_text())
    SPOILED[what](value)
    review_path(game).write_text(json.dumps(value))
    assert read(game) is None


def test_what_is_no_json_is_no_review(tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    review_path(game).write_bytes(b"\xff{")
    assert read(game) is None


def test_chances_are_told_in_six_digits() -> None:
    turn = replace(reviewed(STEPS)[0], before=1 / 3)
    assert turn_json(turn)["before"] == 0.333333


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
    assert practice.count_learnt([exercise(), exercise(1)]) == 1


def test_one_that_was_missed_comes_back_until_it_is_learnt(practice: Practice, calendar: Calendar) -> None:
    practice.note_answer(exercise(), solved=False)
    for days in DAYS:
        calendar.day += timedelta(days - 1)
        assert practice.due_today([exercise()]) == ()
        calendar.day += timedelta(1)
        assert practice.due_today([exercise(1), exercise()]) == (exercise(), exercise(1)), "before what is new"
        assert practice.count_learnt([exercise()]) == 0
        practice.note_answer(exercise(), solved=True)
    assert practice.count_learnt([exercise()]) == 1


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
    assert again.count_learnt([exercise(1)]) == 1


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
    assert Practice(path).count_learnt([exercise(), exercise(1)]) == 2


def test_a_disk_that_refuses_costs_only_what_was_tried_today(tmp_path: Path, calendar: Calendar) -> None:
    (tmp_path / "practice.json").mkdir()
    practice = Practice(tmp_path / "practice.json", calendar)
    practice.note_answer(exercise(), solved=True)
    assert practice.count_learnt([exercise()]) == 1


MODE = load_board(BOARD).mode
NOTE = HandNote({"ambush": 2, "mobilise": 1}, ("shore_strike",))


def test_what_was_told_is_there_again(tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    assert load_told_hand(game, MODE) is None
    save_told_hand(game, NOTE)
    assert load_told_hand(game, MODE) == NOTE


def test_cards_of_another_deck_are_none(tmp_path: Path) -> None:
    save_told_hand(tmp_path / "game.jsonl", HandNote({"paratroopers": 1}, ()))
    assert load_told_hand(tmp_path / "game.jsonl", MODE) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"cards": {}, "discard": {}}',
        b'{"cards": {"ambush": 0}, "discard": []}',
        b'{"cards": {"ambush": true}, "discard": []}',
        b'{"cards": {}, "discard": [1]}',
        b'{"cards": {}, "discard": [%s]}' % b", ".join([b'"ambush"'] * 101),
    ],
)
def test_a_broken_file_is_no_hand(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(Unreadable):
        parse_told_hand(data)
    told_hand_path(tmp_path / "game.jsonl").write_bytes(data)
    assert load_told_hand(tmp_path / "game.jsonl", MODE) is None


def test_where_the_disk_refuses_the_game_goes_on(tmp_path: Path, capsys: Capture) -> None:
    save_told_hand(tmp_path / "nowhere" / "game.jsonl", NOTE)
    assert "can't be written" in capsys.readouterr().err
