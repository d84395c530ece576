"""An update from a memory stick: what it brings, and how far its installation is."""

from __future__ import annotations

from functools import partial

from companion.appliance.sticks import Offer, Progress, StickWork
from companion.core.background import Errand
from companion.core.errors import ApplianceError
from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Intent, Screen, Text, back_button

UPDATE_LOOK_S = 2.0


class UpdateScene(SubScene):
    """An update from a stick, before and while it is installed; root checks the file again and restarts the app."""

    def __init__(self, work: StickWork, offer: Offer, back: Scene) -> None:
        super().__init__(back)
        self.work = work
        self.offer = offer
        self.begun, self.fault, self.line = False, "", ""
        self._looked_s = 0.0
        self._errand: Errand[Progress | str] = Errand("update")

    def show(self) -> Screen:
        """Offer the update, or show how far it has got."""
        title = _("Update to {version}").format(version=self.offer.version)
        if self.begun:
            return Screen(title=title, blocks=self._under_way())
        old = _("In use now: {version}").format(version=self.work.version.partition("-")[0])
        blocks: list[Block] = [Text(old, "quiet")]
        if self.fault:
            blocks.append(Text(self.fault, "bad"))
        elif self.offer.fault:
            blocks.append(Text(fault_words(self.offer.fault), "bad"))
        else:
            blocks.append(Text(_("Signed by someone this machine trusts."), "good"))
        if self.offer.news:
            blocks.append(Text(_("What's new"), "strong"))
            blocks += [Text(f"· {line}") for line in self.offer.news]
        ways = () if self.offer.fault else (Button(_("Install"), Intent("install"), "primary", "redo"),)
        actions = (back_button("plain" if ways else "primary"), *ways)
        return Screen(title=title, blocks=tuple(blocks), actions=actions, page=self.page)

    def _under_way(self) -> tuple[Block, ...]:
        return (
            Text(_("Installing. This takes a few minutes; leave the stick in."), "strong"),
            Text(
                _(
                    "The screen goes dark for a moment before the new Gunbai starts. "
                    "If it doesn't start, you get the old one back. Your games are safe."
                )
            ),
            *((Text(self.line, "quiet"),) if self.line else ()),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Begin to install, or go back; while it is being installed, stay."""
        if self.begun:
            return None
        if intent.verb == "install" and not self.offer.fault:
            self.begun, self.fault = True, ""
            self._errand.begin(self._begin)
            return None
        if intent.verb == "back":
            self._errand.close()
        return super().touch(intent)

    def _begin(self) -> Progress | str:
        """Ask systemd to begin the update, in a thread; return the progress, or why it failed."""
        try:
            self.work.begin_update(self.offer)
        except ApplianceError as error:
            return fault_words(error)
        return Progress(running=True)

    def wait(self) -> None:
        """Wait until the request has been answered."""
        self._errand.wait()

    def tick(self, now_s: float) -> Scene | None:
        """Follow the update and return the scene if it has news: how far it is, or how it ended.

        After a successful update this app may no longer be running to say so.
        """
        if not self.begun:
            return None
        told = self._errand.fetch()
        if told is None:
            if self._errand.idle and now_s - self._looked_s >= UPDATE_LOOK_S:
                self._looked_s = now_s
                self._errand.begin(partial(self.work.progress, self.offer))
            return None
        if isinstance(told, Progress) and told.running:
            before, self.line = self.line, fault_words(told.line)
            return self if self.line != before else None
        if isinstance(told, Progress) and told.well:
            self.line = _("Installed. Restart to use it.")
            return self
        why = told if isinstance(told, str) else fault_words(told.line)
        self.begun = False
        self.fault = _("Not installed: {why}.").format(why=why.rstrip("."))
        return self
