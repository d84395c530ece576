"""The end of the tracer: what is missing or impossible, each fault with a touch that leads to it; the board saved."""

from __future__ import annotations

from companion.core.language import _, plural
from companion.scenes.base.map_picture import start_picture
from companion.scenes.base.stage import Scene
from companion.text.orders import board_title, sentence
from companion.tracing.fault_sentences import fault_sentence
from companion.tracing.work import TraceWork
from companion.ui.screen import Block, Intent, Screen, Slip, Text, back_button
from engine.orders.board import Board


def check_blocks(work: TraceWork) -> tuple[Block, ...]:
    """Return the verdict, and one slip for each fault."""
    faults = work.faults()
    grave = sum(fault.grave for fault in faults)
    slips = (
        Slip(sentence(fault_sentence(fault)), intent=Intent("fault", "", number), mark="no" if fault.grave else "")
        for number, fault in enumerate(faults)
    )
    return (_verdict(len(faults), grave), *slips)


def _verdict(count: int, grave: int) -> Block:
    if grave:
        text = plural(
            "Fix {n} problem before saving.",
            "Fix {n} problems before saving.",
            grave,
        )
        return Text(text, "bad")
    if count:
        return Text(_("Ready to save. Check what you may have missed:"), "strong")
    return Text(_("Everything looks right."), "good")


class SavedBoardScene:
    """A board was saved: there it is, ready to be played."""

    whole = True

    def __init__(self, work: TraceWork, board: Board, back: Scene) -> None:
        self.work = work
        self.board = board
        self.back = back

    def show(self) -> Screen:
        """Show the board as the app draws it."""
        return Screen(
            title=_("Your board is ready"),
            blocks=(
                Text(board_title(self.board), "strong"),
                Text(
                    _(
                        "You can now choose it for a new game. Set up the camera on it, and it's watched like any "
                        "other board."
                    )
                ),
            ),
            actions=(back_button("primary", verb="done"),),
            map=start_picture(self.board),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Go back to where tracing began."""
        if intent.verb == "done":
            self.work.close()
            return self.back
        return None
