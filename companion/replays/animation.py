"""A saved game as an animated GIF: a picture for each turn, drawn as the app shows it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from companion.core.storage import atomic_write
from companion.replays.story import Story
from companion.scenes.story.presenter import with_picture
from companion.ui.screen import Block, Prompt, Screen, Text
from companion.view.page.pictures import card_pixels

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
        curve = story.course.curve(at=story.course.turn_of(last))
        blocks: tuple[Block, ...] = (
            Prompt(turn.seat, turn.title),
            *said,
            Text(story.standing(last), "quiet"),
            *((curve,) if curve is not None else ()),
        )
        yield with_picture(Screen(title=story.title, blocks=blocks), story.picture(last))


def _picture(screen: Screen) -> Image.Image:
    """(height, width) with a palette of its own."""
    picture = Image.frombytes("RGB", SIZE_PX, card_pixels(screen, SIZE_PX))
    return picture.quantize(COLOURS, dither=Image.Dither.NONE)
