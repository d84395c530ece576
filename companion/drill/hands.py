"""What the players of the drill do: dice entered, a turn passed, each looked at on the screen."""

from __future__ import annotations

from companion.drill.expect import ensure
from companion.drill.place import DICE
from companion.drill.player import AppPlayer


def roll(player: AppPlayer) -> None:
    """Enter the dice that are owed, all of the same face, and confirm."""
    before = len(player.confirmed)
    for _die in range(DICE):
        player.tap("die", "", 0)
    player.tap("confirm")
    ensure(len(player.confirmed) == before + 1, "the roll was not taken")


def ensure_roll_owed(player: AppPlayer) -> None:
    """DrillFailed where the screen does not ask for all the dice of the roll."""
    asked = {"die", "dice"} <= set(player.glass.touch) and "undie" not in player.glass.touch
    ensure(asked, f"the roll is not asked for again: {' / '.join(player.glass.texts)}")


def passes(player: AppPlayer) -> None:
    """Pass a turn."""
    before = len(player.confirmed)
    player.tap("pass")
    ensure(len(player.confirmed) == before + 1, "the pass was not taken")
