"""What the shelves of owners' boards, decks and battles have in common on the screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from companion.content.own_files import Owned, OwnFiles, shared_folder
from companion.core.errors import OwnFileError
from companion.core.language import _
from companion.core.sticks import mounted_folders
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import DetailsScene, SubScene
from companion.text.faults import fault_words, short_path
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text, back_button
from engine.errors import EngineError

T = TypeVar("T", bound=Owned)


@dataclass(frozen=True, slots=True)
class ShelfWords:
    """The title and the sentences of a shelf.

    unreadable: said of a file that is not of the shelf's kind, with a place for "{file}"; about: always shown;
    empty: shown while the shelf is empty.
    """

    title: str
    unreadable: str
    about: str = ""
    empty: str = ""


class ShelfScene(SubScene, Generic[T]):
    """What is on a shelf, files that can be imported, and files that can't be read.

    Each shelf says how its things are shown and opened, and what else it leads to.
    """

    def __init__(self, shelf: OwnFiles[T], back: Scene) -> None:
        super().__init__(back)
        self.shelf = shelf
        self.banner = ""

    # ---- what each shelf says -------------------------------------------------------------------------

    def words(self) -> ShelfWords:
        """Return the shelf's title and its sentences."""
        raise NotImplementedError

    def thing_button(self, thing: T) -> Button:
        """Make the button that opens a thing on the shelf."""
        raise NotImplementedError

    def drafts(self) -> Iterable[Button]:
        """Return buttons for things that aren't finished."""
        return ()

    def ways(self) -> tuple[Button, ...]:
        """Return buttons that lead to making new things; the last is the one most people want."""
        return ()

    def with_example(self, screen: Screen) -> Screen:
        """Add an example of what the shelf could hold to the screen, if the shelf is empty."""
        return screen

    def folders(self) -> Iterable[Path]:
        """List the folders where files to import may lie."""
        return (*mounted_folders(), shared_folder())

    def lead(self, intent: Intent) -> Scene | None:
        """Return the scene behind one of the shelf's own buttons; None if the touch isn't on one."""
        raise NotImplementedError

    # ---- the same for all -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show buttons for things, drafts and files to import, and slips for files that cannot be read."""
        words, contents = self.words(), self.shelf.register()
        buttons = [*map(self.thing_button, contents.things), *self.drafts()]
        buttons += [
            Button(path.name, Intent("take", str(path)), sign="plus", note=_("use it"))
            for path in self.shelf.new_files(self.folders())
        ]
        blocks: list[Block] = [Buttons(tuple(buttons), 2)] if buttons else []
        blocks += [Text(words.empty)] if words.empty and not contents.things else []
        blocks += [
            Slip(words.unreadable.format(file=path.name), _("Details"), intent=Intent("details", path.name), mark="no")
            for path, _why in contents.broken
        ]
        screen = Screen(
            title=words.title,
            blocks=(*blocks, *([Text(words.about)] if words.about else [])),
            actions=(back_button("quiet" if self.ways() else "primary"), *self.ways()),
            banner=self.banner,
            banner_tone="bad",
            page=self.page,
        )
        return screen if buttons or contents.broken else self.with_example(screen)

    def touch(self, intent: Intent) -> Scene | None:
        """Open what was touched, import a file, or go back.

        The banner says why a file can't be imported; the details say why one on the shelf can't be read.
        """
        self.banner = ""
        if intent.verb in ("page", "back"):
            return super().touch(intent)
        if intent.verb == "details":
            told = [
                fault_words(why.replace(f"{path}: ", ""))
                for path, why in self.shelf.register().broken
                if path.name == intent.what
            ]
            return DetailsScene(told, self)
        try:
            if intent.verb != "take":
                return self.lead(intent)
            if Path(intent.what).parent in self.folders():
                self.shelf.import_file(Path(intent.what))
        except (OwnFileError, EngineError) as error:
            self.banner = fault_words(error)
        return None


class OwnFileScene(SubScene, Generic[T]):
    """A thing on its shelf, to be shared, or deleted with a second touch."""

    def __init__(self, shelf: OwnFiles[T], thing: T, back: Scene) -> None:
        super().__init__(back)
        self.shelf = shelf
        self.thing = thing
        self.banner = ""
        self.asked = False

    def screen(self, title: str, question: str, blocks: tuple[Block, ...]) -> Screen:
        """Return the screen of one thing, with buttons to share or remove it.

        question: what removing it would mean, asked before it is removed.
        """
        return Screen(
            title=title,
            blocks=(Text(question, "warn"),) if self.asked else blocks,
            actions=(
                back_button(),
                Button(_("Remove"), Intent("delete"), "danger" if self.asked else "plain"),
                Button(_("Share"), Intent("share"), "primary"),
            ),
            banner=self.banner,
            banner_tone="good",
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Share it, delete it with a second touch, or go back."""
        self.banner = ""
        if intent.verb == "share":
            self.banner = _("Saved to {file}").format(file=short_path(self.shelf.share(self.thing.name)))
        if intent.verb == "delete" and self.asked:
            self.shelf.delete(self.thing.name)
            return self.back
        self.asked = intent.verb == "delete"
        return super().touch(intent)
