"""What each roll is called, what its sixes come to in words, and why there are so many dice."""

from __future__ import annotations

from typing import get_args

import pytest

from companion.scenes.base.rules import EntryScene
from companion.scenes.sonae.rolls import BattleRollPanel, ReasonsPanel, outcome_words
from companion.text.sonae import chance_to_beat, roll_kind, roll_title
from companion.ui.screen import Dice, Intent, Odds, Slip
from engine.sonae.game import owed
from engine.sonae.pools import ROLLED, pool_of
from engine.sonae.position import Due, DueKind
from engine.sonae.steps import Closing as Closed
from engine.sonae.steps import Done, Fire, Roll
from tests.companion.sonae.battle import SHOCK, TEPPO, charged, near, played, position_at, rolled, sixes, table_at
from tests.companion.touching import Hand


def test_so_many_sixes_are_one_touch(hand: Hand) -> None:
    near(hand)
    played(hand, Fire(SHOCK, TEPPO))
    assert hand.screen.blocks[1] == Dice((1, 1), sixes=True)
    assert "is hit and must test Morale" in hand.text()
    assert "is not hit" in hand.text()
    for n in (0, 3, -1):
        hand.app.touch(Intent("sixes", "", n))
    assert not isinstance(table_at(hand).match.steps[-1], Roll), "two dice show no more than two sixes"
    hand.app.touch(Intent("sixes", "", 1))
    assert table_at(hand).match.steps[-1] == Roll((6, 1), "maru")
    assert position_at(hand).due[0].kind == "reply"


def test_no_six_is_the_bright_button(hand: Hand) -> None:
    near(hand)
    played(hand, Fire(SHOCK, TEPPO))
    assert hand.button("No six").look == "primary"
    hand.press("No six")
    assert table_at(hand).match.steps[-1] == Roll((1, 1), "maru")


def test_what_a_dice_tray_tells_is_looked_at_before_it_counts(hand: Hand) -> None:
    near(hand)
    played(hand, Fire(SHOCK, TEPPO))
    panel = table_at(hand).panel
    assert isinstance(panel, BattleRollPanel)
    assert panel.enter_dice((6, 3))
    assert hand.screen.blocks[1] == Dice((6, 3), sixes=True)
    assert "is not hit" not in hand.text()
    hand.press("1 six")
    assert table_at(hand).match.steps[-1] == Roll((6, 3), "maru")


def test_the_pool_is_told_part_by_part_with_its_sections(hand: Hand) -> None:
    charged(hand)
    played(hand, Closed("shikaku", True))
    rolled(hand, 0)
    played(hand, Done())
    hand.press("Why so many?")
    slips = [block for block in hand.screen.blocks if isinstance(block, Slip)]
    assert [(slip.title, slip.cite) for slip in slips] == [
        ("4 standard", "Close Combat"),
        ("+1 charge", "Close Combat"),
    ]
    odds = next(block for block in hand.screen.blocks if isinstance(block, Odds))
    assert sum(share.part for share in odds.shares) == pytest.approx(1)
    assert isinstance(table_at(hand).panel, ReasonsPanel)
    hand.app.touch(Intent("nothing"))
    hand.press("Back")
    assert isinstance(table_at(hand).panel, BattleRollPanel)
    sixes(hand, 1)
    assert "−1 this unit's melee, −1 Closing Fire" in hand.text()


def test_a_melee_says_who_answers_and_then_what_wins(hand: Hand) -> None:
    charged(hand)
    played(hand, Closed("shikaku", False), Done())
    assert "More sixes win; with none at all both fall back" in hand.text()
    sixes(hand, 1)
    assert "1 against" in hand.text()


@pytest.mark.parametrize("kind", [kind for kind in get_args(DueKind) if kind in ROLLED])
def test_every_roll_has_a_name_and_outcomes_in_words(hand: Hand, kind: DueKind) -> None:
    position = near(hand).position
    against = ("maru-ni",) if kind in ("messenger", "intercept") else (TEPPO,)
    due = Due(kind, 0, (SHOCK,), against)
    assert roll_title(position, due)
    assert roll_kind(due)
    if kind != "orders":
        told = {outcome_words(position, due, n) for n in range(4)}
        assert all(text and "{" not in text for text in told)


def test_shock_has_its_grades(hand: Hand) -> None:
    charged(hand)
    played(hand, Closed("shikaku", False), Done())
    rolled(hand, 2, 0)
    due = position_at(hand).due[0]
    told = [outcome_words(position_at(hand), due, n) for n in (1, 2, 3)]
    assert "destroyed, Maru-ichi Shock Sonae 1 is fatigued" in told[0]
    assert "Two sixes" in told[1]
    assert "you get a bonus order" in told[2]


def test_the_shock_table_is_two_touches_from_its_roll(hand: Hand) -> None:
    charged(hand)
    played(hand, Closed("shikaku", False), Done())
    rolled(hand, 2, 0)
    hand.press("Why so many?", "The rule")
    assert isinstance(hand.app.scene, EntryScene)
    assert hand.screen.title == "Shock table"
    assert "the winner gets a bonus order at once" in hand.text()
    hand.press("All rules")
    assert hand.screen.title == "The rules"
    hand.press("Back")
    assert isinstance(table_at(hand).panel, ReasonsPanel)


def test_a_victor_may_decline_shock_in_half_the_room_too(hand: Hand) -> None:
    charged(hand)
    played(hand, Closed("shikaku", False), Done())
    panel = table_at(hand).panel
    assert isinstance(panel, BattleRollPanel)
    assert [action.label for action in panel.show_to("red").actions] == ["Undo", "Why so many?", "No six"]
    hand.app.touch(Intent("decline"))
    rolled(hand, 2, 0)
    panel = table_at(hand).panel
    assert isinstance(panel, BattleRollPanel)
    assert [action.label for action in panel.show_to("red").actions] == ["Undo", "No shock", "No six"]
    hand.press("No shock")
    assert position_at(hand).unit(TEPPO) is not None


def test_by_the_reading_shock_first_one_six_only_makes_worse(hand: Hand) -> None:
    from dataclasses import replace

    position = replace(near(hand).position, readings=frozenset({"shock-first"}))
    due = Due("shock", 0, (SHOCK,), (TEPPO,))
    assert "drops one status" in outcome_words(position, due, 1)


def test_the_chance_that_one_pool_beats_another_is_exact(hand: Hand) -> None:
    near(hand)
    played(hand, Fire(SHOCK, TEPPO))
    now = owed(position_at(hand))
    assert now is not None
    pool = pool_of(position_at(hand), now.due)
    assert chance_to_beat(pool, pool) == (1 - sum(part * part for part in pool.odds.values())) / 2
