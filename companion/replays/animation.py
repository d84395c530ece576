"""A saved game as an animated GIF: a picture for each turn, drawn as the app shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from companion.core.errors import MatchError
from companion.core.outputs import open_output
from companion.core.progress import progress
from companion.replays.gif_file import GifFile
from companion.replays.story import Story
from companion.scenes.story.presenter import with_picture
from companion.ui.screen import Block, Prompt, Screen, Text
from companion.view.page.pictures import card_pixels, painted_grounds

SIZE_PX = (800, 480)
MOST_TURNS = 300
"""Of a game; each takes a seventh of a second to draw, and nobody watches longer."""
TURN_MS, LAST_MS = 1400, 6000
"""How long each turn is shown, and the end."""


def write_gif(game: Path, to: Path) -> None:
    """Write the animation of a saved game, picture by picture. MatchError as `Story`, or too long; OutputError."""
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
