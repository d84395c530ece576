"""Where tracing begins: which game, a word for its name, a photo; then its corners and the hexes on it.

Or it begins with a draft from the disk, once the eye has looked at its photo again.
"""

from __future__ import annotations

import re
from dataclasses import replace

from companion.core.language import _
from companion.perception.calibration import DEFAULT_CORNERS, Calibration
from companion.perception.cameras import tables_dir
from companion.perception.photo_reader import photo_files
from companion.scenes.base.ports import Cameras
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.trace.pages import draft_picture
from companion.scenes.trace.trace import TraceScene
from companion.text.faults import fault_words
from companion.tracing.draft import Corner
from companion.tracing.hexes import BoardGrid, Point
from companion.tracing.viewport import BoardImage, Viewport
from companion.tracing.work import TraceWork, free_name, new_draft, reopen_draft
from companion.ui.intents import Place
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Intent,
    Photo,
    PhotoPicture,
    Screen,
    Text,
    back_button,
    cancel_button,
)
from companion.ui.table_pictures import DraftPicture, Mark
from engine.orders.mode import load_mode, mode_names
from vision.errors import VisionError
from vision.frame import load_picture
from vision.geometry import Picture
from vision.live.preview import Preview, detail_of, preview_of
from vision.table import Table

MOST_FILES = 4
REACH = 0.12
"""How far from a ring a finger may come down to drag it, as a fraction of the photo's width."""
LOUPE_REACH_PX, LOUPE_PX = 40.0, 336
"""Half the side of what the loupe shows, on a photo 1280 px long; and the side it is drawn with."""
NOT_IN_WORDS = re.compile(r"[^a-z0-9]+")


class ModeScene(SubScene):
    """Asks for the mode of the board to trace."""

    def __init__(self, cameras: Cameras | None, back: Scene) -> None:
        super().__init__(back)
        self.cameras = cameras

    def show(self) -> Screen:
        """Show a button for each mode."""
        buttons = tuple(Button(_(load_mode(name).title), Intent("mode", name)) for name in mode_names())
        text = Text(_("Scan your board: one photo, about ten minutes."))
        return Screen(title=_("Which board is it?"), blocks=(text, Buttons(buttons, 2)), actions=(back_button(),))

    def touch(self, intent: Intent) -> Scene | None:
        """Ask for a name for a board of the touched mode, or go back."""
        if intent.verb == "mode" and intent.what in mode_names():
            mode = intent.what
            ask = Ask(_("Name your board"), hint=_("e.g. kitchen"), most=14)

            def choose_source(typed: str) -> Scene:
                word = NOT_IN_WORDS.sub("", typed.lower())
                return SourceScene((mode, free_name(mode, word or "own")), self.cameras, self.back)

            return TypingScene(ask, choose_source, self)
        return super().touch(intent)


class SourceScene(SubScene):
    """Asks where the photo comes from: the camera now, a calibrated table, or a file."""

    def __init__(self, named: tuple[str, str], cameras: Cameras | None, back: Scene) -> None:
        super().__init__(back)
        self.named = named
        self.cameras = cameras
        self.banner = ""
        self.files = photo_files()[:MOST_FILES]
        self.tables = sorted(tables_dir().glob("*.table"))

    def show(self) -> Screen:
        """Show a button for each way to get a photo."""
        found: list[Block] = [Text(_("From straight above, the whole board in the picture, no pieces, even light."))]
        ways = []
        if self.cameras is not None and self.cameras.names():
            ways.append(Button(_("Take a photo now"), Intent("camera"), "primary", "camera"))
        ways += [
            Button(_("Camera set-up: {board}").format(board=path.stem), Intent("table", "", n))
            for n, path in enumerate(self.tables)
        ]
        ways += [Button(path.name, Intent("file", "", n)) for n, path in enumerate(self.files)]
        if ways:
            found.append(Buttons(tuple(ways), 2))
        else:
            found.append(Text(_("No camera, and no photos in your pictures folder."), "warn"))
        return Screen(
            title=_("A photo of the board"),
            blocks=tuple(found),
            actions=(back_button(),),
            banner=self.banner,
            banner_tone="bad",
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Load the photo and open its corners, open the live camera, or go back."""
        self.banner = ""
        if intent.verb == "camera" and self.cameras is not None:
            return CameraPhotoScene(self.cameras.begin(next(iter(self.cameras.names()))), self)
        try:
            if intent.verb == "file" and 0 <= intent.n < len(self.files):
                return self.begin(load_picture(str(self.files[intent.n])), ())
            if intent.verb == "table" and 0 <= intent.n < len(self.tables):
                table = Table.load(str(self.tables[intent.n]))
                height, width = table.reference_bgr.shape[:2]
                corners = tuple((float(x) / width, float(y) / height) for x, y in table.corners_px)
                return self.begin(table.reference_bgr, corners)
        except VisionError as error:
            self.banner = fault_words(error)
        return super().touch(intent)

    def begin(self, photo_bgr: Picture, corners: tuple[Corner, ...]) -> Scene:
        """Start a draft from this photo, and return the scene for its corners.

        corners: the board's, as fractions of the photo's width and height; empty for the usual ones.
        """
        work = TraceWork(replace(new_draft(*self.named), corners=corners or DEFAULT_CORNERS), photo_bgr)
        return TraceCornersScene(work, self.back)


class CameraPhotoScene:
    """The camera's live picture, to take the photo from."""

    whole = True

    def __init__(self, live: Calibration, source: SourceScene) -> None:
        self.live = live
        self.source = source

    def show(self) -> Screen:
        """Show what the camera sees."""
        shown = self.live.shown
        blocks: tuple[Block, ...] = (Text(_("Take everything off the board: pieces, tokens, cards, hands.")),)
        if shown is not None:
            blocks = (*blocks, Photo(shown.jpeg, shown.size_px))
        take = Button(_("Take the photo"), Intent("take"), "primary" if self.live.judged is not None else "off")
        return Screen(title=_("A photo of the board"), blocks=blocks, actions=(cancel_button(), take))

    def tick(self, now_s: float) -> Scene | None:
        """Take in what the camera sees; return this scene if that is new, else None."""
        return self if self.live.look(now_s) else None

    def touch(self, intent: Intent) -> Scene | None:
        """Take the photo or leave; either way release the camera."""
        if intent.verb == "cancel":
            self.live.close()
            return self.source
        if intent.verb == "take" and self.live.take_empty():
            picture, corners = self.live.empty, self.live.corners
            self.live.close()
            assert picture is not None
            return self.source.begin(picture, corners)
        return None


class TraceCornersScene(SubScene):
    """The photo with a ring for each corner of the board, to be dragged onto it."""

    def __init__(self, work: TraceWork, back: Scene) -> None:
        super().__init__(back)
        self.work = work
        self.banner = ""
        self.corners = list(work.draft.corners)
        self.held: int | None = None
        self._shift: Place = (0.0, 0.0)
        self._shown: Preview = preview_of(work.photo_bgr)

    def show(self) -> Screen:
        """Show the photo with its corners, and a loupe while one is dragged."""
        picture = PhotoPicture(
            self._shown.jpeg, self._shown.size_px, outlines=(tuple(self.corners),), corners=tuple(self.corners)
        )
        if self.held is not None:
            reach = LOUPE_REACH_PX * max(self._shown.of_px) / 1280
            loupe = detail_of(self.work.photo_bgr, self.corners[self.held], reach, LOUPE_PX)
            picture = replace(picture, held=self.held, loupe=loupe)
        return Screen(
            title=_("The corners of the board"),
            blocks=(
                Text(_("Drag each ring onto a corner of the board, exactly where its edges meet.")),
                Buttons((Button(_("Rotate 90°"), Intent("turn"), note=_("if it's the wrong way round")),), 1),
            ),
            actions=(back_button(), Button(_("Next"), Intent("next"), "primary")),
            banner=self.banner,
            banner_tone="bad",
            photo=picture,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Drag a corner, rotate the corners, go on to the hexes, or go back."""
        self.banner = ""
        match intent.verb:
            case "corner":
                self._drag(intent)
            case "turn":
                self.corners = [*self.corners[-1:], *self.corners[:-1]]
            case "next":
                try:
                    self.work.put_corners(self.corners)
                except VisionError as fault:
                    self.banner = fault_words(str(fault))
                    return None
                return GridScene(self.work, self, self.back)
            case "back":
                self.work.close()
        return super().touch(intent)

    def _drag(self, intent: Intent) -> None:
        """Drag the ring nearest to where the finger came down, without letting the ring jump under the finger."""
        x, y = intent.at
        if intent.n == 0:
            apart = [((a - x) ** 2 + (0.75 * (b - y)) ** 2) ** 0.5 for a, b in self.corners]
            index = apart.index(min(apart))
            self.held = index if apart[index] < REACH else None
            self._shift = (self.corners[index][0] - x, self.corners[index][1] - y)
        if self.held is None:
            return
        to = (min(max(x + self._shift[0], 0.0), 1.0), min(max(y + self._shift[1], 0.0), 1.0))
        self.corners[self.held] = to
        if intent.n == 2:
            self.held = None


class GridScene(SubScene):
    """Asks whether the hexes found on the straightened photo match the printed ones."""

    def __init__(self, work: TraceWork, back: Scene, home: Scene) -> None:
        super().__init__(back)
        self.work = work
        self.home = home
        self.touched_mm: list[Point] = []
        self.window = Viewport(work.draft.size_mm)
        work.find_grid(work.draft.corners)
        self._image: BoardImage | None = None

    def show(self) -> Screen:
        """Show the straightened photo with the grid over it."""
        grid = self.work.look.grid if self.work.look else None
        image = self._board()
        if image is None:
            return self._screen((self._hint(grid),), None)
        picture = draft_picture(replace(self.work.draft, grid=grid), image, self.window, "grid")
        dots = tuple(Mark("dot", self.window.place(at)) for at in self.touched_mm)
        tools = (
            Button(_("Zoom out") if self.window.is_zoomed else _("Zoom in"), Intent("zoom"), "quiet"),
            Button(_("Look again"), Intent("again"), "quiet"),
        )
        return self._screen((self._hint(grid), Buttons(tools, 2)), replace(picture, marks=dots))

    def _screen(self, blocks: tuple[Block, ...], picture: DraftPicture | None) -> Screen:
        look = self.work.look
        ready = look is not None and look.grid is not None and not self.work.busy
        return Screen(
            title=_("The hexes"),
            blocks=blocks,
            actions=(back_button(), Button(_("They fit"), Intent("next"), "primary" if ready else "off")),
            banner=fault_words(self.work.fault) if self.work.fault else "",
            banner_tone="bad",
            board=picture,
        )

    def _hint(self, grid: BoardGrid | None) -> Block:
        if self.work.busy:
            return Text(_("Looking for the hexes …"), "strong")
        if grid is None:
            return Text(_("No hexes found. Touch the centres of two neighbouring hexes, then one far away."), "warn")
        look = self.work.look
        if look is not None and not look.is_sure:
            return Text(_("Not quite sure. If the lines don't fit, touch the centres of three hexes."), "warn")
        return Text(_("The thin lines should match the printed hexes. If not, touch the centres of three hexes."))

    def _board(self) -> BoardImage | None:
        try:
            sheet = self.work.sheet()
        except VisionError:
            return None
        if self._image is None or self._image.sheet is not sheet:
            self._image = BoardImage(sheet) if self._image is None or self.work.look else self._image
        return self._image

    def tick(self, _now_s: float) -> Scene | None:
        """Take in the grid, or why none was found, once the search is done; return this scene if so, else None."""
        return self if self.work.fetch() else None

    def touch(self, intent: Intent) -> Scene | None:
        """Mark the centre of a hex, zoom, look again, go on with what was found, or go back."""
        match intent.verb:
            case "trace" if intent.n == 2 and not self.work.busy:
                at_mm = self.window.board_mm(intent.at)
                self.touched_mm = [*self.touched_mm[-2:], at_mm] if len(self.touched_mm) < 3 else [at_mm]
                if len(self.touched_mm) >= 2:
                    self.work.history.touches += 1
                    self.work.grid_through(self.touched_mm)
            case "zoom":
                self.window = self.window.zoom(self.touched_mm[-1] if self.touched_mm else None)
            case "again":
                self.touched_mm = []
                self.work.look = None
                self.work.find_grid(self.work.draft.corners)
            case "next" if self.work.look is not None and self.work.look.grid and not self.work.busy:
                if not self.work.draft.patches:
                    self.work.take_proposal()
                return TraceScene(self.work, self, self.home)
        return super().touch(intent)


def resume_tracing(name: str, back: Scene) -> Scene:
    """Reopen a saved draft where its owner left off; OwnFileError or VisionError if it cannot be read."""
    work = reopen_draft(name)
    return TraceCornersScene(work, back) if work.draft.grid is None else ResumeScene(work, back)


class ResumeScene(SubScene):
    """Waits while the photo of a saved draft is straightened again."""

    def __init__(self, work: TraceWork, back: Scene) -> None:
        super().__init__(back)
        self.work = work
        assert work.draft.grid is not None
        work.settle(work.draft.grid)

    def show(self) -> Screen:
        """Show that reopening takes a moment."""
        text = Text(_("Reading the photo again …"), "strong")
        return Screen(title=self.work.draft.name, blocks=(text,), actions=(back_button(),))

    def tick(self, _now_s: float) -> Scene | None:
        """Return the draft's scene once straightening its photo is done or has failed, else None."""
        return TraceScene(self.work, self.back, self.back) if self.work.fetch() else None

    def touch(self, intent: Intent) -> Scene | None:
        """Leave the draft and go back."""
        if intent.verb == "back":
            self.work.close()
        return super().touch(intent)
