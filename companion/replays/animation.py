"""A saved game as an animated GIF: a picture for each turn, drawn as the app shows it, written one by one."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from PIL import Image, ImageChops

from companion.core.errors import MatchError
from companion.core.outputs import open_output
from companion.core.printable import progress
from companion.replays.story import Story
from companion.scenes.story.presenter import with_picture
from companion.ui.screen import Block, Prompt, Screen, Text
from companion.view.page.canvas import card_pixels, painted_grounds

SIZE_PX = (800, 480)
MOST_TURNS = 300
"""Of a game; each takes a seventh of a second to draw, and nobody watches longer."""
TURN_MS, LAST_MS = 1400, 6000
"""How long each turn is shown, and the end."""


def write_gif(game: Path, to: Path) -> None:
    """Write a saved game as a GIF. MatchError if it is unreadable or too long, OutputError if `to` can't be written."""
    story = Story(game)
    turns = sum(1 for _turn in story.turns())
    if turns > MOST_TURNS:
        told = f"too many turns for an animated picture ({turns}, at most {MOST_TURNS})"
        raise MatchError(f"{game}: {told}: make a page of it instead (--html)")
    with open_output(to, (game,)) as out, progress(str(to), turns + 1) as step:
        pictures = GifFile(out, SIZE_PX)
        grounds = painted_grounds()
        for screen in screens(story):
            pictures.add(Image.frombytes("RGB", SIZE_PX, card_pixels(screen, SIZE_PX, grounds, story.era)), TURN_MS)
            step()
        pictures.finish(LAST_MS)


def screens(story: Story) -> Iterator[Screen]:
    """Yield the start, then for each turn what was done in it and the table after it."""
    start = Screen(title=story.title, blocks=(Text(story.log.start_words()),))
    yield with_picture(start, story.picture(0))
    for turn in story.turns():
        last = turn.moments[-1].number
        said = tuple(Text(moment.words) for moment in turn.moments)
        curve = story.course.curve(at=story.course.turns_begun(last))
        blocks: tuple[Block, ...] = (
            Prompt(turn.seat, turn.title),
            *said,
            Text(story.standing(last), "quiet"),
            *((curve,) if curve is not None else ()),
        )
        yield with_picture(Screen(title=story.title, blocks=blocks), story.picture(last))


# ---- the file ------------------------------------------------------------------------------------


COLOURS = 128
HEAD = b"GIF89a"
FOR_EVER = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
KEEP = 1 << 2  # how a picture is disposed of: it stays, and the next is laid over it
EXTENSION, IMAGE, END = b"\x21", b"\x2c", b"\x3b"


class GifFile:
    """Adds pictures of one size to an open file (GIF89a) and holds the last alone; `finish` completes it.

    Pillow packs each picture; of what it makes, the table of colours and the image data are taken over. Of a picture
    only the part that differs from the one before is written.
    """

    def __init__(self, out: BinaryIO, size_px: tuple[int, int]) -> None:
        self._out = out
        self._last: Image.Image | None = None
        self._waiting = b""
        self._shown_ms = 0
        out.write(HEAD + struct.pack("<HHBBB", *size_px, 0, 0, 0) + FOR_EVER)

    def add(self, picture: Image.Image, shown_ms: int) -> None:
        """Add an RGB picture that is shown for so long, longer where the next one is the same."""
        box = (0, 0, *picture.size)
        if self._last is not None:
            differs = ImageChops.difference(self._last, picture).getbbox()
            if differs is None:
                self._shown_ms += shown_ms
                return
            box = differs
        self._write_waiting()
        palette = picture.quantize(COLOURS, dither=Image.Dither.NONE)
        self._last, self._waiting, self._shown_ms = picture, _image(palette.crop(box), box[:2]), shown_ms

    def finish(self, shown_ms: int) -> None:
        """Write the last picture, shown for so long, and the end."""
        self._shown_ms = shown_ms
        self._write_waiting()
        self._out.write(END)

    def _write_waiting(self) -> None:
        if self._waiting:
            control = struct.pack("<BBBHBB", 0xF9, 4, KEEP, self._shown_ms // 10, 0, 0)
            self._out.write(EXTENSION + control + self._waiting)


def _image(part: Image.Image, at_px: tuple[int, int]) -> bytes:
    """Make an image block of a part of a picture, placed at (x, y), with its own table of colours."""
    packed = io.BytesIO()
    part.save(packed, "GIF", optimize=False, interlace=False)
    data = packed.getvalue()
    bits = data[10] & 7
    colours = data[13 : 13 + 3 * (2 << bits)]
    start = 13 + len(colours)
    while data[start : start + 1] == EXTENSION:  # its length is told block by block
        start += 2
        while data[start]:
            start += data[start] + 1
        start += 1
    descriptor = struct.pack("<HHHHB", *at_px, *part.size, 0x80 | bits)
    return IMAGE + descriptor + colours + data[start + 10 : -1]
