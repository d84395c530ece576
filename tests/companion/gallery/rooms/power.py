"""Scenes of an appliance: the machine's switch."""

from __future__ import annotations

from companion.core.power import Power, PowerAction, PowerError
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene, scenes_after
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
def power_refused(hand: Hand) -> None:
    """Show the system refusing to restart."""
    appliance(hand, "Interactive authentication required")
    for verb in ("more", "power", "restart"):
        hand.app.touch(Intent(verb))
    hand.app.tick(0.0)


scenes_after(
    __name__,
    {
        # asked once more
        "power": (appliance, Intent("more"), Intent("power")),
        # the way to power off, in the place of the way out of the app
        "power_more": (appliance, Intent("more")),
        # said until the screen is dark
        "power_under_way": ("power", Intent("off")),
    },
)
