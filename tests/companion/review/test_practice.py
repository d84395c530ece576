"""Missed turns tried again and puzzles: on the real table, answered with their chance, kept for another day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from unittest import mock

import pytest

from companion.games.reviews import Exercise, Practice, exercises_of, write_review
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.home.home import HomeScene
from companion.scenes.learn import practice
from companion.scenes.learn.learn import LearnScene, PuzzleQuestion, PuzzlesScene, all_puzzles
from companion.scenes.learn.practice import LEAVE, PracticeScene
from companion.scenes.review.looking_back import ReviewedGame
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.ui.screen import Coach, Intent, Slip
from engine.orders.player.choice import Candidate, Comparison
from engine.orders.player.prospects import Turn
from engine.orders.player.puzzles import LEVELS_FINDING, Puzzle
from engine.orders.player.reasons import Reason
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Play
from tests.companion.gallery.rooms.log import table_of
from tests.companion.sample_reviews import reviewed
from tests.companion.touching import Hand, words

REASONS = (Reason("takes", ("c4",), 2), Reason("waits"))


class Judge:
    """chance: of the turn that was taken; best: of the best one, a pass; position: the last that it was asked about."""

    chance, best = 0.4, 0.6
    position: Position | None = None

    def __call__(self, position: Position, turn: Turn) -> Iterator[Comparison]:
        self.position = position
        yield Comparison(Candidate(turn, self.chance, (), REASONS), Candidate(Pass(), self.best, (), ()))


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Have turns that are tried judged at once."""
    found = Judge()
    monkeypatch.setattr(practice, "comparison", found)
    return found


pytestmark = pytest.mark.usefixtures("judge")


def reviewed_game(hand: Hand) -> ReviewedGame:
    """Look back on the recorded game."""
    table = table_of(hand)
    write_review(table.match.path, table.match.mark(len(table.match.steps)), reviewed())
    hand.app.scene = game = ReviewedGame(table, EndScene(table))
    return game


def home_of(hand: Hand) -> HomeScene:
    assert isinstance(hand.app.scene, HomeScene)
    return hand.app.scene


def practising(hand: Hand) -> PracticeScene:
    assert isinstance(hand.app.scene, PracticeScene)
    return hand.app.scene


@pytest.fixture
def game(hand: Hand) -> ReviewedGame:
    return reviewed_game(hand)


@pytest.fixture
def asked(hand: Hand, game: ReviewedGame) -> PracticeScene:
    return practising(hand.press("Try again"))


def exercise(scene: PracticeScene) -> Exercise:
    """Return the first turn that is asked for."""
    found = scene.exercises[0]
    assert isinstance(found, Exercise)
    return found


def test_the_first_turn_that_gave_up_much_is_asked_for_on_its_own_board_and_the_game_is_not_touched(
    hand: Hand, game: ReviewedGame, asked: PracticeScene
) -> None:
    first, before = exercise(asked), game.table.match.path.read_bytes()
    who = first.side.capitalize()
    assert hand.blocks(Coach)[0].text == f"{who} to move. You gave up {round(100 * first.lost)}%. Find better."
    assert hand.blocks(Coach)[0].title.startswith(f"1/{len(asked.exercises)} · Round ")
    assert asked.question is not None
    assert isinstance(asked.scene, BoardTable)
    assert len(asked.question.match.steps) == first.first
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
    scene = practising(hand.press("Pass"))
    if scene.answer is None:
        hand.press("Pass")
    assert isinstance(scene.answer, Pass)
    assert "Looking at your move" in words(hand.screen.blocks)
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
    assert hand.blocks(Coach)[0]
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
    assert hand.blocks(Coach)[0].title.startswith("2/")
    assert Practice().count_learnt(asked.exercises) == 1


def all_are_shown(hand: Hand, scene: PracticeScene) -> None:
    """Have the best turn shown for each that is left; then all is done for today."""
    for number in range(scene.number, len(scene.exercises)):
        hand.press("Show me", "Next" if number + 1 < len(scene.exercises) else "Done")
    assert words(hand.screen.blocks) == "All done for today."


def test_the_best_turn_is_shown_when_asked_for_and_the_question_comes_back_another_day(
    hand: Hand, asked: PracticeScene, game: ReviewedGame
) -> None:
    hand.press("Show me")
    assert asked.question is not None
    assert "of the time, not" in words(hand.screen.blocks)
    assert "In the game:" in words(hand.screen.blocks)
    assert isinstance(asked.question.reviewed_turn.best, Deploy)
    assert hand.picture.traces
    hand.press("Next")
    assert Practice().due_today(asked.exercises)[0] == asked.exercises[1], "the first one is due tomorrow"
    all_are_shown(hand, asked)
    hand.press("Back")
    assert hand.app.scene is game


def test_a_thought_that_fails_leaves_no_answer(
    hand: Hand, asked: PracticeScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "comparison", lambda position, turn: iter(()))
    passed(hand)
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


def test_a_file_that_the_disk_does_not_give_is_kept_beside_the_new_one(tmp_path: Path) -> None:
    file, puzzle = tmp_path / "practice.json", all_puzzles("sengoku-rivers")[0]
    Practice(file).note_answer(puzzle, solved=True)
    kept = file.read_bytes()
    with mock.patch("companion.games.reviews.read_file", side_effect=OSError(5, "Input/output error")):
        practice = Practice(file)
    practice.note_answer(puzzle, solved=False)
    assert kept in [path.read_bytes() for path in tmp_path.iterdir()]


def test_learning_says_where_reviews_come_from_and_counts_what_is_due_and_what_is_learnt(hand: Hand) -> None:
    home = home_of(hand)
    hand.app.scene = LearnScene(hand.app.stage, home)
    assert slip(hand).text.startswith("Review a finished game")
    assert slip(hand).intent is None
    game = reviewed_game(hand)
    found = exercises_of(game.table.match.path, game.review.mark, reviewed())
    Practice().note_answer(found[0], solved=True)
    hand.app.scene = LearnScene(hand.app.stage, home)
    assert slip(hand).text == f"{len(found) - 1} turns to try again today. Learnt: 1."
    hand.app.touch(Intent("practice"))
    assert practising(hand).exercises[0].key == found[1].key


# ---- puzzles -------------------------------------------------------------------------------------


@pytest.fixture
def themes(hand: Hand, judge: Judge) -> PuzzlesScene:
    """Return the list of puzzles, of which no turn but the best is good enough."""
    judge.chance, judge.best = 0.1, 0.99
    hand.app.scene = LearnScene(hand.app.stage, home_of(hand))
    hand.app.touch(Intent("puzzles"))
    assert isinstance(hand.app.scene, PuzzlesScene)
    return hand.app.scene


@pytest.fixture
def solving(hand: Hand, themes: PuzzlesScene) -> PracticeScene:
    hand.app.touch(Intent("puzzles", "ground"))
    return practising(hand)


def sought(scene: PracticeScene) -> Puzzle:
    puzzle = scene.exercises[scene.number]
    assert isinstance(puzzle, Puzzle)
    return puzzle


def test_they_are_listed_by_what_they_teach(hand: Hand, themes: PuzzlesScene) -> None:
    board = hand.app.stage.board.name
    order = [(puzzle.board != board, LEVELS_FINDING.index(puzzle.found_by)) for puzzle in themes.puzzles]
    assert order == sorted(order), "those on the board in use come first, and the easiest of them"
    assert themes.puzzles == all_puzzles(board)
    slips = {block.title: block for block in hand.screen.blocks if isinstance(block, Slip)}
    ground = [puzzle for puzzle in themes.puzzles if puzzle.theme == "ground"]
    assert slips["Take ground"].text == f"{len(ground)} puzzles to try today."
    assert slips["Take ground"].intent == Intent("puzzles", "ground")
    Practice().note_answer(ground[0], solved=True)
    slips = {block.title: block for block in hand.screen.blocks if isinstance(block, Slip)}
    assert slips["Take ground"].text == f"{len(ground) - 1} puzzles to try today. Solved: 1."
    hand.press("Back")
    assert isinstance(hand.app.scene, LearnScene)
    slips = {block.title: block for block in hand.screen.blocks if isinstance(block, Slip)}
    assert slips["Puzzles"].text == f"{len(themes.puzzles)} positions: find the one great move. Solved: 1."


def test_the_position_lies_on_the_real_table(hand: Hand, solving: PracticeScene) -> None:
    puzzle = sought(solving)
    assert solving.question is not None
    assert solving.question.match.position == solving.question.start == puzzle.start()
    assert hand.blocks(Coach)[0].text == "One move is far better than the rest. Find it."
    assert hand.blocks(Coach)[0].title.startswith(f"1/{len(solving.exercises)} · ")


def answered(hand: Hand, scene: PracticeScene, turn: Turn) -> None:
    """Take a turn on the table."""
    assert scene.question is not None
    assert scene.question.match.offer(turn).legal
    hand.app.touch(Intent("none"))
    assert scene.answer == turn
    hand.app.tick(0.0)


def test_the_turn_sought_solves_it_whatever_is_thought_of_it(hand: Hand, solving: PracticeScene) -> None:
    answered(hand, solving, sought(solving).turn)
    assert "Solved: it wins 10% of the time, the next best idea" in words(hand.screen.blocks)
    hand.press("Next")
    assert solving.number == 1
    assert Practice().count_learnt(solving.exercises) == 1


@pytest.mark.parametrize(("more", "said"), [(0.05, "Close: it wins"), (0.0, "Not this one: it wins")])
def test_another_turn_may_be_close_and_is_tried_again(
    hand: Hand, solving: PracticeScene, judge: Judge, more: float, said: str
) -> None:
    judge.chance = sought(solving).other + more
    answered(hand, solving, Pass())
    assert said in words(hand.screen.blocks)
    hand.press("Try again")
    assert solving.question is not None
    assert solving.question.match.position == sought(solving).start()
    assert hand.blocks(Coach)[0]


def test_a_page_inside_has_one_way_back_and_none_to_another_board(hand: Hand, solving: PracticeScene) -> None:
    steps = solving.question.match.steps if solving.question else ()
    hand.app.touch(Intent("area", "d5"))
    assert [button.label for button in hand.screen.actions] == ["Back", "Show me"]
    hand.app.touch(Intent("otherwise", "d5"))
    assert "Set by hand" not in hand.labels
    hand.press("Back")
    assert hand.screen.actions[0].intent == LEAVE
    hand.app.touch(Intent("space", "plan:2"))
    assert isinstance(solving.scene, RulingScene)
    assert "We play it differently" not in hand.labels
    hand.app.touch(Intent("settle"))
    assert isinstance(solving.scene, RulingScene)
    assert solving.question is not None
    assert solving.question.match.steps == steps


def test_a_card_may_be_played_first_and_the_turn_is_judged_after_it(
    hand: Hand, themes: PuzzlesScene, judge: Judge
) -> None:
    puzzle = next(puzzle for puzzle in themes.puzzles if puzzle.board == "wwii-alpine" and puzzle.theme == "supply")
    solving = hand.app.scene = PracticeScene(hand.app.stage, (puzzle,), themes, ask=PuzzleQuestion)
    assert solving.question is not None
    assert solving.question.match.offer(Play("anti_air", "yellow")).legal
    answered(hand, solving, puzzle.turn)
    assert judge.position == solving.question.match.positions[2] != puzzle.start()
    assert hand.screen.map is not None
    hand.press("Done")


def test_the_solution_is_one_sentence_and_the_map(hand: Hand, solving: PracticeScene) -> None:
    hand.press("Show me")
    assert words(hand.screen.blocks).count("of the time, not") == 1
    assert isinstance(sought(solving).turn, Deploy)
    assert hand.picture.traces
    assert Practice().due_today(solving.exercises)[0] == solving.exercises[1], "it comes back another day"
    hand.press("Next")
    all_are_shown(hand, solving)
    assert hand.screen.title == "Puzzles"
    hand.press("Back")
    assert isinstance(hand.app.scene, PuzzlesScene)
