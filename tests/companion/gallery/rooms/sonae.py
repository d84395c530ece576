"""Battles of Sonae: set-up, laying the field, everything that is owed, orders, the ruler, by hand, the end."""

from __future__ import annotations

from companion.demo.field_eye import SimulatedFieldEye
from companion.scenes.home.game_choice import setup_of
from companion.scenes.sonae.by_hand import ByHandScene
from companion.scenes.sonae.questions import MayScene
from companion.scenes.sonae.ruler import RulerScene
from companion.scenes.sonae.score import BattleScore
from companion.scenes.sonae.setup import BattleSetupScene
from companion.ui.screen import Intent
from engine.sonae.steps import Agreed, Closing, Done, Fire, Settle, Token
from hardware.events import Thrown
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene
from tests.companion.sonae.battle import (
    HONJIN,
    SHOCK,
    TEPPO,
    acting,
    begun,
    charged,
    finger,
    near,
    played,
    rolled,
    settled,
    table_at,
)
from tests.companion.touching import Hand


@scene
def battle_setup(hand: Hand) -> None:
    hand.app.scene = scene = setup_of("sonae", hand.app.stage, hand.app.home)
    assert isinstance(scene, BattleSetupScene)
    scene.setup.name("maru", "Ana")


@scene
def battle_setup_with_a_camera(hand: Hand) -> None:
    equip(hand.app.stage, field_eye=SimulatedFieldEye(3))
    battle_setup(hand)


@scene
def battle_scenarios(hand: Hand) -> None:
    battle_setup(hand)
    hand.app.touch(Intent("scenarios"))


@scene
def battle_laying_ground(hand: Hand) -> None:
    battle_setup(hand)
    hand.press("Next")


@scene
def battle_laying_units(hand: Hand) -> None:
    battle_laying_ground(hand)
    hand.press("Next", "Shock Sonae 1")


@scene
def battle_settles(hand: Hand) -> None:
    begun(hand)


@scene
def battle_messenger(hand: Hand) -> None:
    begun(hand)
    played(hand, Settle("maru", "encamped", "maru-ni"))


@scene
def battle_token(hand: Hand) -> None:
    settled(hand)


@scene
def battle_division(hand: Hand) -> None:
    settled(hand)
    played(hand, Token("maru"))


@scene
def battle_orders_die(hand: Hand) -> None:
    battle_division(hand)
    hand.app.touch(Intent("division", "maru-ichi"))


@scene
def battle_orders_die_of_a_tray(hand: Hand) -> None:
    battle_orders_die(hand)
    assert table_at(hand).hear(Thrown((4,), 0.0))


@scene
def battle_orders(hand: Hand) -> None:
    near(hand)


@scene
def battle_unit(hand: Hand) -> None:
    near(hand)
    hand.app.touch(Intent("unit", SHOCK))


@scene
def battle_move(hand: Hand) -> None:
    battle_unit(hand)
    finger(hand, (6.0, 7.2))


@scene
def battle_ways(hand: Hand) -> None:
    battle_unit(hand)
    finger(hand, (6.0, 9.0))


@scene
def battle_turn(hand: Hand) -> None:
    battle_move(hand)
    hand.app.touch(Intent("turn", "", 1))


@scene
def battle_too_far(hand: Hand) -> None:
    battle_move(hand)
    for _n in range(20):
        hand.app.touch(Intent("key", "right"))


@scene
def battle_ruling(hand: Hand) -> None:
    battle_too_far(hand)
    hand.app.touch(Intent("confirm"))


@scene
def battle_charge(hand: Hand) -> None:
    near(hand)
    finger(hand, (6.0, 6.4), (6.0, 7.2), (6.0, 8.0))


@scene
def battle_fire_dice(hand: Hand) -> None:
    near(hand)
    played(hand, Fire(SHOCK, TEPPO))


@scene
def battle_dice_of_a_tray(hand: Hand) -> None:
    battle_fire_dice(hand)
    assert table_at(hand).hear(Thrown((6, 2), 0.0))


@scene
def battle_morale(hand: Hand) -> None:
    near(hand)
    played(hand, Fire(SHOCK, TEPPO))
    rolled(hand, 1, 0)


@scene
def battle_closing(hand: Hand) -> None:
    charged(hand)


@scene
def battle_closing_fire(hand: Hand) -> None:
    charged(hand)
    played(hand, Closing("shikaku", True))


@scene
def battle_melee(hand: Hand) -> None:
    charged(hand)
    played(hand, Closing("shikaku", False), Done())


@scene
def battle_reasons(hand: Hand) -> None:
    battle_melee(hand)
    hand.press("Why so many?")


@scene
def battle_shock(hand: Hand) -> None:
    battle_melee(hand)
    rolled(hand, 2, 0)


@scene
def battle_bonus(hand: Hand) -> None:
    battle_shock(hand)
    rolled(hand, 3)


@scene
def battle_ruler(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = RulerScene(table, table, (SHOCK, TEPPO))


@scene
def battle_may(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = MayScene(table, table)
    hand.app.touch(Intent("unit", SHOCK))


@scene
def battle_dispute(hand: Hand) -> None:
    near(hand)
    hand.press("Ask")


@scene
def battle_by_hand(hand: Hand) -> None:
    table = near(hand)
    played(hand, Agreed({HONJIN: {"status": "brittle"}, "maru-san-melee": None}))
    hand.app.scene = ByHandScene(table, table)


@scene
def battle_by_hand_unit(hand: Hand) -> None:
    battle_by_hand(hand)
    hand.app.touch(Intent("unit", SHOCK))
    hand.app.touch(Intent("status", "wavering"))


@scene
def battle_score(hand: Hand) -> None:
    table = acting(hand)
    hand.app.scene = BattleScore(table, table)


@scene
def battle_over(hand: Hand) -> None:
    battle_morale(hand)
    played(hand, Agreed(winner="maru"))


@scene
def battle_figures(hand: Hand) -> None:
    battle_over(hand)
    hand.app.touch(Intent("score"))
    hand.app.touch(Intent("details"))
    hand.app.touch(Intent("figures"))


@scene
def battle_rules(hand: Hand) -> None:
    """Show the sections of the rules."""
    near(hand)
    hand.app.touch(Intent("rules"))


@scene
def battle_rule(hand: Hand) -> None:
    """Show the Shock table, as a roll leads to it."""
    near(hand)
    hand.app.touch(Intent("rules", "section:shock"))
