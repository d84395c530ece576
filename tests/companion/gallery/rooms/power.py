"""Scenes of an appliance: the machine's switch."""

from __future__ import annotations

from companion.core.power import Power, PowerAction, PowerError
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene
from tests.companion.touching import Hand


class Switch(Power):
    """A switch that does what it is told, or refuses, at once."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.fault, self.asked = fault, list[PowerAction]()

    def begin(self, action: PowerAction) -> None:
        self.asked.append(action)

    def tick(self) -> None:
        if self.fault:
            raise PowerError(self.fault)


def appliance(hand: Hand, fault: str = "") -> Switch:
    """Make the app's machine one that is there for Gunbai alone."""
    switch = Switch(fault)
    equip(hand.app.stage, power=switch)
    return switch


@scene
def power(hand: Hand) -> None:
    """Asked once more."""
    appliance(hand)
    for verb in ("more", "power"):
        hand.app.touch(Intent(verb))


@scene
def power_more(hand: Hand) -> None:
    """Show the way to power off, in the place of the way out of the app."""
    appliance(hand)
    hand.app.touch(Intent("more"))


@scene
def power_under_way(hand: Hand) -> None:
    """Said until the screen is dark."""
    power(hand)
    hand.app.touch(Intent("off"))


@scene
def power_refused(hand: Hand) -> None:
    """Show the system refusing to restart."""
    appliance(hand, "Interactive authentication required")
    for verb in ("more", "power", "restart"):
        hand.app.touch(Intent(verb))
    hand.app.tick(0.0)
