"""Battles of Sonae: set-up, laying the field, everything that is owed, orders, the ruler, by hand, the end."""

from __future__ import annotations

from collections.abc import Callable

from companion.demo.field_eye import SimulatedFieldEye
from companion.scenes.home.home import setup_of
from companion.scenes.sonae.by_hand import ByHandScene
from companion.scenes.sonae.questions import MayScene, RulerScene
from companion.scenes.sonae.score import BattleScore
from companion.scenes.sonae.setup import BattleSetupScene
from companion.ui.screen import Intent
from engine.sonae.steps import Agreed, Closing, Done, Fire, Settle, Step, Token
from hardware.events import Thrown
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene, scenes_after
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
    scene.setup.name_player("maru", "Ana")


@scene
def battle_setup_with_a_camera(hand: Hand) -> None:
    equip(hand.app.stage, field_eye=SimulatedFieldEye(3))
    battle_setup(hand)


def after(begin: Callable[[Hand], object], *steps: Step) -> Callable[[Hand], None]:
    """Return what begins a battle and plays these steps."""

    def play(hand: Hand) -> None:
        begin(hand)
        played(hand, *steps)

    return play


def unit(hand: Hand) -> None:
    """Choose a base that is near its enemies."""
    near(hand)
    hand.app.touch(Intent("unit", SHOCK))


def melee(hand: Hand, *rolls: tuple[int, ...]) -> None:
    """Charge and fight, with these rolls."""
    after(charged, Closing("shikaku", False), Done())(hand)
    for faces in rolls:
        rolled(hand, *faces)


@scene
def battle_charge(hand: Hand) -> None:
    near(hand)
    finger(hand, (6.0, 6.4), (6.0, 7.2), (6.0, 8.0))


@scene
def battle_may(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = MayScene(table, table)
    hand.app.touch(Intent("unit", SHOCK))


@scene
def battle_score(hand: Hand) -> None:
    table = acting(hand)
    hand.app.scene = BattleScore(table, table)


@scene
def battle_orders_die_of_a_tray(hand: Hand) -> None:
    settled(hand)
    played(hand, Token("maru"))
    hand.app.touch(Intent("division", "maru-ichi"))
    assert table_at(hand).hear(Thrown((4,), 0.0))


@scene
def battle_move(hand: Hand) -> None:
    unit(hand)
    finger(hand, (6.0, 7.2))


@scene
def battle_ways(hand: Hand) -> None:
    unit(hand)
    finger(hand, (6.0, 9.0))


@scene
def battle_too_far(hand: Hand) -> None:
    battle_move(hand)
    for _n in range(20):
        hand.app.touch(Intent("key", "right"))


@scene
def battle_dice_of_a_tray(hand: Hand) -> None:
    after(near, Fire(SHOCK, TEPPO))(hand)
    assert table_at(hand).hear(Thrown((6, 2), 0.0))


@scene
def battle_morale(hand: Hand) -> None:
    after(near, Fire(SHOCK, TEPPO))(hand)
    rolled(hand, 1, 0)


@scene
def battle_ruler(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = RulerScene(table, table, (SHOCK, TEPPO))


@scene
def battle_by_hand(hand: Hand) -> None:
    table = near(hand)
    played(hand, Agreed({HONJIN: {"status": "brittle"}, "maru-san-melee": None}))
    hand.app.scene = ByHandScene(table, table)


@scene
def battle_over(hand: Hand) -> None:
    battle_morale(hand)
    played(hand, Agreed(winner="maru"))


scenes_after(
    __name__,
    {
        "battle_messenger": (after(begun, Settle("maru", "encamped", "maru-ni")),),
        "battle_division": (after(settled, Token("maru")),),
        "battle_orders_die": ("battle_division", Intent("division", "maru-ichi")),
        "battle_unit": (unit,),
        "battle_fire_dice": (after(near, Fire(SHOCK, TEPPO)),),
        "battle_closing_fire": (after(charged, Closing("shikaku", True)),),
        "battle_melee": (melee,),
        "battle_shock": (lambda hand: melee(hand, (2, 0)),),
        "battle_bonus": (lambda hand: melee(hand, (2, 0), (3,)),),
        "battle_scenarios": ("battle_setup", Intent("scenarios")),
        "battle_laying_ground": ("battle_setup", "Next"),
        "battle_laying_units": ("battle_laying_ground", "Next", "Shock Sonae 1"),
        "battle_settles": (begun,),
        "battle_token": (settled,),
        "battle_orders": (near,),
        "battle_turn": ("battle_move", Intent("turn", "", 1)),
        "battle_ruling": ("battle_too_far", Intent("confirm")),
        "battle_closing": (charged,),
        "battle_reasons": ("battle_melee", "Why so many?"),
        "battle_dispute": (near, "Ask"),
        "battle_by_hand_unit": ("battle_by_hand", Intent("unit", SHOCK), Intent("status", "wavering")),
        "battle_figures": ("battle_over", Intent("score"), Intent("details"), Intent("figures")),
        # the sections of the rules
        "battle_rules": (near, Intent("rules")),
        # the Shock table, as a roll leads to it
        "battle_rule": (near, Intent("rules", "section:shock")),
    },
)
