"""A saved game as one HTML page that replays it offline: the map as vectors, the words, and a scrubber.

The page holds everything: letters, drawing, script. It asks nothing of any network and keeps nothing. What is drawn
the same in several moments is in it once: a moment is a list of numbers of shapes.
"""

from __future__ import annotations

import json
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from companion.core.language import _, language_tag
from companion.core.outputs import write_output
from companion.core.printable import progress
from companion.replays.story import Story, Table
from companion.text.review import TurnWords, point_lines, point_title
from companion.view.kit.glass import Glass
from companion.view.kit.lettering import FILES, FONTS, Lettering
from companion.view.kit.sheet import Label, PlacedPhoto, Sheet
from companion.view.kit.theme import Theme
from companion.view.page.layout import layout_between
from engine.orders.player.review import ReviewedTurn, chances, turning_points

SIZE_PT = (640.0, 560.0)
PX_PER_PT = 1.0
ANCHORS = {"left": ("start", 0.0), "centre": ("middle", 0.5), "right": ("end", 1.0)}


def write_page(game: Path, to: Path) -> None:
    """Write a saved game as an HTML page. MatchError if it is unreadable, OutputError if `to` can't be written."""
    story = Story(game)
    with progress(str(to)):
        page = page_of(story)
    write_output(to, page.encode(), (game,))


def page_of(story: Story) -> str:
    """Return the game's page as HTML."""
    template = Template((files("companion.replays") / "page.html").read_text(encoding="utf-8"))
    look = _look(story)
    return template.substitute(
        language=language_tag(),
        title=escape(story.title),
        page=look.page,
        low=look.material.page_low or look.page,
        panel=look.panel,
        edge=look.edge,
        accent=look.accent_text,
        ink=look.text,
        regular=_font(FILES[False]),
        bold=_font(FILES[True]),
        heading=_font(look.material.heading or FILES[True]),
        width=f"{SIZE_PT[0]:g}",
        height=f"{SIZE_PT[1]:g}",
        first=escape(_("To the start")),
        back=escape(_("One step back")),
        play=escape(_("Play")),
        on=escape(_("One step on")),
        last=escape(_("To the end")),
        scrub=escape(_("Any moment of the game")),
        data=_script_data(_told(story)),
    )


def _look(story: Story) -> Theme:
    """Return the look of the game's era, by day as on paper."""
    return Glass(theme="light", era=story.era).look


def _font(file: str) -> str:
    return b64encode((FONTS / file).read_bytes()).decode()


def _script_data(told: dict[str, Any]) -> str:
    """Write JSON that ends no script element, whatever a player's name holds."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _told(story: Story) -> dict[str, Any]:
    """Collect everything that the page's script shows.

    Of a moment: the numbers of its shapes (n), its words (w), how it stands (s), the index of its turn (t), and its
    place on the curve of the game (c), and on that of its chances (v).
    """
    look = _look(story)
    shapes = Shapes(look)
    start = {"n": shapes.of(story.picture(0)), "w": story.log.start_words(), "s": story.standing(0), "t": -1, "c": 0}
    moments = [start]
    turns, numbers = [], [0]
    for number, turn in enumerate(story.turns()):
        turns.append({"title": turn.title, "colour": look.sides[turn.seat].fill})
        for event in turn.moments:
            shown = shapes.of(story.picture(event.number))
            place = story.course.turns_begun(event.number)
            numbers.append(event.number)
            moments.append({"n": shown, "w": event.words, "s": story.standing(event.number), "t": number, "c": place})
    colours = [look.sides[seat].fill for seat in story.log.people.factions]
    lines = [{"colour": colour, "values": story.course.values(side)} for side, colour in enumerate(colours)]
    reviewed = story.review()
    for moment, number in zip(moments, numbers, strict=True):
        moment["v"] = sum(turn.first < number for turn in reviewed)
    told = {"shapes": shapes.all, "moments": moments, "turns": turns, "lines": lines if story.course.turns else []}
    return told | {"play": _("Play"), "pause": _("Pause"), "review": _review_told(story, reviewed, numbers, colours)}


def _review_told(
    story: Story, turns: Sequence[ReviewedTurn], numbers: Sequence[int], colours: Sequence[str]
) -> dict[str, Any] | None:
    """Return a review as the script shows it: the first side's chances, the sides' colours, the turning points.

    Of a point: its turn (t), its moment (m) and its words (w). numbers: the step numbers of all moments.
    """
    if not turns:
        return None
    people, match = story.log.people, story.match
    points = []
    for number, point in enumerate(turning_points(turns), 1):
        words = TurnWords(point.turn, match.positions, match.steps, people)
        lines = [f"{number}. {point_title(point, people)}", *filter(None, point_lines(point, words))]
        moment = bisect_right(numbers, point.turn.first + 1) - 1
        points.append({"t": turns.index(point.turn) + 1, "m": moment, "w": "\n".join(lines)})
    values = [round(chance, 4) for chance in chances(turns, people.factions[0])]
    return {"title": _("Turning points"), "values": values, "colours": list(colours), "points": points}


@dataclass
class Shapes:
    """All the distinct pieces of SVG that a page draws its pictures with, in one look; each has a number."""

    look: Theme
    all: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def of(self, picture: Table) -> list[int]:
        """Return the numbers of the shapes that draw a picture, from the lowest layer up; new ones are added."""
        sheet = Sheet(Lettering(PX_PER_PT), PX_PER_PT, self.look)
        numbers = list[int]()
        for layer in layout_between(picture, SIZE_PT, sheet, 0).layers():
            drawn = (*layer.stills, *map(_photo, layer.photos), *layer.shapes, *map(_text, layer.labels))
            numbers += map(self._number, drawn)
        return numbers

    def _number(self, shape: str) -> int:
        if shape not in self._numbers:
            self._numbers[shape] = len(self.all)
            self.all.append(shape)
        return self._numbers[shape]


def _text(label: Label) -> str:
    anchor, part = ANCHORS[label.align]
    rect, weight = label.rect, ' font-weight="700"' if label.bold else ""
    return (
        f'<text x="{rect.x + part * rect.w:.1f}" y="{rect.centre[1]:.1f}" font-size="{label.size:g}"{weight} '
        f'fill="{label.colour}" text-anchor="{anchor}" dominant-baseline="central">{escape(label.text)}</text>'
    )


def _photo(photo: PlacedPhoto) -> str:
    rect, kind = photo.rect, "png" if photo.data[1:4] == b"PNG" else "jpeg"
    return (
        f'<image x="{rect.x:.1f}" y="{rect.y:.1f}" width="{rect.w:.1f}" height="{rect.h:.1f}" '
        f'preserveAspectRatio="none" href="data:image/{kind};base64,{b64encode(photo.data).decode()}"/>'
    )
