"""What the camera says in words: what is wrong with a picture, and why the eye isn't surer of an area."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from companion.core.language import _
from companion.text.orders import faction_name, join_words
from engine.words import mark

MOST_NAMED = 2  # reasons of a doubt


class CalibrationFault(Protocol):
    """What is wrong with a picture: see vision.calibration.faults."""

    @property
    def kind(self) -> str:
        """One of the eye's kinds of fault."""

    @property
    def places(self) -> tuple[str, ...]:
        """Areas, or corners of the board."""

    @property
    def value(self) -> float:
        """What was measured."""

    @property
    def side(self) -> str:
        """Whose pieces it is about; "" where that is nobody in particular."""


def fault_text(fault: CalibrationFault) -> str:
    """Return one fault as a sentence or two: what is wrong, and what helps."""
    places = join_words(map(_, fault.places))
    return _(TEXTS[fault.kind]).format(areas=places, corners=places, who=faction_name(fault.side))


def first_fault(faults: Sequence[CalibrationFault]) -> str:
    """Return the gravest fault in words; "" for none."""
    return fault_text(faults[0]) if faults else ""


TEXTS: Mapping[str, str] = {
    "dark": mark("Too dark. Turn on a lamp."),
    "bright": mark("Too bright to see the print. Dim the lamp or move it."),
    "blurred": mark("Blurred. Focus the camera or wipe its lens."),
    "shaken": mark("The camera shook. Keep it still."),
    "cut-off": mark("Board cut off: {corners}. Move the camera until all of it shows."),
    "glare": mark("Lamp glare in {areas}. Move the lamp or the camera."),
    "few-pixels": mark("The camera's resolution is too low: it needs at least 640 × 480."),
    "small": mark("Too far away. Bring the camera closer."),
    "steep": mark("The camera's angle is too low. Put it higher."),
    "moved": mark("This doesn't match the photo of the empty board: the board or camera moved too far."),
    "covered": mark("Something covers {areas}."),
    "unseen": mark("{who}: no pieces found. The camera can't tell them from the board: try different lighting."),
    "faint": mark(
        "{who}: these pieces hardly stand out from the board, so the camera will never be sure. Try more light."
    ),
    "missing": mark("Pieces are missing in {areas}."),
    "extra": mark("Too many pieces in {areas}."),
    "shine": mark("Can't find the board. A lamp or window glares at the picture's {corners}."),
    "same": mark("Both photos look the same. If there were pieces on the board in the first one, retake it."),
    "unsure": mark("Not sure about {areas}: does it match the map?"),
}
CORNERS = (mark("top left"), mark("top right"), mark("bottom right"), mark("bottom left"))
"""What the eye calls the corners of the board."""


def doubt_words(reasons: Sequence[str]) -> str:
    """Return the weightiest reasons (`vision.reading.doubt`) in words; "" for none."""
    return ", ".join(_(DOUBTS[reason]) for reason in reasons[:MOST_NAMED] if reason in DOUBTS)


def other_light() -> str:
    """Return the sentence that says that the empty board was photographed in another light."""
    return _("The light isn't that of the empty board's photo.")


DOUBTS: Mapping[str, str] = {
    "belief": mark("hard to tell"),
    "others": mark("much of the board is unclear"),
    "unlike": mark("something that's neither board nor piece"),
    "contrast": mark("pieces hardly stand out from the board"),
    "light": mark("the light has changed"),
    "glare": mark("glare"),
    "start": mark("unlike the photo of the start"),
    "line": mark("a piece on a border"),
    "edge": mark("partly out of the picture"),
    "hidden": mark("covered"),
    "lost": mark("board not found"),
    "place": mark("the board's place isn't exact here"),
}
