"""The first activation of a battle of Sonae: a token, orders, a move, a charge and its melee.

Everything that is said of it here is checked against the engine by the test that plays it.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.language import _
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.learn.lesson import Lesson, Tutorial
from companion.scenes.sonae.table import BattleTable
from companion.ui.screen import Intent
from engine.sonae.steps import Agreed, Settle

SCENARIO = "maru-shikaku"
SHOCK = "maru-ichi-shock-1"
PLACES: Mapping[str, tuple[float, float, float]] = {  # x, y in Movements, facing in degrees, before the first token
    SHOCK: (12.0, 7.0, 0.0),
    "maru-ichi-command": (10.6, 5.6, 0.0),
    "shikaku-san-firing": (12.0, 11.0, 180.0),
}
CONFIRM = Intent("confirm")
UNIT = Intent("unit", SHOCK)
FIRST_DIE = Intent("die", "", 0)
FIELD = ("picture",)


def first_battle() -> Tutorial:
    """All of it, in the language in use."""
    ending = _("That's an activation. Draw the next token, until the bag is empty: then the turn is over. Gunbai "
               "counts every die, and the ruler button measures anything.")  # fmt: skip
    return Tutorial("sonae", _begin, (*_command(), *_charge(), *_melee()), ending)


def _begin(stage: Stage, home: Scene) -> Scene:
    """Both generals are in their camps, and two units stand face to face."""
    match = stage.services.games.start({"system": "sonae", "scenario": SCENARIO})
    rows = {name: {"x": x, "y": y, "facing": facing} for name, (x, y, facing) in PLACES.items()}
    for step in (Settle("maru", "encamped"), Settle("shikaku", "encamped"), Agreed(rows)):
        ruling = match.offer(step)
        assert ruling.legal, ruling.objections
    return BattleTable(stage, match, home)


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
            (Intent("face", "", 4), CONFIRM),
        ),
    )  # fmt: skip


def _charge() -> tuple[Lesson, ...]:
    return (
        Lesson(
            _("Advance"),
            _("Each order moves a unit, turns it, or lets it fire. Touch Shock Sonae 1, then Advance. It's set to "
              "go 2 Movements straight ahead: confirm."),
            (UNIT, Intent("order", "advance"), CONFIRM),
            FIELD,
        ),
        Lesson(
            _("Charge!"),
            _("Now the enemy is in reach. Touch the unit again and charge: its second order. The red panel "
              "says what follows before you confirm."),
            (UNIT, Intent("order", "charge", 1), CONFIRM),
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
            _("Only sixes count. Gunbai says how many dice you roll and why. Suppose you get one six: touch a die, "
              "then confirm."),
            (FIRST_DIE, CONFIRM),
        ),
        Lesson(
            _("They strike back"),
            _("The gunners are poor at melee: 3 dice. Suppose no six comes up."),
            (CONFIRM,),
        ),
        Lesson(
            _("Shock"),
            _("The winner may press on with a shock roll. One six is enough: the gunners are destroyed."),
            (FIRST_DIE, CONFIRM),
        ),
        Lesson(
            _("The count"),
            _("Shikaku is down to 13 units. Destroy the army, or hold the bridge when the last turn ends."),
            names=FIELD,
            status=True,
        ),
    )  # fmt: skip
