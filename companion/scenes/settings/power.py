"""Shutting the machine down or restarting it: the choice, then what is happening until the screen is dark."""

from __future__ import annotations

from companion.core.language import _
from companion.core.power import Power, PowerAction, PowerError
from companion.scenes.base.stage import Scene
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Text, back_button


def power_button() -> Button:
    """Make the button that opens the choice to shut down or restart."""
    return Button(_("Switch off"), Intent("power"), "quiet", "power", _("or restart"))


class PowerScene:
    """The choice to shut down or restart, and what is shown while that happens."""

    shared = True  # it concerns both players

    def __init__(self, power: Power, back: Scene) -> None:
        self.power = power
        self.back = back
        self.action: PowerAction | None = None
        self.fault = ""

    def show(self) -> Screen:
        """Show what is happening, or else the choice, and why the system refused the last one, if it did."""
        if self.action is not None:
            return Screen(
                title=_("Gunbai is shutting down") if self.action == "off" else _("Gunbai is restarting"),
                blocks=(Text(self._safe(), "quiet"),),
            )
        buttons = (
            Button(_("Shut down"), Intent("off"), "primary", "power"),
            Button(_("Restart"), Intent("restart"), sign="redo"),
        )
        blocks: tuple[Block, ...] = (Text(self._safe()), Buttons(buttons, 2))
        actions = (back_button("plain"),)
        return Screen(title=_("Switch off"), blocks=blocks, actions=actions, banner=self.fault, banner_tone="bad")

    @staticmethod
    def _safe() -> str:
        return _("Every confirmed step is saved. You can also just pull the plug: no game is lost.")

    def touch(self, intent: Intent) -> Scene | None:
        """Begin to shut down or restart, or go back."""
        if intent.verb == "back" and self.action is None:
            return self.back
        if intent.verb in ("off", "restart") and self.action is None:
            self.fault, self.action = "", "off" if intent.verb == "off" else "restart"
            self.power.begin(self.action)
        return None

    def tick(self, _now_s: float) -> Scene | None:
        """Continue the action; if the system refuses, say so and let people choose again."""
        if self.action is None:
            return None
        try:
            self.power.tick()
        except PowerError as error:
            form = _("The system refused ({fault}). You can pull the plug anyway: no game is lost.")
            self.fault, self.action = form.format(fault=error), None
            return self
        return None
