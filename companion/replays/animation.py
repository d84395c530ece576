"""A saved game as an animated GIF: a picture for each turn, drawn as the app shows it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pygame
from PIL import Image

from companion.core.storage import atomic_write
from companion.replays.story import Story
from companion.scenes.story.presenter import with_picture
from companion.ui.screen import Prompt, Screen, Text
from companion.view.kit.glass import Glass
from companion.view.page.canvas import draw

SIZE_PX = (800, 480)
COLOURS = 64
TURN_MS, LAST_MS = 1400, 6000
"""How long each turn is shown, and the end."""


def write_gif(game: Path, to: Path) -> None:
    """Write the animation of a saved game. MatchError as `Story`; OSError where the file cannot be written."""
    pictures = [_picture(screen) for screen in screens(Story(game))]
    first, *others = pictures
    times = [TURN_MS] * len(others) + [LAST_MS]
    data = io.BytesIO()
    first.save(data, "GIF", save_all=True, append_images=others, duration=times, loop=0, optimize=False, disposal=1)
    atomic_write(to, data.getvalue())


def screens(story: Story) -> Iterator[Screen]:
    """The start, then what was done in each turn, and the table after it."""
    start = Screen(title=story.title, blocks=(Text(story.log.start()),))
    yield with_picture(start, story.picture(0))
    for turn in story.turns():
        last = turn.moments[-1].number
        said = tuple(Text(moment.words) for moment in turn.moments)
        blocks = (Prompt(turn.seat, turn.title), *said, Text(story.standing(last), "quiet"))
        yield with_picture(Screen(title=story.title, blocks=blocks), story.picture(last))


def _picture(screen: Screen) -> Image.Image:
    """(height, width) with a palette of its own."""
    surface = draw(screen, SIZE_PX, Glass(theme="light")).surface
    picture = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
    return picture.quantize(COLOURS, dither=Image.Dither.NONE)
