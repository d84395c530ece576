"""What the camera says in words: what is wrong with a picture, and why the eye isn't surer of an area."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from companion.core.language import _
from companion.text.orders import faction_name, join_words


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
    return TEXTS[fault.kind](fault)


def first_fault(faults: Sequence[CalibrationFault]) -> str:
    """Return the gravest fault in words; "" for none."""
    return fault_text(faults[0]) if faults else ""


def corner_name(name: str) -> str:
    """Return the words for a corner of the board, given as the eye calls it."""
    names = {
        "top left": _("top left"),
        "top right": _("top right"),
        "bottom right": _("bottom right"),
        "bottom left": _("bottom left"),
    }
    return names[name]


def _corners(names: Iterable[str]) -> str:
    return join_words(corner_name(name) for name in names)


TEXTS: Mapping[str, Callable[[CalibrationFault], str]] = {
    "dark": lambda _fault: _("Too dark. Turn on a lamp."),
    "bright": lambda _fault: _("Too bright to see the print. Dim the lamp or move it."),
    "blurred": lambda _fault: _("Blurred. Focus the camera or wipe its lens."),
    "shaken": lambda _fault: _("The camera shook. Keep it still."),
    "cut-off": lambda fault: _("Board cut off: {corners}. Move the camera until all of it shows.").format(
        corners=_corners(fault.places)
    ),
    "glare": lambda fault: _("Lamp glare in {areas}. Move the lamp or the camera.").format(
        areas=join_words(fault.places)
    ),
    "few-pixels": lambda _fault: _("The camera's resolution is too low: it needs at least 640 × 480."),
    "small": lambda _fault: _("Too far away. Bring the camera closer."),
    "steep": lambda _fault: _("The camera's angle is too low. Put it higher."),
    "moved": lambda _fault: _("This doesn't match the photo of the empty board: the board or camera moved too far."),
    "covered": lambda fault: _("Something covers {areas}.").format(areas=join_words(fault.places)),
    "unseen": lambda fault: _(
        "{who}: no pieces found. The camera can't tell them from the board: try different lighting."
    ).format(who=faction_name(fault.side)),
    "faint": lambda fault: _(
        "{who}: these pieces hardly stand out from the board, so the camera will never be sure. Try more light."
    ).format(who=faction_name(fault.side)),
    "missing": lambda fault: _("Pieces are missing in {areas}.").format(areas=join_words(fault.places)),
    "extra": lambda fault: _("Too many pieces in {areas}.").format(areas=join_words(fault.places)),
    "shine": lambda fault: _("Can't find the board. A lamp or window glares at the picture's {corners}.").format(
        corners=_corners(fault.places)
    ),
    "same": lambda _fault: _(
        "Both photos look the same. If there were pieces on the board in the first one, retake it."
    ),
    "unsure": lambda fault: _("Not sure about {areas}: does it match the map?").format(areas=join_words(fault.places)),
}


MOST_NAMED = 2


def doubt_words(reasons: Sequence[str]) -> str:
    """Return the weightiest reasons (`vision.reading.reasons`) in words; "" for none."""
    words = _words()
    return ", ".join(words[reason] for reason in reasons[:MOST_NAMED] if reason in words)


def other_light() -> str:
    """Return the sentence that says that the empty board was photographed in another light."""
    return _("The light isn't that of the empty board's photo.")


def _words() -> Mapping[str, str]:
    return {
        "belief": _("hard to tell"),
        "others": _("much of the board is unclear"),
        "unlike": _("something that's neither board nor piece"),
        "contrast": _("pieces hardly stand out from the board"),
        "light": _("the light has changed"),
        "glare": _("glare"),
        "start": _("unlike the photo of the start"),
        "line": _("a piece on a border"),
        "edge": _("partly out of the picture"),
        "hidden": _("covered"),
        "lost": _("board not found"),
        "place": _("the board's place isn't exact here"),
    }
