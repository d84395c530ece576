"""Looking back on a game: made beside the screen, kept with the game, and led on from its turning points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from unittest import mock

import pytest

from companion.games.match import Match
from companion.games.reviews import read_review, review_path, write_review
from companion.games.sonae import sonae_throws
from companion.scenes.base.reviews import Reviews, look_back
from companion.scenes.generals.score import DuelReview
from companion.scenes.home.home import HomeScene
from companion.scenes.home.saved import SavedGameScene, SavedScene
from companion.scenes.review import looking_back
from companion.scenes.review.log import LogScene, MomentScene
from companion.scenes.review.looking_back import AccountScene, ReviewedGame, ReviewedPoint, account_bars
from companion.scenes.sonae.score import BattleReview
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.text.percent import chance_percent
from companion.thinking.thought import InlineThinking, InlineThought, Result, Thought, Work
from companion.ui.screen import Bars, ChanceCurve, Columns, Grid, Intent, Slip
from engine.orders.player.review import ReviewedTurn, chances
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.sonae.game import apply, owed
from engine.sonae.prospects import charge_chance
from engine.sonae.steps import Advance, Roll
from tests.companion.gallery.rooms.log import table_of
from tests.companion.plain_tables import WHOLE, laid
from tests.companion.sample_games import played
from tests.companion.sample_reviews import reviewed
from tests.companion.touching import Hand, words


def recorded(positions: Sequence[Position], steps: Sequence[Step]) -> Iterator[ReviewedTurn]:
    """Yield the review of the recorded game, without thinking."""
    assert len(positions) == len(steps) + 1
    yield from reviewed(len(steps) if len(steps) < len(played()[0]) else None)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.scenes.base.reviews.look_back", recorded)


@pytest.fixture
def table(hand: Hand) -> BoardTable:
    """Return the table with the recorded game at its end."""
    return table_of(hand)


@pytest.fixture
def game(hand: Hand, table: BoardTable) -> ReviewedGame:
    """Return the recorded game, looked back on."""
    hand.app.scene = EndScene(table)
    hand.press("Review")
    hand.app.tick(0.0)
    assert isinstance(hand.app.scene, ReviewedGame)
    return hand.app.scene


# ---- while it is made, and once it is there ------------------------------------------------------


def test_its_progress_is_shown_then_all_of_it_and_it_is_kept_and_not_made_twice(
    hand: Hand, table: BoardTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.app.scene = EndScene(table)
    hand.press("Review")
    assert words(hand.screen.blocks) == "Reviewing turn 1 of 40. You can leave this page meanwhile."
    hand.app.tick(0.0)
    assert hand.screen.title == "How the game was won"
    assert len(hand.blocks(ChanceCurve)[0].chances) == 41
    assert len(hand.blocks(ChanceCurve)[0].points) == 3
    columns = hand.screen.blocks[-1]
    assert isinstance(columns, Columns)
    assert [type(block) for block in columns.left] == [Slip] * 3
    told = [block.title for block in columns.right if isinstance(block, Bars)]
    assert told == ["Chances missed, per turn", "Luck with dice and cards"]
    match = table.match
    assert read_review(match.path, match.mark(len(match.steps)), match.positions, match.steps) is not None
    monkeypatch.delattr("companion.scenes.base.reviews.look_back")
    again = Reviews(InlineThinking()).of(match)
    assert (again.state, len(again.turns), again.look()) == ("done", 40, False)


def test_after_an_undo_the_game_is_looked_over_again(hand: Hand, game: ReviewedGame) -> None:
    game.table.match.undo(1)
    assert "Reviewing turn 1" in words(hand.screen.blocks)
    hand.app.tick(1.0)
    assert hand.screen.title == "How the game went"


def test_a_disk_that_refuses_costs_only_the_next_look(
    hand: Hand, table: BoardTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.scenes.base.reviews.write_review", mock.Mock(side_effect=OSError("full")))
    hand.app.scene = EndScene(table)
    hand.press("Review")
    hand.app.tick(0.0)
    assert hand.blocks(ChanceCurve)[0]
    assert not review_path(table.match.path).exists()


class Broken:
    """Thoughts that fail at once, and are counted."""

    def __init__(self) -> None:
        self.begun: list[InlineThought] = []

    def begin(self, _work: Work[Result]) -> Thought[Result]:
        self.begun.append(InlineThought(lambda: ()))
        return self.begun[-1]


def test_one_that_failed_says_so_and_is_tried_again_when_it_is_asked_for(hand: Hand, table: BoardTable) -> None:
    thinking = Broken()
    hand.app.stage.reviews = Reviews(thinking)
    hand.app.scene = end = EndScene(table)
    hand.press("Review")
    hand.app.stage.reviews.of(table.match).stop()
    assert "The review failed" in words(hand.screen.blocks)
    assert len(thinking.begun) == 1
    hand.press("Back")
    assert hand.app.scene is end
    hand.press("Review")
    assert len(thinking.begun) == 2


def test_only_one_game_is_looked_over_at_a_time(table: BoardTable, match: Match) -> None:
    thinking = Broken()
    reviews = Reviews(thinking)
    first = reviews.of(table.match)
    assert reviews.of(table.match) is first
    assert reviews.of(match) is not first
    assert [thought.state for thought in thinking.begun] == ["done", "thinking"]
    assert first.state == "failed"


def test_the_real_work_looks_at_every_turn() -> None:
    steps, positions = played()
    (turn,) = look_back(positions[:2], steps[:1])
    assert (turn.side, turn.turn) == ("red", steps[0])


# ---- the ways on ---------------------------------------------------------------------------------


def test_a_turning_point_shows_what_was_played_and_better_and_leads_on(hand: Hand, game: ReviewedGame) -> None:
    point = game.points[0]
    hand.app.touch(Intent("point", "", 0))
    assert isinstance(hand.app.scene, ReviewedPoint)
    assert hand.screen.title == "1. Round 1 · Ana −16%"
    assert " of the time, not " in words(hand.screen.blocks)
    assert hand.blocks(ChanceCurve)[0].at == game.review.turns.index(point.turn) + 1
    was = hand.picture
    assert was.traces != hand.press("Better").picture.traces
    assert hand.press("Played").picture == was
    hand.app.touch(Intent("back"))
    hand.app.touch(Intent("point", "", 2))
    hand.press("Next turning point")
    assert hand.screen.title.startswith("1. ")
    hand.press("Replay from here")
    assert isinstance(hand.app.scene, MomentScene)
    assert hand.app.scene.number == point.turn.first
    hand.app.scene = game
    hand.app.touch(Intent("point", "", 0))
    game.table.match.undo(1)
    assert "Reviewing" in words(hand.screen.blocks), "a point of a game that was changed meanwhile is none"
    hand.app.touch(Intent("next"))
    hand.app.touch(Intent("moment"))
    assert isinstance(hand.app.scene, ReviewedPoint)


def scrub(hand: Hand, turn: int, lifted: bool) -> None:
    hand.app.touch(Intent("scrub", "", looking_back.LIFTED if lifted else 1, at=(turn / 40, 0.5)))


def test_a_finger_on_the_curve_leads_to_a_turn_and_near_a_turning_point_means_it(
    hand: Hand, game: ReviewedGame
) -> None:
    scrub(hand, 30, lifted=False)
    assert hand.app.scene is game
    assert hand.blocks(ChanceCurve)[0].at == 30
    place = hand.blocks(ChanceCurve)[0].points[2]
    scrub(hand, 30, lifted=True)
    assert isinstance(hand.app.scene, MomentScene)
    assert hand.app.scene.number == game.review.turns[29].end
    hand.app.scene = game
    scrub(hand, place + 1, lifted=True)
    assert isinstance(hand.app.scene, ReviewedPoint)
    assert hand.app.scene.number == 2
    scrub(hand, 0, lifted=True)
    assert isinstance(hand.app.scene, MomentScene)
    assert hand.app.scene.number == 0


# ---- where it is offered -------------------------------------------------------------------------


def test_the_log_of_a_finished_game_alone_leads_to_its_review(hand: Hand, table: BoardTable) -> None:
    hand.app.scene = log = LogScene(table, table)
    hand.press("Review")
    assert isinstance(hand.app.scene, ReviewedGame)
    hand.press("Back")
    assert hand.app.scene is log
    table.match.undo(1)
    assert "Review" not in hand.labels, "a game that goes on has none"


@pytest.mark.parametrize(("steps", "offered"), [(None, True), (20, False)])
def test_a_saved_game_that_is_over_leads_to_its_review(hand: Hand, steps: int | None, offered: bool) -> None:
    home, table = hand.app.scene, table_of(hand, steps)
    assert isinstance(home, HomeScene)
    write_review(table.match.path, table.match.mark(len(table.match.steps)), reviewed(steps))
    table.match.close()
    shelf = SavedScene(hand.app.stage, home)
    hand.app.scene = SavedGameScene(hand.app.stage, shelf.games[0], shelf)
    assert ("Review" in hand.labels) == offered
    if offered:
        hand.press("Review")
        assert hand.blocks(ChanceCurve)[0]
        hand.press("Back")
        assert isinstance(hand.app.scene, BoardTable)


# ---- point by point, and what of luck and cards the other systems tell ---------------------------


def test_the_bars_go_on_where_the_last_one_ended_and_end_with_the_curve(hand: Hand) -> None:
    table = table_of(hand)
    write_review(table.match.path, table.match.mark(len(table.match.steps)), reviewed())
    hand.app.scene = game = ReviewedGame(table, EndScene(table))
    hand.press("Point by point")
    assert isinstance(hand.app.scene, AccountScene)
    assert "luckier with dice than" in words(hand.screen.blocks)
    own, others = account_bars(game.review.turns, table.people)
    curve = chances(reviewed(), "red")
    assert (own.bars[0].text, others.bars[-1].text) == (chance_percent(curve[0]), chance_percent(curve[-1]))
    parts = [*own.bars[1:], *others.bars[:-1]]
    assert len(parts) == 10
    told = sum(int(bar.text.replace("−", "-")) for bar in parts)
    assert told == round(100 * curve[-1]) - round(100 * curve[0])
    columns = hand.screen.blocks[0]
    assert isinstance(columns, Columns)
    assert [type(block) for block in (*columns.left, *columns.right)] == [Bars, Bars]
    hand.press("Back")
    assert hand.app.scene is game


@pytest.fixture
def battle(hand: Hand) -> BattleReview:
    hand.app.scene = EndScene(laid(hand, "sonae", WHOLE))
    hand.press("Review")
    assert isinstance(hand.app.scene, BattleReview)
    return hand.app.scene


def test_a_battle_tells_its_luck_and_claims_no_better(hand: Hand, battle: BattleReview) -> None:
    said = words(hand.screen.blocks)
    assert "with dice than" in said
    assert "Luckiest roll: " in said
    assert "can't say which order was better" in said
    match = battle.table.match
    steps = [n for n, step in enumerate(match.steps) if isinstance(step, Roll) and step.dice]
    rolled = [throw.step for throw in sonae_throws(match.positions, match.steps)]
    pools = {n: owed(match.positions[n]) for n in steps}
    assert rolled == [n for n in steps if (now := pools[n]) is not None and now.pool is not None]
    assert 0 < len(rolled) < len(steps), "a die for orders is no hit die"


def test_its_charges_have_their_odds_and_lead_to_their_moments_and_none_is_said_too(
    hand: Hand, battle: BattleReview
) -> None:
    slips = hand.blocks(Slip)
    assert slips
    assert slips[0].intent is not None
    number = slips[0].intent.n
    match = battle.table.match
    step = match.steps[number]
    assert isinstance(step, Advance)
    against, chance = charge_chance(match.positions[number], step)
    assert against
    assert f"{round(100 * chance)}% of rolls" in slips[0].text
    assert apply(match.positions[number], step) != match.positions[number]
    hand.app.touch(slips[0].intent)
    assert isinstance(hand.app.scene, MomentScene)
    battle.table.match.undo(len(match.steps))
    hand.app.scene = BattleReview(battle.table, battle.table)
    assert "No hit dice were rolled." in words(hand.screen.blocks)
    assert "Nobody charged." in words(hand.screen.blocks)


def test_a_duel_tells_what_became_of_the_cards(hand: Hand) -> None:
    hand.app.scene = EndScene(laid(hand, "generals", WHOLE))
    hand.press("Review")
    assert isinstance(hand.app.scene, DuelReview)
    said = words(hand.screen.blocks)
    assert "has no dice" in said
    assert "can't say which play was better" in said
    grid = hand.blocks(Grid)[0]
    last = hand.app.scene.table.match.position
    unplayed = next(row for row in grid.rows if row[0] == "Unplayed in hand")
    assert unplayed[1:] == tuple(str(side.hand) for side in last.sides)
