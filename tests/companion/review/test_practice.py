"""Trying missed turns again: asked on the real table, answered with their chance, kept for another day."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from companion.games.reviews import Exercise, Practice, exercises_of, write_review
from companion.scenes.home.home import HomeScene
from companion.scenes.learn import practice as practising
from companion.scenes.learn.learn import LearnScene
from companion.scenes.learn.practice import LEAVE, PracticeScene
from companion.scenes.review.looking_back import ReviewedGame
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.ui.screen import Coach, Intent, Slip
from engine.orders.steps import Deploy, Pass
from tests.companion.gallery.rooms.log import table_of
from tests.companion.review.conftest import Judge
from tests.companion.sample_reviews import reviewed
from tests.companion.touching import Hand, words

pytestmark = pytest.mark.usefixtures("judge")


@pytest.fixture
def game(hand: Hand) -> ReviewedGame:
    table = table_of(hand)
    write_review(table.match.path, table.match.mark(len(table.match.steps)), reviewed())
    hand.app.scene = ReviewedGame(table, EndScene(table))
    return hand.app.scene


@pytest.fixture
def asked(hand: Hand, game: ReviewedGame) -> PracticeScene:
    hand.press("Try again")
    assert isinstance(hand.app.scene, PracticeScene)
    return hand.app.scene


def exercise(scene: PracticeScene) -> Exercise:
    """Return the first turn that is asked for."""
    found = scene.exercises[0]
    assert isinstance(found, Exercise)
    return found


def coach(hand: Hand) -> Coach:
    return next(block for block in hand.screen.blocks if isinstance(block, Coach))


def test_the_first_turn_that_gave_up_much_is_asked_for_on_its_own_board(hand: Hand, asked: PracticeScene) -> None:
    first = exercise(asked)
    who = first.side.capitalize()
    assert coach(hand).text == f"{who} to move. You gave up {round(100 * first.lost)}%. Find better."
    assert coach(hand).title.startswith(f"1/{len(asked.exercises)} · Round ")
    assert asked.question is not None
    assert isinstance(asked.scene, BoardTable)
    assert len(asked.question.match.steps) == first.first


def test_the_game_itself_is_not_touched(hand: Hand, game: ReviewedGame, asked: PracticeScene) -> None:
    before = game.table.match.path.read_bytes()
    hand.app.touch(Intent("undo"))
    hand.app.touch(Intent("menu"))
    passed(hand)
    assert game.table.match.path.read_bytes() == before
    folder = asked.shelf.folder
    hand.app.touch(LEAVE)
    assert hand.app.scene is game
    assert not folder.exists()


def passed(hand: Hand) -> None:
    """Answer with a pass."""
    hand.press("Pass")
    scene = hand.app.scene
    assert isinstance(scene, PracticeScene)
    if scene.answer is None:
        hand.press("Pass")
    assert isinstance(scene.answer, Pass)
    hand.app.tick(0.0)


def test_a_worse_turn_is_told_its_chance_and_may_be_tried_again(hand: Hand, asked: PracticeScene, judge: Judge) -> None:
    judge.chance = 0.1
    passed(hand)
    said = words(hand.screen.blocks)
    assert "No better: it wins 10% of the time." in said
    assert "Takes c4: 2 points." in said
    assert "No move is better" not in said
    hand.press("Try again")
    assert asked.answer is None
    assert coach(hand)
    assert asked.question is not None
    assert len(asked.question.match.steps) == exercise(asked).first


def test_one_that_is_better_but_not_the_best_says_so(hand: Hand, asked: PracticeScene, judge: Judge) -> None:
    assert asked.question is not None
    judge.chance = min(0.57, asked.question.reviewed_turn.taken_chance + 0.05)
    passed(hand)
    assert "There is better still." in words(hand.screen.blocks)


def test_the_best_leads_on_to_the_next(hand: Hand, asked: PracticeScene, judge: Judge) -> None:
    judge.chance = 0.6
    passed(hand)
    assert "Well found: it wins 60% of the time" in words(hand.screen.blocks)
    hand.press("Next")
    assert asked.number == 1
    assert coach(hand).title.startswith("2/")
    assert Practice().count_learnt(asked.exercises) == 1


def test_the_best_turn_is_shown_when_asked_for_and_the_question_comes_back(hand: Hand, asked: PracticeScene) -> None:
    hand.press("Show me")
    assert asked.question is not None
    assert "of the time, not" in words(hand.screen.blocks)
    assert "In the game:" in words(hand.screen.blocks)
    shown = hand.screen.map
    assert shown is not None
    assert isinstance(asked.question.reviewed_turn.best, Deploy)
    assert shown.traces
    hand.press("Next")
    assert Practice().due_today(asked.exercises)[0] == asked.exercises[1], "the first one is due tomorrow"


def test_after_the_last_one_all_is_done(hand: Hand, asked: PracticeScene, game: ReviewedGame) -> None:
    for _exercise in asked.exercises:
        hand.press("Show me")
        hand.press("Next" if asked.number + 1 < len(asked.exercises) else "Done")
    assert words(hand.screen.blocks) == "All done for today."
    hand.press("Back")
    assert hand.app.scene is game


def test_a_thought_that_fails_says_so(hand: Hand, asked: PracticeScene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practising, "comparison", lambda position, turn: iter(()))
    hand.press("Pass")
    if asked.answer is None:
        hand.press("Pass")
    assert "Looking at your move" in words(hand.screen.blocks)
    hand.app.tick(0.0)
    assert asked.comparison is None


def test_what_is_gone_or_was_changed_is_passed_by(hand: Hand, game: ReviewedGame) -> None:
    match = game.table.match
    good = exercises_of(match.path, match.mark(len(match.steps)), reviewed())[0]
    gone = Exercise(Path("nowhere.jsonl"), "a", 0, "red", 0.2)
    other = Exercise(match.path, "b", 0, "red", 0.2)
    scene = PracticeScene(hand.app.stage, (gone, other, good), game, Practice(today=lambda: date(2026, 1, 1)))
    assert scene.number == 2
    assert scene.question is not None
    assert PracticeScene(hand.app.stage, (gone,), game).question is None


# ---- where one learns --------------------------------------------------------------------------------


def slip(hand: Hand) -> Slip:
    found = [block for block in hand.screen.blocks if isinstance(block, Slip) and block.title == "Your own turns"]
    assert len(found) == 1
    return found[0]


@pytest.fixture
def learning(hand: Hand) -> LearnScene:
    home = hand.app.scene
    assert isinstance(home, HomeScene)
    return LearnScene(hand.app.stage, home)


def test_without_reviews_learning_says_where_they_come_from(hand: Hand, learning: LearnScene) -> None:
    hand.app.scene = learning
    assert slip(hand).text.startswith("Review a finished game")
    assert slip(hand).intent is None


def test_learning_counts_what_is_due_and_what_is_learnt(hand: Hand, learning: LearnScene, game: ReviewedGame) -> None:
    found = exercises_of(game.table.match.path, game.review.mark, reviewed())
    Practice().note_answer(found[0], solved=True)
    assert isinstance(learning.back, HomeScene)
    hand.app.scene = LearnScene(hand.app.stage, learning.back)
    assert slip(hand).text == f"{len(found) - 1} turns to try again today. Learnt: 1."
    hand.app.touch(Intent("practice"))
    assert isinstance(hand.app.scene, PracticeScene)
    assert hand.app.scene.exercises[0].key == found[1].key
