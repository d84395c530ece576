"""One board being traced: its photo, its draft with undo, what the eye has found, and the work that is under way."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.content.shelves import BOARDS
from companion.core.background import Errand
from companion.core.errors import OwnFileError, blame_file
from companion.tracing import eye
from companion.tracing.checker import DraftFault, faults_of
from companion.tracing.draft import SIZE_MM, Corner, Draft, DraftSpace, History
from companion.tracing.draft_file import draft_path, load_draft, photo_path, save_draft, save_photo
from companion.tracing.edits import ToolTouch, apply, with_kind
from companion.tracing.eye import BoardProposal, with_areas, with_spaces
from companion.tracing.hexes import BoardGrid, NotOnePiece, Point
from companion.tracing.symmetry import symmetry_of
from companion.tracing.writer import board_text
from engine.errors import BadTable
from engine.orders.board import Board, load_board
from engine.orders.mode import Mode, load_mode
from intake.files import read_file
from intake.pictures import MOST_BYTES
from vision.errors import VisionError
from vision.frame import jpeg_of, picture_of
from vision.geometry import Picture
from vision.memory import give_back
from vision.tracing.sheet import Sheet

PHOTO_QUALITY = 92
"""Of the JPEG beside a draft: the eye looks at it again each time the draft is opened."""
SNAP_MM = 8.0
"""A touch this near to where the eye saw a space means that space."""
MOST_NUMBERED = 6
"""Slots that are called by numbers instead of signs; a copy may have more of them than the mode's own board."""


@dataclass(frozen=True, slots=True)
class EyeResult:
    """What the eye found: the board with its grid and a proposal for the rest; or the fault that prevented it."""

    look: eye.StraightBoard | None
    proposal: BoardProposal | None = None
    fault: str = ""


class TraceWork:
    """The tracing of one board: its photo, its draft with undo, and the eye's work on it. Each change is saved."""

    def __init__(self, draft: Draft, photo_bgr: Picture) -> None:
        self.history = History(draft)
        self.photo_bgr = photo_bgr
        self.mode: Mode = load_mode(draft.mode)
        self.look: eye.StraightBoard | None = None
        self.proposal: BoardProposal | None = None
        self.fault = ""
        self._errand: Errand[EyeResult] = Errand("trace")
        self._kept = False
        self._guessed: tuple[DraftSpace, ...] = ()

    @property
    def draft(self) -> Draft:
        """The draft as it is now."""
        return self.history.draft

    @property
    def busy(self) -> bool:
        """Whether the eye is at work."""
        return not self._errand.idle

    # ---- changes ----------------------------------------------------------------------------

    def put(self, draft: Draft) -> bool:
        """Make this the draft, as one more touch, and save it; return whether it changed. OwnFileError."""
        changed = self.history.put(draft)
        if changed:
            self._save()
        return changed

    def touch(self, touch: ToolTouch) -> bool:
        """Apply a touch to the draft, and its twin if the draft is symmetrical; return whether anything changed."""
        return self.put(apply(self.draft, touch, symmetry_of(self.draft, self.mode.factions, self.places())))

    def places(self) -> tuple[Point, ...]:
        """Return where the eye has seen anything like an action space (mm)."""
        if self.proposal is None:
            return ()
        return self.proposal.places or tuple(space.at_mm for space in self.proposal.spaces)

    def swap_kinds(self) -> bool:
        """Swap land and water, guessing spaces anew if nobody has set any; return whether anything changed."""
        other = {"land": "water", "water": "land"}
        patches = tuple(with_kind(patch, other[patch.kind]) for patch in self.draft.patches)
        draft = replace(self.draft, patches=patches)
        if self.proposal is not None and set(self.draft.spots) == set(self._guessed):
            draft = with_spaces(replace(draft, spots=()), self.proposal.spaces, self.mode)
            self._guessed = draft.spots
        return self.put(draft)

    def snap(self, at_mm: Point) -> Point:
        """Return the place where the eye has seen an action space near a touch (mm); else the touched place."""
        near = [(math.dist(place, at_mm), place) for place in self.places()]
        distance, place = min(near, default=(SNAP_MM, at_mm))
        return place if distance < SNAP_MM else at_mm

    def undo(self) -> None:
        """Undo the last change and save."""
        self.history.undo()
        self._save()

    def redo(self) -> None:
        """Redo the last change undone and save."""
        self.history.redo()
        self._save()

    def _save(self) -> None:
        if not self._kept:
            save_photo(self.draft.name, jpeg_of(self.photo_bgr, PHOTO_QUALITY))
            self._kept = True
        save_draft(self.draft)

    # ---- the eye ----------------------------------------------------------------------------

    def begin(self, work: Callable[[], EyeResult]) -> None:
        """Start a piece of the eye's work, dropping what it was doing."""
        self.fault = ""
        self._errand.begin(work)

    def put_corners(self, corners: Sequence[Corner]) -> None:
        """Set the corners, and the size by their proportions unless it was measured. CornersError, OwnFileError."""
        known, before = load_board(self.draft.mode).size_mm, self.draft
        size = eye.size_of(self.photo_bgr, corners, known)
        unmeasured = [SIZE_MM, *([eye.size_of(self.photo_bgr, before.corners, known)] if before.corners else [])]
        size_mm = size if before.size_mm in unmeasured else before.size_mm
        self.put(replace(before, corners=tuple(corners), size_mm=size_mm))

    def find_grid(self, corners: Sequence[Corner]) -> None:
        """Start straightening the board by these corners, and finding its grid and all that is on it."""
        photo, size = self.photo_bgr, self.draft.size_mm
        self.begin(lambda: _look(lambda: eye.find_grid_on(eye.straighten(photo, corners, size))))

    def grid_through(self, middles_mm: Sequence[Point]) -> None:
        """Start finding the grid through the middles of hexes that were touched (mm)."""
        sheet = self.sheet()
        self.begin(lambda: _look(lambda: eye.find_grid_on(sheet, middles_mm)))

    def settle(self, grid: BoardGrid) -> None:
        """Start fitting a grid that was moved by hand to the print."""
        sheet = self.sheet()
        self.begin(lambda: _look(lambda: eye.fit_grid(sheet, grid)))

    def sheet(self) -> Sheet:
        """Return the board as straightened by what is known so far."""
        return self.look.sheet if self.look else eye.straighten(self.photo_bgr, self.draft.corners, self.draft.size_mm)

    def wait(self) -> None:
        """Wait until the eye is done; `fetch` then takes what it found."""
        self._errand.wait()

    def fetch(self) -> bool:
        """Take what the eye has found into `look` and `proposal`, if it is done; return whether it was."""
        found = self._errand.fetch() if self.busy else None
        if found is None:
            return False
        self.fault = found.fault
        if found.look is not None:
            self.look = found.look
            self.proposal = found.proposal or self.proposal
        return True

    def take_proposal(self) -> None:
        """Replace all that is on the draft's map by the proposal, if there is a grid; only undo brings it back."""
        grid = self.look.grid if self.look else None
        if grid is not None and self.proposal is not None:
            draft = with_areas(self.draft, grid, self.proposal)
            self.history.touches -= 1  # nobody touched anything for that
            draft = with_spaces(draft, self.proposal.spaces, self.mode)
            self._guessed = draft.spots
            self.put(draft)

    # ---- the end ----------------------------------------------------------------------------

    def faults(self) -> tuple[DraftFault, ...]:
        """Return what is missing from the draft, or impossible in it."""
        return faults_of(self.draft, self.mode)

    def text(self) -> str:
        """Return the text of the board's file; NotOnePiece if an area is in several pieces."""
        return board_text(self.draft, slots_of(self.mode))

    def save_board(self) -> Board:
        """Save the board on the owner's shelf, ready to be played; OwnFileError if it is faulty or can't be kept."""
        try:
            return BOARDS.save(self.draft.name, self.text())
        except (BadTable, NotOnePiece) as fault:
            raise OwnFileError(str(fault)) from fault

    def close(self) -> None:
        """Drop the eye's work."""
        self._errand.close()
        give_back()


def _look(find: Callable[[], eye.StraightBoard]) -> EyeResult:
    """Run a search of the eye; return what it found, with a proposal if there is a grid, or its VisionError's text."""
    try:
        look = find()
        return EyeResult(look, eye.make_proposal(look) if look.found else None)
    except VisionError as fault:
        return EyeResult(None, fault=str(fault))


def slots_of(mode: Mode) -> tuple[str, ...]:
    """Return the names of a mode's bonus slots; if they are numbers, more follow, for a copy that has more slots."""
    own = load_board(mode.name).slots
    if not own or not own[0].isdigit():
        return own
    return (*own, *(str(n) for n in range(len(own) + 1, MOST_NUMBERED + 1)))


def new_draft(mode: str, word: str, size_mm: Point | None = None) -> Draft:
    """Return an empty draft for a board of this mode, named after the mode and a word of the owner's."""
    draft = Draft(f"{mode}-{word}", mode)
    return replace(draft, size_mm=size_mm) if size_mm else draft


def free_name(mode: str, word: str) -> str:
    """Return the word, with a number added if a draft has that name already."""
    name, number = word, 2
    while draft_path(f"{mode}-{name}").exists():
        name, number = f"{word}{number}", number + 1
    return name


def reopen_draft(name: str) -> TraceWork:
    """Load a draft with its photo; OwnFileError or VisionError if either can't be read."""
    draft = load_draft(draft_path(name))
    if draft.name != name:  # it would be saved over another one
        raise OwnFileError(f"{draft_path(name)}: a draft of {draft.name}, not of {name}")
    with blame_file(photo_path(name), OwnFileError):
        data = read_file(photo_path(name), MOST_BYTES)
    work = TraceWork(draft, picture_of(data, str(photo_path(name))))
    work._kept = True  # noqa: SLF001
    return work
