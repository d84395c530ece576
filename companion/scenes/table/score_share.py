"""A result to pass on: a picture with map, points, names and day, and a text; where they lie."""

from __future__ import annotations

from pathlib import Path

from companion.core.errors import MatchError, blamed
from companion.core.language import _
from companion.games.match import Match
from companion.games.sharing import day_of, share
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.story.presenter import OrdersTable
from companion.scenes.table.score_blocks import SHOWN, result
from companion.text.faults import fault_words
from companion.text.orders import game_title
from companion.text.people import People
from companion.text.score import as_text
from companion.ui.screen import Columns, Photo, Screen, Text, back_button
from intake.files import read_file
from intake.pictures import MOST_BYTES

CARD_PX = (1280, 720)
MOST_PT = 250.0


class ShareScene(BackScene):
    """Writes both files as it opens, and shows the text and where they are."""

    def __init__(self, table: OrdersTable, back: Scene) -> None:
        super().__init__(back)
        self.match = table.match
        self.text = as_text(self.match.position, table.people, day_of(self.match.path))
        self.files: tuple[Path, ...] = ()
        self.fault = ""
        self.picture: tuple[Photo, ...] = ()
        draw = table.stage.services.draw
        picture = card(self.match, table.people)
        try:
            self.files = share(self.match.path.stem, self.text, (lambda path: draw(picture, path)) if draw else None)
            self.picture = _photo(self.files[0])
        except MatchError as error:
            self.fault = fault_words(error)

    def show(self) -> Screen:
        """The text, and the files' names."""
        folder = str(self.files[0].parent) if self.files else ""
        names = ", ".join(path.name for path in self.files)
        where = _("Saved: {names} in {folder}").format(names=names, folder=folder)
        saved = Text(self.fault, "bad") if self.fault else Text(where, "strong")
        lines = tuple(Text(line) for line in self.text.splitlines() if line)
        return Screen(
            title=_("To pass on"),
            blocks=(saved, Columns(lines, self.picture)) if self.picture else (saved, *lines),
            actions=(back_button("primary"),),
        )


def _photo(path: Path) -> tuple[Photo, ...]:
    """The picture as it was saved; nothing where only the text was."""
    if path.suffix != ".png":
        return ()
    with blamed(path, MatchError):
        return (Photo(read_file(path, MOST_BYTES), CARD_PX, "", MOST_PT),)


def card(match: Match, people: People) -> Screen:
    """What the picture shows: the map with lines and points, and beside it the result, the game and the day."""
    position = match.position
    day = Text(_("{game}, {day}").format(game=game_title(position.board), day=day_of(match.path)), "quiet")
    return Screen(
        title=_("Final score") if position.winner_name else _("The score as it stands"),
        blocks=(day, *result(position, people)),
        map=map_picture(position, Marks(), None, SHOWN),
    )
