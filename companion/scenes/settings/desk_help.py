"""What the buttons beside the board do, on one page: few things, the same on every screen."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.ui.screen import Block, Button, Columns, Intent, Screen, Text

HALF = 5  # rows in each of the two columns


def rows() -> tuple[tuple[str, str], ...]:
    """(what is pressed, what it does)."""
    return (
        (_("Confirm"), _("what has the ring, else the bright button")),
        (_("Pass"), _("says no: no card, none of these; to pass, press it twice or hold it")),
        (_("Undo"), _("one back: closes what is open, else takes the last step back")),
        (_("Hold Undo"), _("all that can be taken back, or done again")),
        (_("Turn the knob, or the arrows"), _("leads the ring; an arrow that is held turns the page")),
        (_("Push the knob, or both arrows"), _("touches what has the ring")),
        (_("Hold the knob"), _("back")),
        (_("Both Confirm"), _("both agree, where both are asked; a locked screen is unlocked")),
        (_("Both Undo"), _("the menu")),
        (_("Both Pass"), _("settle an argument")),
    )


def _stack(part: tuple[tuple[str, str], ...]) -> tuple[Block, ...]:
    return tuple(text for what, does in part for text in (Text(what, "strong"), Text(does)))


class DeskHelpScene:
    """The page."""

    whole = True

    def __init__(self, back: Scene) -> None:
        self.back = back
        self.page = 0

    def show(self) -> Screen:
        """A row for each."""
        told = _("A side's buttons count while the table waits for that side. They wake the screen, and act at once.")
        return Screen(
            title=_("Buttons beside the board"),
            blocks=(Text(told, "quiet"), Columns(_stack(rows()[:HALF]), _stack(rows()[HALF:]))),
            actions=(Button(_("Back"), Intent("back"), "primary"),),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        return self.back if intent.verb == "back" else None
