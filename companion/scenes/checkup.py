"""The self-check on the screen: each thing with its verdict, and crosses to try where touches land."""

from __future__ import annotations

from companion.health import Check, is_well
from companion.language import _
from companion.scenes.screen import Block, Button, Crosses, Intent, Screen, Text, Thing
from companion.scenes.stage import Scene, Stage

CROSSES = 5


class CheckScene:
    """What was found; checked anew each time the scene is opened."""

    whole = True

    def __init__(self, stage: Stage, back: Scene) -> None:
        self.stage = stage
        self.back = back
        self.page = 0
        self.found: tuple[Check, ...] = stage.doctor() if stage.doctor is not None else ()

    def show(self) -> Screen:
        """What is to be done first, then the rest."""
        ranked = sorted(self.found, key=lambda check: ("bad", "note", "ok").index(check.state))
        told = _("All is well.") if is_well(self.found) else _("Something is to be done.")
        blocks: list[Block] = [Text(told, "good" if is_well(self.found) else "bad")]
        blocks += [Thing(check.state, check.title, check.told, check.remedy) for check in ranked]
        actions = (
            Button(_("Check again"), Intent("again"), "quiet"),
            Button(_("Try the touch"), Intent("crosses")),
            Button(_("Done"), Intent("back"), "primary"),
        )
        return Screen(title=_("Self-check"), blocks=tuple(blocks), actions=actions, page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Look again, try the touch, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "again":
            return CheckScene(self.stage, self.back)
        elif intent.verb == "crosses":
            return CrossesScene(self)
        return self.back if intent.verb == "back" else None


class CrossesScene:
    """Five crosses: whoever can tick them all has a screen that is touched where it shows."""

    whole = True

    def __init__(self, back: Scene) -> None:
        self.back = back
        self.touched = [False] * CROSSES

    def show(self) -> Screen:
        """The crosses, and what it means when one does not answer."""
        left = self.touched.count(False)
        told = _("Touch every cross.") if left else _("Every touch landed where it should.")
        return Screen(
            title=told,
            blocks=(Crosses("cross", tuple(self.touched)),),
            actions=(
                Button(_("A cross does not answer"), Intent("help"), "quiet"),
                Button(_("Done"), Intent("back"), "plain" if left else "primary"),
            ),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Tick a cross, explain, or go back."""
        if intent.verb == "cross":
            self.touched[intent.n] = True
        elif intent.verb == "help":
            return HelpScene(self)
        return self.back if intent.verb == "back" else None


class HelpScene:
    """What to try where touches land in the wrong place."""

    whole = True

    def __init__(self, back: Scene) -> None:
        self.back = back

    def show(self) -> Screen:
        """Two things."""
        return Screen(
            title=_("Touches land in the wrong place"),
            blocks=(
                Text(_("Is the picture turned by the system and by Gunbai? Turn it in one of the two only.")),
                Text(_("Gunbai's own rotation is under Settings, Seats and rotation.")),
            ),
            actions=(Button(_("Back"), Intent("back"), "primary"),),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Go back."""
        return self.back if intent.verb == "back" else None
