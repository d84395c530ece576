"""Going on with a draft from the disk: the eye looks at its photo anew first."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.trace.begin import CornersScene
from companion.scenes.trace.trace import TraceScene
from companion.tracing.work import TraceWork, reopened
from companion.ui.screen import Button, Intent, Screen, Text


def open_again(name: str, back: Scene) -> Scene:
    """The draft where it was left. OwnFileError, VisionError where it cannot be read."""
    work = reopened(name)
    if work.draft.grid is None:
        return CornersScene(work, back)
    return AgainScene(work, back)


class AgainScene:
    """While the photo is made straight again."""

    whole = True

    def __init__(self, work: TraceWork, back: Scene) -> None:
        self.work = work
        self.back = back
        assert work.draft.grid is not None
        work.settle(work.draft.grid)

    def show(self) -> Screen:
        """That it takes a moment."""
        text = Text(_("Looking at the photo again …"), "strong")
        return Screen(title=self.work.draft.name, blocks=(text,), actions=(Button(_("Back"), Intent("back"), "quiet"),))

    def tick(self, now_s: float) -> Scene | None:
        """On to the draft as soon as the eye is back."""
        del now_s
        return TraceScene(self.work, self.back, self.back) if self.work.fetched() else None

    def touch(self, intent: Intent) -> Scene | None:
        """Leave."""
        if intent.verb == "back":
            self.work.close()
            return self.back
        return None
