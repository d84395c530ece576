"""Sonae lessons: the first activation of a battle, from its token to the melee; and how to lay out the field.

A test plays the lessons, and so checks against the engine what they say.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.language import _
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.learn.lesson import Box, Lesson, Tutorial, Tutorials, no_other_game
from companion.scenes.sonae.field import battle_picture
from companion.scenes.sonae.setup import SYSTEM, BattleSetupScene, LayingScene
from companion.scenes.sonae.table import BattleTable
from companion.text.saved_games import kind, system_title
from companion.ui.screen import Intent
from engine.sonae.scenario import load_scenario, scenario_names
from engine.sonae.steps import Agreed, Settle

SCENARIO = "maru-shikaku"
SHOCK = "maru-ichi-shock-1"
PLACES: Mapping[str, tuple[float, float, float]] = {  # x, y in Movements, facing in degrees, before the first token
    SHOCK: (12.0, 7.0, 0.0),
    "maru-ichi-command": (10.6, 5.6, 0.0),
    "shikaku-san-firing": (12.0, 11.0, 180.0),
}
CONFIRM, NEXT = Intent("confirm"), Intent("next")
UNIT = Intent("unit", SHOCK)
ONE_SIX = Intent("sixes", "", 1)
FIELD = ("picture",)
TICKS = ("tick",)


def first_battle() -> Tutorial:
    """Return all lessons on a first battle, in the language in use."""
    ending = _("That's an activation. Draw the next token, until the bag is empty: then the turn is over. Gunbai "
               "counts every die, and the ruler button measures anything.")  # fmt: skip

    def begin(stage: Stage, home: Scene) -> Scene:  # both generals in their camps, two units face to face
        match = stage.services.games.start({"system": SYSTEM, "scenario": SCENARIO})
        rows = {name: {"x": x, "y": y, "facing": facing} for name, (x, y, facing) in PLACES.items()}
        for step in (Settle("maru", "encamped"), Settle("shikaku", "encamped"), Agreed(rows)):
            ruling = match.offer(step)
            assert ruling.legal, ruling.objections
        return BattleTable(stage, match, home)

    return Tutorial(SYSTEM, begin, (*_command(), *_charge(), *_melee()), ending)


def _command() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Your first battle"),
            _("Maru in red, Shikaku in blue; you play both. Distances are in Movements: one is as wide as a base. "
              "Your miniatures stay in their box – touch what's highlighted."),
            names=FIELD,
        ),
        Lesson(
            _("What you see"),
            _("Units left, tokens in the bag, and the turn. There's a token for each division still to act."),
            status=True,
        ),
        Lesson(
            _("A token"),
            _("Nobody knows who acts next: you draw tokens from a bag. Suppose Maru's comes out."),
            (Intent("token", "maru"),),
        ),
        Lesson(
            _("A division"),
            _("Its side picks a division that hasn't acted this turn. Choose Maru-ichi."),
            (Intent("division", "maru-ichi"),),
            FIELD,
        ),
        Lesson(
            _("Orders"),
            _("A die plus the commander's Authority, here +1: that many orders. Suppose you roll a 4."),
            (Intent("face", "", 4),),
        ),
    )  # fmt: skip


def _charge() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Advance"),
            _("Each order moves a unit, turns it, or lets it fire. Touch Shock Sonae 1, then Advance: it goes 2 "
              "Movements straight ahead. In a battle you can also drag a unit to any place."),
            (UNIT, Intent("order", "advance")),
            FIELD,
        ),
        Lesson(
            _("Charge!"),
            _("Now the enemy is in reach, and the unit is still chosen. Charge: its second order. Each button says "
              "what follows, and Undo undoes an order."),
            (Intent("order", "charge", 1),),
            FIELD,
        ),
        Lesson(
            _("Closing Fire"),
            _("The gunners may fire first: a hit can stop you, a miss costs them a melee die. They hold fire."),
            (Intent("closing", "no"),),
            FIELD,
        ),
        Lesson(
            _("No more orders"),
            _("Three orders are left, but they can wait for a longer battle. Melee comes once the division is done."),
            (Intent("done"),),
        ),
    )  # fmt: skip


def _melee() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Melee"),
            _("Only sixes count. Gunbai says how many dice you roll and why. Suppose you get one six: touch 1."),
            (ONE_SIX,),
        ),
        Lesson(
            _("They strike back"),
            _("The gunners are poor at melee: 3 dice. Suppose no six comes up."),
            (CONFIRM,),
        ),
        Lesson(
            _("Shock"),
            _("The winner may press on with a shock roll. One six is enough: the gunners are destroyed."),
            (ONE_SIX,),
        ),
        Lesson(
            _("The count"),
            _("Shikaku is down to 13 units. Bring down the enemy general, or hold the bridge when the last turn ends."),
            names=FIELD,
            status=True,
        ),
    )  # fmt: skip


def battle_box() -> Tutorial:
    """Return the lessons on Sonae's practice battle: the ground, then a division base by base, then the rest."""

    def begin(stage: Stage, home: Scene) -> Scene:
        table = BattleTable(stage, stage.services.games.start({"system": SYSTEM, "scenario": SCENARIO}), home)
        return LayingScene(table, BattleSetupScene(stage, home, no_other_game))

    lessons = (
        Lesson(
            _("The field"),
            _("A tabletop of 24 × 18 Movements, where one Movement is as wide as a base. Lay out hills, forest, marsh, "
              "streams and the bridge as shown."),
            (NEXT,),
            ("did", "todo", "picture"),
        ),
        Lesson(
            _("A division"),
            _("Place its bases at the marked spots, facing as shown. Touch one to read its exact place."),
            (Intent("tick", SHOCK), NEXT),
            (*TICKS, "picture"),
        ),
        Lesson(
            _("The others"),
            _("The same for each division, first Maru's, then Shikaku's. With a camera and printed markers, Gunbai "
              "checks the places for you."),
            (NEXT,) * 5,
            (*TICKS, "picture"),
        ),
        Lesson(
            _("The bag"),
            _("Put one token for each division into a bag: three of each colour. You also need a handful of dice and "
              "a ruler."),
            status=True,
        ),
    )  # fmt: skip
    ending = _("The field is ready. First both generals decide: stay in camp, or mount up.")
    return Tutorial(SYSTEM, begin, lessons, ending)


TUTORIALS = Tutorials(
    lambda: _("Sonae: your first activation"),
    lambda: _("A token, orders, a charge and its melee."),
    first_battle,
    lambda: (Box(SYSTEM, system_title(SYSTEM), kind(SYSTEM), battle_box),),
    lambda: battle_picture(load_scenario(scenario_names()[0])),
)
