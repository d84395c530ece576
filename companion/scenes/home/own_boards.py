"""The shelf of owners' boards in the app, and of drafts that are still being traced."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from companion.content.shelves import BOARDS
from companion.core.language import _
from companion.core.storage import data_dir
from companion.scenes.base.map_picture import small_map, start_picture
from companion.scenes.base.ports import Cameras
from companion.scenes.base.shelf_scenes import OwnFileScene, ShelfScene, ShelfWords
from companion.scenes.base.stage import Scene
from companion.scenes.trace.begin import ModeScene, resume_tracing
from companion.text.orders import board_title, copy_title
from companion.tracing.draft_file import drafts, forget_draft
from companion.ui.screen import Button, Intent, Screen, Text, back_button
from engine.orders.board import Board, board_names, load_board
from engine.orders.mode import load_mode, mode_names


class OwnBoardsScene(ShelfScene[Board]):
    """The shelf of the owners' boards and drafts, with a button to scan another."""

    def __init__(self, cameras: Cameras | None, back: Scene) -> None:
        super().__init__(BOARDS, back)
        self.cameras = cameras

    def words(self) -> ShelfWords:
        """Return the shelf's title and sentences."""
        empty = _("No boards of your own yet. Scan one: it takes a photo and about ten minutes.")
        return ShelfWords(_("Your boards"), _("{file} isn't a board"), empty=empty)

    def with_example(self, screen: Screen) -> Screen:
        """Add the map of a board that comes with Gunbai, if possible a printed one."""
        printed = min(map(load_board, board_names()), key=lambda board: board.known == "practice")
        return replace(screen, map=start_picture(printed))

    def thing_button(self, thing: Board) -> Button:
        """Make the button that opens a board."""
        return Button(board_title(thing), Intent("board", thing.name), picture=small_map(start_picture(thing)))

    def drafts(self) -> Iterable[Button]:
        """Return a button for each board that is still being traced."""
        return (Button(_title(name), Intent("draft", name), sign="pencil", note=_("unfinished")) for name in drafts())

    def ways(self) -> tuple[Button, ...]:
        """Return the button to scan a board."""
        return (Button(_("Scan a board"), Intent("new"), "primary"),)

    def folders(self) -> Iterable[Path]:
        """List the folders where board files to import may lie, among them that of the photos for tracing."""
        return (data_dir() / "photos", *super().folders())

    def lead(self, intent: Intent) -> Scene | None:
        """Return the scene for scanning a board, or the one of the touched draft or board."""
        match intent.verb:
            case "new":
                return ModeScene(self.cameras, self)
            case "draft":
                return DraftScene(intent.what, self)
            case "board":
                return OneBoardScene(intent.what, self)
        return None


def _title(draft: str) -> str:
    """Return the title that a half-traced board will have."""
    mode = next((mode for mode in mode_names() if draft.startswith(mode)), "")
    return copy_title(load_mode(mode), draft) if mode else draft


class DraftScene:
    """A board that isn't finished, to go on with, or to delete with a second touch."""

    whole = True

    def __init__(self, name: str, back: Scene) -> None:
        self.name = name
        self.back = back
        self.asked = False

    def show(self) -> Screen:
        """Offer to continue the draft or to delete it."""
        text = _("Delete it for good?") if self.asked else _("This board isn't finished yet.")
        return Screen(
            title=_title(self.name),
            blocks=(Text(text, "warn" if self.asked else "plain"),),
            actions=(
                back_button(),
                Button(_("Delete"), Intent("forget"), "danger" if self.asked else "plain"),
                Button(_("Continue"), Intent("go"), "primary"),
            ),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Go on tracing, delete the draft with a second touch, or go back."""
        if intent.verb == "go":
            return resume_tracing(self.name, self.back)
        if intent.verb == "forget" and self.asked:
            forget_draft(self.name)
            return self.back
        self.asked = intent.verb == "forget"
        return self.back if intent.verb == "back" else None


class OneBoardScene(OwnFileScene[Board]):
    """An owner's board, to look at, share or remove."""

    def __init__(self, name: str, back: Scene) -> None:
        super().__init__(BOARDS, BOARDS.load(BOARDS.path_of(name)), back)

    def show(self) -> Screen:
        """Show the board's map, with the buttons to share or remove it."""
        question = _("Remove it? Its saved games can't be opened without it.")
        screen = self.screen(board_title(self.thing), question, (Text(self.thing.name, "quiet"),))
        return replace(screen, map=start_picture(self.thing))
