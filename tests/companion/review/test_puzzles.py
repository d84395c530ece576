"""Puzzles: chosen by what they teach, solved on the real table, explained in one sentence, kept as practice is."""

from __future__ import annotations

import pytest

from companion.games.reviews import Practice
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.home.home import HomeScene
from companion.scenes.learn.learn import LearnScene, PuzzleQuestion, PuzzlesScene, all_puzzles
from companion.scenes.learn.practice import LEAVE, PracticeScene
from companion.ui.screen import Coach, Intent, Slip
from engine.orders.player.prospects import Turn
from engine.orders.player.puzzles import LEVELS_FINDING, Puzzle
from engine.orders.steps import Deploy, Pass, Play
from tests.companion.review.conftest import Judge
from tests.companion.touching import Hand, words


@pytest.fixture(autouse=True)
def strict(judge: Judge) -> None:
    """Let no turn but the best be good enough."""
    judge.chance, judge.best = 0.1, 0.99


@pytest.fixture
def themes(hand: Hand) -> PuzzlesScene:
    home = hand.app.scene
    assert isinstance(home, HomeScene)
    hand.app.scene = LearnScene(hand.app.stage, home)
    hand.app.touch(Intent("puzzles"))
    assert isinstance(hand.app.scene, PuzzlesScene)
    return hand.app.scene


@pytest.fixture
def asked(hand: Hand, themes: PuzzlesScene) -> PracticeScene:
    hand.app.touch(Intent("puzzles", "ground"))
    assert isinstance(hand.app.scene, PracticeScene)
    return hand.app.scene


def coach(hand: Hand) -> Coach:
    return next(block for block in hand.screen.blocks if isinstance(block, Coach))


def sought(scene: PracticeScene) -> Puzzle:
    puzzle = scene.exercises[scene.number]
    assert isinstance(puzzle, Puzzle)
    return puzzle


def test_they_are_listed_by_what_they_teach(hand: Hand, themes: PuzzlesScene) -> None:
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


def test_those_on_the_board_in_use_come_first_and_the_easiest_of_them(hand: Hand, themes: PuzzlesScene) -> None:
    board = hand.app.stage.board.name
    order = [(puzzle.board != board, LEVELS_FINDING.index(puzzle.found_by)) for puzzle in themes.puzzles]
    assert order == sorted(order)
    assert themes.puzzles == all_puzzles(board)


def test_the_position_lies_on_the_real_table(hand: Hand, asked: PracticeScene) -> None:
    puzzle = sought(asked)
    assert asked.question is not None
    assert asked.question.match.position == asked.question.start == puzzle.start()
    assert coach(hand).text == "One move is far better than the rest. Find it."
    assert coach(hand).title.startswith(f"1/{len(asked.exercises)} · ")


def answered(hand: Hand, scene: PracticeScene, turn: Turn) -> None:
    """Take a turn on the table."""
    assert scene.question is not None
    assert scene.question.match.offer(turn).legal
    hand.app.touch(Intent("none"))
    assert scene.answer == turn
    hand.app.tick(0.0)


def test_the_turn_sought_solves_it_whatever_is_thought_of_it(hand: Hand, asked: PracticeScene) -> None:
    answered(hand, asked, sought(asked).turn)
    assert "Solved: it wins 10% of the time, the next best idea" in words(hand.screen.blocks)
    hand.press("Next")
    assert asked.number == 1
    assert Practice().count_learnt(asked.exercises) == 1


@pytest.mark.parametrize(("more", "said"), [(0.05, "Close: it wins"), (0.0, "Not this one: it wins")])
def test_another_turn_may_be_close_and_is_tried_again(
    hand: Hand, asked: PracticeScene, judge: Judge, more: float, said: str
) -> None:
    judge.chance = sought(asked).other + more
    answered(hand, asked, Pass())
    assert said in words(hand.screen.blocks)
    hand.press("Try again")
    assert asked.question is not None
    assert asked.question.match.position == sought(asked).start()
    assert coach(hand)


def test_a_page_inside_has_one_way_back_and_none_to_another_board(hand: Hand, asked: PracticeScene) -> None:
    steps = asked.question.match.steps if asked.question else ()
    hand.app.touch(Intent("area", "d5"))
    assert [button.label for button in hand.screen.actions] == ["Back", "Show me"]
    hand.app.touch(Intent("otherwise", "d5"))
    assert "Set by hand" not in [button.label for button in hand.all_buttons()]
    hand.press("Back")
    assert hand.screen.actions[0].intent == LEAVE
    hand.app.touch(Intent("space", "plan:2"))
    assert isinstance(asked.scene, RulingScene)
    assert "We play it differently" not in [button.label for button in hand.all_buttons()]
    hand.app.touch(Intent("settle"))
    assert isinstance(asked.scene, RulingScene)
    assert asked.question is not None
    assert asked.question.match.steps == steps


def test_a_card_may_be_played_first_and_the_turn_is_judged_after_it(
    hand: Hand, themes: PuzzlesScene, judge: Judge
) -> None:
    puzzle = next(puzzle for puzzle in themes.puzzles if puzzle.board == "wwii-alpine" and puzzle.theme == "supply")
    asked = hand.app.scene = PracticeScene(hand.app.stage, (puzzle,), themes, ask=PuzzleQuestion)
    assert asked.question is not None
    assert asked.question.match.offer(Play("anti_air", "yellow")).legal
    answered(hand, asked, puzzle.turn)
    assert judge.position == asked.question.match.positions[2] != puzzle.start()
    assert hand.screen.map is not None
    hand.press("Done")


def test_the_solution_is_one_sentence_and_the_map(hand: Hand, asked: PracticeScene) -> None:
    hand.press("Show me")
    assert words(hand.screen.blocks).count("of the time, not") == 1
    shown = hand.screen.map
    assert shown is not None
    assert isinstance(sought(asked).turn, Deploy)
    assert shown.traces
    assert Practice().due_today(asked.exercises)[0] == asked.exercises[1], "it comes back another day"
    hand.app.touch(LEAVE)
    assert isinstance(hand.app.scene, PuzzlesScene)


def test_after_the_last_one_all_is_done(hand: Hand, asked: PracticeScene) -> None:
    for _puzzle in asked.exercises:
        hand.press("Show me").press("Next" if asked.number + 1 < len(asked.exercises) else "Done")
    assert hand.screen.title == "Puzzles"
    assert words(hand.screen.blocks) == "All done for today."
