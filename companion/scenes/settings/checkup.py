"""The health check on the screen: each thing with its verdict, and crosses to test where touches land."""

from __future__ import annotations

from collections.abc import Iterable

from companion.checks.health import HealthCheck, is_well
from companion.core.background import Errand
from companion.core.language import _, plural
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene, SubScene
from companion.ui.screen import Block, Button, Crosses, Intent, Photo, Screen, StatusRow, Text, back_button

CROSSES = 5
PICTURE_PT = 170.0


class CheckScene(StageScene):
    """The results of the health check; a thread runs checks that are still to be made, as a camera is slow."""

    def __init__(self, stage: Stage, back: Scene) -> None:
        super().__init__(stage, back)
        self.checks: tuple[HealthCheck, ...] = ()
        self._come: list[HealthCheck] = []
        self._errand: Errand[None] = Errand("health-check")
        asked = stage.services.doctor() if stage.services.doctor is not None else ()
        if isinstance(asked, tuple):
            self.checks = asked
        else:
            self._errand.begin(lambda: self._look(asked))

    def _look(self, asked: Iterable[HealthCheck]) -> None:
        """Collect the checks one by one as they finish, in the errand's thread."""
        for check in asked:
            self._come.append(check)

    @property
    def looking(self) -> bool:
        """Whether the check is still running."""
        return not self._errand.idle

    def tick(self, _now_s: float) -> Scene | None:
        """Collect the checks that have finished; return this scene if any are new or the last is done, else None."""
        if not self.looking:
            return None
        before = len(self.checks)
        self._errand.fetch()
        self.checks = tuple(self._come)
        return self if len(self.checks) != before or not self.looking else None

    def show(self) -> Screen:
        """Show what needs attention first, then the rest."""
        ranked = sorted(self.checks, key=lambda check: ("bad", "note", "ok").index(check.state))
        blocks: list[Block] = [self._verdict()]
        for check in ranked:
            told = check.told.partition(", ")[0] if check.name == "versions" and check.state == "ok" else check.told
            blocks.append(StatusRow(check.state, check.title, told, check.remedy))
            if check.shot is not None:
                blocks.append(Photo(check.shot.data, check.shot.size_px, most_pt=PICTURE_PT))
        actions = (
            Button(_("Check again"), Intent("again"), "off" if self.looking else "quiet"),
            Button(_("Test the touchscreen"), Intent("crosses")),
            back_button("primary"),
        )
        return Screen(title=_("Health check"), blocks=tuple(blocks), actions=actions, page=self.page)

    def _verdict(self) -> Text:
        if self.looking:
            count = plural("{n} item checked", "{n} items checked", len(self.checks))
            return Text(_("Checking everything: {count} so far.").format(count=count), "quiet")
        if is_well(self.checks):
            return Text(_("Everything looks good."), "good")
        return Text(_("Needs attention."), "bad")

    def touch(self, intent: Intent) -> Scene | None:
        """Check again, test the touchscreen, or go back."""
        if intent.verb == "again" and not self.looking:
            return CheckScene(self.stage, self.back)
        if intent.verb == "crosses":
            return CrossesScene(self)
        if intent.verb == "back":
            self._errand.close()
        return super().touch(intent)


class CrossesScene(SubScene):
    """Five crosses to touch: if all of them can be ticked, touches land where they should."""

    def __init__(self, back: Scene) -> None:
        super().__init__(back)
        self.touched = [False] * CROSSES

    def show(self) -> Screen:
        """Show the crosses to touch, and a way to help when one doesn't respond."""
        left = self.touched.count(False)
        title = _("Touch every cross.") if left else _("Every touch hit its mark.")
        return Screen(
            title=title,
            blocks=(Crosses("cross", tuple(self.touched)),),
            actions=(
                Button(_("One doesn't respond"), Intent("help"), "quiet"),
                back_button("plain" if left else "primary"),
            ),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Tick a cross, open the explanation, or go back."""
        if intent.verb == "cross":
            self.touched[intent.n] = True
        elif intent.verb == "help":
            return TouchHelpScene(self)
        return super().touch(intent)


class TouchHelpScene(SubScene):
    """What to try if touches land in the wrong place."""

    def show(self) -> Screen:
        """Explain what to check about the screen's rotation."""
        return Screen(
            title=_("Touches land in the wrong place"),
            blocks=(
                Text(_("Is the screen rotated both in the system and in Gunbai? Rotate it in only one of them.")),
                Text(_("Gunbai's own rotation is under Settings, Seats and rotation.")),
            ),
            actions=(back_button("primary"),),
        )
