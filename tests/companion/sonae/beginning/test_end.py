"""How a battle ends."""

from __future__ import annotations

import pytest

from companion.app.app import App
from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.dispute import DecideScene
from companion.scenes.sonae.score import BattleScore, battle_figures
from companion.scenes.table.ending import EndScene
from companion.ui.screen import Intent, Prompt, Tally
from engine.sonae.steps import Agreed, Fire
from tests.companion.sonae.battle import SHOCK, TEPPO, near, played, rolled, row, table_at
from tests.companion.touching import Hand, buttons


def test_figures_count_losses_orders_and_luck(hand: Hand) -> None:
    near(hand)
    played(hand, Fire(SHOCK, TEPPO))
    rolled(hand, 2, 0)
    played(hand, Agreed({TEPPO: None}))
    match = table_at(hand).match
    one, other = (battle_figures(match.positions, match.steps, side) for side in (0, 1))
    assert (one.orders, one.fired, one.dice, one.sixes, one.lost) == (1, 1, 2, 2, 0)
    assert one.hoped == pytest.approx(2 / 6)
    assert (other.lost, other.units) == (1, 13)


def test_how_it_stands_and_in_figures(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = table.score()
    assert isinstance(hand.app.scene, BattleScore)
    assert hand.screen.title == "Score"
    assert [(action.label, action.look) for action in hand.screen.actions] == [("Back", "primary")]
    assert "The bridge: not held." in hand.text()
    assert "9 turns left after this one." in hand.text()
    hand.press("Statistics")
    assert "rolled no hit dice" in hand.text()
    hand.app.touch(Intent("page", "", 1))
    hand.press("Back", "Back")
    played(hand, Fire(SHOCK, TEPPO))
    rolled(hand, 2, 0)
    hand.app.scene = table.score()
    hand.press("Statistics")
    assert "luckier than average" in hand.text()
    assert "unluckier than average" in hand.text()


def test_who_holds_the_objective_is_said(hand: Hand) -> None:
    table = near(hand)
    played(hand, Agreed({SHOCK: row(17.5, 5.3, 0.0)}))
    hand.app.scene = table.score()
    assert "The bridge: held by Maru." in hand.text()
    tally = next(block for block in hand.screen.blocks if isinstance(block, Tally))
    assert [side.won for side in tally.sides] == [True, False]


def test_the_winner_is_decided_by_hand_and_home_follows(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = table.score()
    hand.press("Declare the winner")
    assert isinstance(hand.app.scene, DecideScene)
    hand.press("Back", "Declare the winner", "Bo")
    assert isinstance(hand.app.scene, ConsentScene)
    hand.app.touch(Intent("agree", "red"))
    hand.app.touch(Intent("agree", "blue"))
    assert table.position.winner_name == "shikaku"
    assert isinstance(hand.app.scene, EndScene)
    assert "Agreed by the players." in hand.text()
    result = table.details(hand.app.scene).show()
    assert result.title == "The battle is over"
    assert [block.text for block in result.blocks if isinstance(block, Prompt)] == [
        "Shikaku wins: agreed by the players."
    ]
    assert "Declare the winner" not in {button.label for button in buttons(result.blocks)}
    assert [(action.label, action.look) for action in result.actions] == [("Back", "quiet"), ("Home", "primary")]
    hand.press("Home")
    assert hand.app.scene is hand.app.home


def test_the_apps_own_home_opens_it_again(hand: Hand, app: App) -> None:
    table = near(hand)
    path = table.match.path
    table.match.close()
    again = app.stage.services.games.open(path)
    assert again.position == table.position
    again.close()
