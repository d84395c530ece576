"""The shelf of owners' boards in the app: what is on it, what is being traced; a new one, sharing, taking off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from companion.content import boards
from companion.content.own_files import SUFFIX
from companion.core.errors import OwnFileError
from companion.core.language import _
from companion.core.storage import data_dir
from companion.scenes.base.map_picture import start_picture
from companion.scenes.base.ports import Cameras
from companion.scenes.base.stage import Scene
from companion.scenes.trace.again import open_again
from companion.scenes.trace.begin import ModeScene
from companion.text.faults import fault_words
from companion.text.orders import board_title
from companion.tracing.draft_file import drafts, forget_draft
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text
from engine.errors import EngineError
from vision.errors import VisionError

MOST_FILES = 4


class OwnBoardsScene:
    """The owners' boards, the drafts, and the ways to more of them."""

    whole = True

    def __init__(self, cameras: Cameras | None, back: Scene) -> None:
        self.cameras = cameras
        self.back = back
        self.banner = ""
        self.page = 0

    def show(self) -> Screen:
        """Buttons for boards and drafts, slips for files that are none."""
        shelf = boards.register()
        found: list[Block] = []
        if shelf.boards:
            buttons = (Button(board_title(one), Intent("board", one.name)) for one in shelf.boards)
            found.append(Buttons(tuple(buttons), 2))
        else:
            found.append(Text(_("Nobody has taken down a copy here yet.")))
        unfinished = tuple(Button(name, Intent("draft", name), note=_("unfinished")) for name in drafts())
        if unfinished:
            found.append(Buttons(unfinished, 2))
        files = tuple(
            Button(path.name, Intent("take", "", n), note=_("take it over")) for n, path in enumerate(board_files())
        )
        if files:
            found.append(Buttons(files, 2))
        found += [Slip(_("{file} is no board").format(file=path.name), why, mark="no") for path, why in shelf.broken]
        return Screen(
            title=_("Your own boards"),
            blocks=tuple(found),
            actions=(
                Button(_("Back"), Intent("back"), "quiet"),
                Button(_("Trace a board"), Intent("new"), "primary"),
            ),
            banner=self.banner,
            banner_tone="bad",
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open what was touched."""
        self.banner = ""
        if intent.verb == "page":
            self.page += intent.n
            return None
        lead = self._leads(intent).get(intent.verb)
        try:
            return lead() if lead is not None else None
        except (OwnFileError, EngineError, VisionError) as error:
            self.banner = fault_words(error)
            return None

    def _leads(self, intent: Intent) -> Mapping[str, Callable[[], Scene | None]]:
        return {
            "back": lambda: self.back,
            "new": self._new,
            "draft": lambda: self._draft(intent.what),
            "board": lambda: OneBoardScene(intent.what, self),
            "take": lambda: self._take(intent.n),
        }

    def _new(self) -> Scene:
        return ModeScene(self.cameras, self)

    def _draft(self, name: str) -> Scene:
        return DraftScene(name, self)

    def _take(self, number: int) -> Scene | None:
        files = board_files()
        if 0 <= number < len(files):
            boards.import_file(files[number])
        return None


def board_files() -> list[Path]:
    """Board files that somebody put among the app's photos or beside its shared files, and that are not here yet."""
    folders = (data_dir() / "photos", data_dir() / "shared")
    found = [path for folder in folders if folder.is_dir() for path in folder.glob(f"*{SUFFIX}")]
    return sorted(path for path in found if not boards.path_of(path.stem).exists())[:MOST_FILES]


class DraftScene:
    """A board that is not finished: go on with it, or throw it away."""

    whole = True

    def __init__(self, name: str, back: Scene) -> None:
        self.name = name
        self.back = back
        self.asked = False

    def show(self) -> Screen:
        """The two ways."""
        text = _("Throw it away for good?") if self.asked else _("This board is not finished.")
        return Screen(
            title=self.name,
            blocks=(Text(text, "warn" if self.asked else "plain"),),
            actions=(
                Button(_("Back"), Intent("back"), "quiet"),
                Button(_("Throw away"), Intent("forget"), "danger" if self.asked else "plain"),
                Button(_("Go on"), Intent("go"), "primary"),
            ),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Go on, or throw it away after a second touch."""
        if intent.verb == "go":
            return open_again(self.name, self.back)
        if intent.verb == "forget" and self.asked:
            forget_draft(self.name)
            return self.back
        self.asked = intent.verb == "forget"
        return self.back if intent.verb == "back" else None


class OneBoardScene:
    """An owner's board: share it, or take it off the shelf."""

    whole = True

    def __init__(self, name: str, back: Scene) -> None:
        self.name = name
        self.back = back
        self.banner = ""
        self.asked = False

    def show(self) -> Screen:
        """The board as it is drawn, and what can be done with it."""
        board = boards.load(boards.path_of(self.name))
        text = _("Take it off the shelf? Its saved games cannot be opened without it.")
        blocks: tuple[Block, ...] = (Text(text, "warn"),) if self.asked else (Text(self.name, "quiet"),)
        return Screen(
            title=board_title(board),
            blocks=blocks,
            actions=(
                Button(_("Back"), Intent("back"), "quiet"),
                Button(_("Take off"), Intent("delete"), "danger" if self.asked else "plain"),
                Button(_("Share"), Intent("share"), "primary"),
            ),
            banner=self.banner,
            banner_tone="good",
            map=start_picture(board),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Share it, or take it off after a second touch."""
        self.banner = ""
        if intent.verb == "share":
            self.banner = _("Written to {file}").format(file=boards.share(self.name))
        if intent.verb == "delete" and self.asked:
            boards.delete(self.name)
            return self.back
        self.asked = intent.verb == "delete"
        return self.back if intent.verb == "back" else None
