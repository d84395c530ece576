"""Help without a network: the pages of the docs, section by section, and each section as QR codes for a phone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.content.help_pages import (
    HelpEntry,
    HelpPage,
    HelpPart,
    HelpPicture,
    HelpSection,
    HelpTable,
    HelpText,
    help_pages,
)
from companion.core.language import _
from companion.drawing.qr_code import MOST_BYTES, qr_png
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.ui.screen import Block, Button, Columns, Intent, Photo, Screen, Slip, Text, back_button
from intake.pictures import size_of

PICTURE_PT = 210.0
PARAGRAPH = "\n\n"


def help_button() -> Button:
    """Make the button that opens the help."""
    return Button(_("Help"), Intent("guide"), sign="question", note=_("first game, faults, questions"))


class HelpScene(SubScene):
    """The list of help pages."""

    def __init__(self, back: Scene) -> None:
        super().__init__(back)
        self.pages = help_pages()

    def show(self) -> Screen:
        """List the pages, each with a line on what it is about."""
        slips = tuple(Slip(page.title, page.about, intent=Intent("open", page.name)) for page in self.pages)
        return Screen(title=_("Help"), blocks=slips, actions=(back_button("primary"),), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Open a page, or go back."""
        page = next((page for page in self.pages if intent == Intent("open", page.name)), None)
        return super().touch(intent) if page is None else HelpPageScene(page, self)


class HelpPageScene(SubScene):
    """The list of a help page's sections."""

    def __init__(self, page: HelpPage, back: Scene) -> None:
        super().__init__(back)
        self.help = page

    def show(self) -> Screen:
        """List the headings."""
        slips = tuple(Slip(one.title, intent=Intent("open", n=n)) for n, one in enumerate(self.help.sections))
        return Screen(title=self.help.title, blocks=slips, actions=(back_button("primary"),), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Open a section, or go back."""
        if intent.verb == "open" and 0 <= intent.n < len(self.help.sections):
            return HelpSectionScene(self.help, intent.n, self)
        return super().touch(intent)


class HelpSectionScene(SubScene):
    """One section with its pictures, and the way to the next."""

    def __init__(self, page: HelpPage, number: int, back: Scene) -> None:
        super().__init__(back)
        self.help = page
        self.number = number

    @property
    def section(self) -> HelpSection:
        """The section on the screen."""
        return self.help.sections[self.number]

    def show(self) -> Screen:
        """Show the section's words and pictures."""
        last = self.number == len(self.help.sections) - 1
        actions = (
            back_button("primary" if last else "plain"),
            Button(_("On your phone"), Intent("phone")),
            *(() if last else (Button(_("Next"), Intent("next"), "primary"),)),
        )
        blocks = tuple(block for part in self.section.parts for block in _blocks(part))
        return Screen(title=self.section.title, blocks=blocks, actions=actions, page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Read on, show the codes, or go back to the headings."""
        if intent.verb == "next" and self.number + 1 < len(self.help.sections):
            return HelpSectionScene(self.help, self.number + 1, self.back)
        if intent.verb == "phone":
            return HelpCodeScene(self.section, self)
        return super().touch(intent)


class HelpCodeScene(SubScene):
    """A section as text in QR codes, as many as it needs, one after the other."""

    def __init__(self, section: HelpSection, back: Scene) -> None:
        super().__init__(back)
        self.title = section.title
        self.texts = tuple(pack_paragraphs(section.plain()))
        self.number = 0

    def show(self) -> Screen:
        """Show one code, and beside it how to scan it."""
        told = [Text(self.title, "title"), Text(_("Scan it with a phone to read this there. It needs no network."))]
        if len(self.texts) > 1:
            told.append(Text(_("Code {n} of {all}").format(n=self.number + 1, all=len(self.texts)), "quiet"))
        more = self.number + 1 < len(self.texts)
        code = phone_code(self.texts[self.number])
        return Screen(
            blocks=(Columns(tuple(told), code),),
            actions=(
                back_button("plain" if more else "primary"),
                *((Button(_("Next code"), Intent("next"), "primary"),) if more else ()),
            ),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Show the next code, or go back."""
        if intent.verb == "next" and self.number + 1 < len(self.texts):
            self.number += 1
        return super().touch(intent)


def pack_paragraphs(paragraphs: Iterable[str], most_bytes: int = MOST_BYTES) -> Iterator[str]:
    """Join paragraphs into texts of at most `most_bytes`, and yield them; a longer paragraph is cut between letters."""
    text = ""
    for paragraph in paragraphs:
        longer = f"{text}{PARAGRAPH}{paragraph}" if text else paragraph
        if len(longer.encode()) <= most_bytes:
            text = longer
            continue
        if text:
            yield text
        text = paragraph
        while len(text.encode()) > most_bytes:
            part = text.encode()[:most_bytes].decode(errors="ignore")
            yield part
            text = text.removeprefix(part)
    if text:
        yield text


def _blocks(part: HelpPart) -> Iterator[Block]:
    match part:
        case HelpText(text):
            yield Text(text)
        case HelpEntry(title, text):
            yield Slip(title, text)
        case HelpTable(headings, rows):
            for name, *cells in rows:
                told = (f"{heading} {cell}" for heading, cell in zip(headings[1:], cells, strict=True))
                yield Slip(name, " · ".join(told))
        case HelpPicture(path, _caption):
            data = path.read_bytes() if path.is_file() else b""
            if size := size_of(data):
                yield Photo(data, (size[0], size[1]), "", PICTURE_PT)


CODE_PT = 372
"""As wide as a code may be: half of a screen of 800x480."""


def phone_code(text: str) -> tuple[Photo, ...]:
    """Return a text's QR code as one picture, each module a whole number of points; none if the text is too long."""
    made = qr_png(text)
    if made is None:
        return ()
    data, modules = made
    return (Photo(data, (modules, modules), "", CODE_PT // modules * modules),)
