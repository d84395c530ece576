"""Point by point, and the reviews of the two systems without a player of theirs: luck, charges, cards."""

from __future__ import annotations

import pytest

from companion.games.reviews import write_review
from companion.games.sonae import sonae_throws
from companion.scenes.disputes.moment import MomentScene
from companion.scenes.generals.score import DuelReview
from companion.scenes.review.looking_back import AccountScene, ReviewedGame, account_bars
from companion.scenes.sonae.score import BattleReview
from companion.scenes.table.ending import EndScene
from companion.text.percent import chance_percent
from companion.ui.screen import Bars, Columns, Grid, Slip
from engine.orders.player.review import chances
from engine.sonae.game import apply, owed
from engine.sonae.prospects import charge_chance
from engine.sonae.steps import Advance, Roll
from tests.companion.gallery.rooms.log import table_of
from tests.companion.plain_tables import WHOLE, laid
from tests.companion.sample_reviews import reviewed
from tests.companion.touching import Hand, words


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


def test_its_charges_have_their_odds_and_lead_to_their_moments(hand: Hand, battle: BattleReview) -> None:
    slips = [block for block in hand.screen.blocks if isinstance(block, Slip)]
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


def test_a_battle_without_charges_and_dice_says_so(hand: Hand) -> None:
    table = laid(hand, "sonae", 0)
    hand.app.scene = BattleReview(table, table)
    assert "No hit dice were rolled." in words(hand.screen.blocks)
    assert "Nobody charged." in words(hand.screen.blocks)


def test_a_duel_tells_what_became_of_the_cards(hand: Hand) -> None:
    hand.app.scene = EndScene(laid(hand, "generals", WHOLE))
    hand.press("Review")
    assert isinstance(hand.app.scene, DuelReview)
    said = words(hand.screen.blocks)
    assert "has no dice" in said
    assert "can't say which play was better" in said
    grid = next(block for block in hand.screen.blocks if isinstance(block, Grid))
    last = hand.app.scene.table.match.position
    unplayed = next(row for row in grid.rows if row[0] == "Unplayed in hand")
    assert unplayed[1:] == tuple(str(side.hand) for side in last.sides)
