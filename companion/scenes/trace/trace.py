"""Tracing a board: page after page is set by touch on the straight photo, then checked and saved."""

from __future__ import annotations

import math
from dataclasses import replace

from companion.core.language import _, plural
from companion.scenes.base.map_picture import start_picture
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.trace.numbers import OwnCardScene, card_blocks, support_blocks, support_changed
from companion.scenes.trace.pages import BORDERED, draft_picture, first_tool, page_title, pages, palette, tool_of
from companion.text.orders import board_title, sentence
from companion.tracing.checker import fault_sentence
from companion.tracing.draft import Home
from companion.tracing.edits import ToolTouch
from companion.tracing.hexes import Point, neighbours
from companion.tracing.symmetry import KINDS, fill_in, symmetry_of
from companion.tracing.viewport import BoardImage, Viewport
from companion.tracing.work import TraceWork
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text, back_button
from engine.orders.board import Board

DRAGGED = 0.03
"""As a fraction of the picture's width: a finger that moved less made a touch, not a drag."""


class TraceScene:
    """The pages of the tracer, one after the other; every change is saved at once."""

    whole = True

    def __init__(self, work: TraceWork, back: Scene, home: Scene) -> None:
        self.work = work
        self.back = back  # before the first page
        self.home = home  # after the last one
        self.banner = ""
        self.image = BoardImage(work.sheet())
        self.window = Viewport(work.draft.size_mm)
        self.chosen: Home | None = None
        self.leaf = 0
        self._go("areas")
        self._down: Point | None = None
        self._last = (0.0, 0.0)
        self._moved = False
        self._finger: Point | None = None

    def _go(self, page: str) -> None:
        self.page = page
        self.held = first_tool(page, self.work.mode)
        self.leaf = 0

    # ---- what is shown ----------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the page: the straightened photo with the draft, the tools, and the buttons."""
        picture = draft_picture(self.work.draft, self.image, self.window, self.page, self.chosen)
        if self._finger is not None and self.page == "spaces" and not self._moved:
            left = self.window.place(self._finger)[0] > 0.5
            picture = replace(picture, loupe=self.image.loupe(self._finger), loupe_left=left)
        if self._finger is not None and self._down is not None and self.held.verb == "section":
            (x0, y0), (x1, y1) = self._down, self._finger
            corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
            picture = replace(picture, box=tuple(map(self.window.place, corners)))
        return Screen(
            title=page_title(self.page),
            blocks=self._blocks(),
            actions=self._actions(),
            banner=self.banner,
            banner_tone="bad",
            board=picture,
            page=self.leaf,
        )

    def _blocks(self) -> tuple[Block, ...]:
        work = self.work
        if self.page == "support":
            return support_blocks(work)
        if self.page == "cards":
            return card_blocks(work)
        if self.page == "check":
            return check_blocks(work)
        tools = palette(self.page, work.mode, self.held)
        if self.page == "zones":  # many colours: to save a row, the aids share the one above them
            text, ways, *colours = tools
            assert isinstance(ways, Buttons)
            return (text, Buttons((*ways.buttons, *self._aids()), 4), *colours)
        return (*tools, Buttons(self._aids(), 2))

    def _aids(self) -> tuple[Button, ...]:
        """Return the buttons under the tools: zoom, and on the first page symmetry and swapping land and water."""
        zoom = Button(_("Zoom out") if self.window.is_zoomed else _("Zoom in"), Intent("zoom"), "quiet")
        if self.page != "areas":
            return (zoom,)
        aids = [Button(symmetry_name(self.work.draft.symmetry), Intent("symmetry"), "quiet"), zoom]
        if len({patch.kind for patch in self.work.draft.patches}) > 1:
            aids.append(Button(_("Swap land and water"), Intent("swap"), "quiet"))
        return tuple(aids)

    def _actions(self) -> tuple[Button, ...]:
        history, order = self.work.history, pages(self.work.mode)
        undo = Button(_("Undo"), Intent("undo"), "plain" if history.can_undo else "off")
        redo = Button(_("Redo"), Intent("redo"), "plain" if history.can_redo else "off")
        last = self.page == order[-1]
        on = Button(_("Save") if last else _("Next"), Intent("save" if last else "next"), "primary")
        return (back_button(), undo, redo, on)

    # ---- what is touched --------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch on a tool, the board, a number, a fault, a card, or a button of every page."""
        self.banner = ""
        match intent.verb:
            case "trace":
                self._trace(intent)
            case "tool":
                self.held = tool_of(intent)
            case "support" | "initiative" | "differs":
                self.work.put(support_changed(self.work, intent))
            case "page":
                self.leaf += intent.n
            case "fault":
                self._lead(intent.n)
            case "card":
                return OwnCardScene(self.work, intent.what, self)
            case _:
                return self._step(intent.verb)
        return None

    def _step(self, verb: str) -> Scene | None:
        """Handle the buttons that every page has."""
        if verb == "undo":
            self.work.undo()
        elif verb == "redo":
            self.work.redo()
        elif verb == "zoom":
            self.window = self.window.zoom(self._place_of(self.chosen))
        elif verb == "symmetry":
            self._symmetry()
        elif verb == "swap":
            self.work.swap_kinds()
        elif verb in ("next", "back"):
            return self._turn(1 if verb == "next" else -1)
        elif verb == "save":
            return self._save()
        return None

    def _turn(self, by: int) -> Scene | None:
        order = pages(self.work.mode)
        at = order.index(self.page) + by
        if at < 0:
            return self.back
        self._go(order[min(at, len(order) - 1)])
        self.chosen = None
        return None

    def _save(self) -> Scene | None:
        """Save the board, and return the scene that shows it; if a grave fault forbids that, say so in the banner."""
        grave = [fault for fault in self.work.faults() if fault.grave]
        if grave:
            self.banner = fault_sentence(grave[0])
            return None
        return SavedBoardScene(self.work, self.work.save_board(), self.home)

    def _symmetry(self) -> None:
        """Switch to the next kind of symmetry; unless that is none, copy to each half what only the other has."""
        order = ("", *KINDS)
        kind = order[(order.index(self.work.draft.symmetry) + 1) % len(order)]
        draft = replace(self.work.draft, symmetry=kind)
        symmetry = symmetry_of(draft, self.work.mode.factions)
        self.work.put(fill_in(draft, symmetry) if symmetry else draft)

    def _lead(self, number: int) -> None:
        """Open the page where this fault can be mended, with its place chosen."""
        faults = self.work.faults()
        if 0 <= number < len(faults):
            fault = faults[number]
            self._go(fault.page if fault.page in pages(self.work.mode) else "areas")
            self.chosen = fault.home

    def _place_of(self, home: Home | None) -> Point | None:
        draft = self.work.draft
        if isinstance(home, str):
            section = draft.section_of(home)
            return section.centre_mm if section else None
        return draft.grid.centre(home) if home is not None and draft.grid else None

    # ---- the finger on the board ------------------------------------------------------------

    def _trace(self, intent: Intent) -> None:
        """Handle a finger that comes down, moves or lifts: use the tool, draw a section, or drag the photo."""
        at_mm = self.window.board_mm(intent.at)
        if intent.n == 0:
            self._down, self._last, self._moved, self._finger = at_mm, intent.at, False, at_mm
            return
        if self._down is None:
            return
        start = self.window.place(self._down)
        self._moved = self._moved or max(abs(a - b) for a, b in zip(start, intent.at, strict=True)) > DRAGGED
        drawing = self.held.verb == "section"
        if self._moved and self.window.is_zoomed and not drawing:
            self.window = self.window.drag((intent.at[0] - self._last[0], intent.at[1] - self._last[1]))
            self._down = self.window.board_mm(intent.at)
        self._last, self._finger = intent.at, at_mm
        if intent.n == 2:
            self._left(at_mm, drawing)

    def _left(self, at_mm: Point, drawing: bool) -> None:
        """Finish what the finger was doing as it leaves the board."""
        down, self._down, self._finger = self._down, None, None
        if drawing and down is not None:
            tool = self.held
            self.work.touch(ToolTouch(tool, tool.what, None, down, at_mm))
        elif not self._moved or (self.page == "spaces" and not self.window.is_zoomed):
            self._tap(at_mm)

    def _tap(self, at_mm: Point) -> None:
        """Use the tool at a place."""
        draft, tool = self.work.draft, self.held
        home = draft.home_at(at_mm)
        if home is None or not tool.verb:
            return
        self.chosen = home
        if tool.verb == "space":
            at_mm = self.work.snap(at_mm)
            home = draft.home_at(at_mm) or home
        beside, grid = None, draft.grid
        if grid is not None and tool.verb in BORDERED and not isinstance(home, str):
            # the hex across the border that is nearest to the finger
            beside = min(neighbours(grid.flat, home), key=lambda cell: math.dist(grid.centre(cell), at_mm))
        self.work.touch(ToolTouch(tool, home, beside, at_mm))


def symmetry_name(kind: str) -> str:
    """Return the name of a kind of symmetry."""
    names = {
        "": _("Not symmetrical"),
        "mirror": _("Left mirrors right"),
        "flip": _("Top mirrors bottom"),
        "turn": _("Same when turned 180°"),
    }
    return names[kind]


def check_blocks(work: TraceWork) -> tuple[Block, ...]:
    """Return the page with the draft's faults: a verdict, and a slip for each fault."""
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


class SavedBoardScene(SubScene):
    """Shows a board that was just saved."""

    def __init__(self, work: TraceWork, board: Board, back: Scene) -> None:
        super().__init__(back)
        self.work = work
        self.board = board

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
            actions=(back_button("primary"),),
            map=start_picture(self.board),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Go back to where tracing began."""
        if intent.verb == "back":
            self.work.close()
        return super().touch(intent)
