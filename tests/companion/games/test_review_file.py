"""The review kept beside a game: read back as it was written, and only with the game that it is of."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.match import Match
from companion.games.review_file import read_review, review_path, turn_json, write_review
from companion.games.saved import shelf
from engine.orders.player.review import ReviewedTurn
from tests.companion.sample_games import BOARD, BONUSES, game_file, played
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


def test_after_an_undo_it_is_of_another_game(tmp_path: Path) -> None:
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
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
