"""What can be touched, what a touch means, and what a long one explains: the words that a screen is written in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from companion.core.language import _
from companion.ui.small_map import SmallPicture

Tone = Literal["plain", "quiet", "strong", "title", "hero", "good", "bad", "warn"]
Look = Literal["plain", "primary", "quiet", "danger", "chosen", "off"]
Spot = Literal["", "undo", "leave", "ask", "confirm"]
"""A place of its own in the row of actions: undo, leave and ask begin it, confirm ends it, whatever is between them."""
Place = tuple[float, float]
"""(x, y) as parts of a picture's width and height, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a touch means: a verb of the scene, what it is about, and a number where it needs one.

    at: where on the thing that is dragged the finger is, as parts of its width and height; `n` is then 0 for a finger
    that comes down, 1 for one that moves, 2 for one that leaves. seat: the faction in whose half it was touched, put
    there by the app; "" in the one-sided layout.
    """

    verb: str
    what: str = ""
    n: int = 0
    at: tuple[float, float] = (0.0, 0.0)
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Button:
    """Something to touch. "off" looks dead but still answers: it explains why not. `sign` is a small picture.

    repeats: it is made to be touched fast, one touch after the other: an arrow, a turn by a little. spot: among the
    actions along the lower edge it has this place, the same on every screen. picture: what it is about, drawn small at
    its left where there is room. side: the faction whose mark stands at its right: who has won, whose turn it is.
    ticked: it is a line of a list with a box for a tick, and whether that is ticked; None for any other button.
    """

    label: str
    intent: Intent
    look: Look = "plain"
    sign: str = ""
    note: str = ""
    repeats: bool = False
    spot: Spot = ""
    picture: SmallPicture | None = None
    side: str = ""
    ticked: bool | None = None

    @property
    def about(self) -> str:
        """The key of what a long touch explains."""
        return f"{self.intent.verb}:{self.intent.what}"


def back_button(look: Look = "quiet", *, verb: str = "back", note: str = "") -> Button:
    """Return the button that leads back to what was shown before; what was chosen until then holds.

    look: "primary" where it is what a desk's confirming button means; it is drawn like any other way back. verb: what
    the scene calls it. note: what becomes of the work.
    """
    return Button(_("Back"), Intent(verb), look, note=note, spot="leave")


def cancel_button(verb: str = "cancel") -> Button:
    """Return the button that gives up what was begun. verb: what the scene calls it."""
    return Button(_("Cancel"), Intent(verb), "quiet", spot="leave")


CONFIRM = Intent("confirm")


def confirm_button(label: str, look: Look = "primary", intent: Intent = CONFIRM) -> Button:
    """Return the button that confirms a turn, a throw, a card, an order or a count: in one place in all games."""
    return Button(label, intent, look, spot="confirm")


def live_first(buttons: Iterable[Button]) -> tuple[Button, ...]:
    """Return the buttons in their order, but with those that look dead after the others."""
    return tuple(sorted(buttons, key=lambda one: one.look == "off"))


@dataclass(frozen=True, slots=True)
class Explanation:
    """What something is called, what it is in one to three sentences, and where the book has it, "" for nowhere."""

    title: str
    text: str
    cite: str = ""


# ---- typed, switched, measured and tried out -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line that is being typed, with its end marked; `hint` is shown while it is empty."""

    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the keyboard on the screen; `sign` is "shift" or "erase", `span` its width in letters."""

    label: str
    intent: Intent
    look: Look = "plain"
    sign: str = ""
    span: float = 1.0


@dataclass(frozen=True, slots=True)
class Keys:
    """A keyboard: its rows for a wide place, and for a narrow one."""

    wide: tuple[tuple[Key, ...], ...]
    narrow: tuple[tuple[Key, ...], ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """Something that is on or off: its name, one sentence of what it does. The whole row is touched."""

    label: str
    text: str
    on: bool
    intent: Intent


@dataclass(frozen=True, slots=True)
class Ruler:
    """A ruler as long as the screen is believed to make it, and a square of 12 mm: to be held against a real one."""

    text: str


@dataclass(frozen=True, slots=True)
class Sample:
    """Both factions' pieces, a good and a bad verdict, and the accent, in the colours that are chosen."""

    good: str
    bad: str


@dataclass(frozen=True, slots=True)
class Hold:
    """A ring to hold a finger on, sent as a drag; `part` of the time has passed (0 to 1), `label` is shown below it."""

    label: str
    intent: Intent
    part: float = 0.0


@dataclass(frozen=True, slots=True)
class StatusRow:
    """A thing that was checked: "ok", "note" or "bad", what it is, the facts, and what to do."""

    state: str
    title: str
    told: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Crosses:
    """Five crosses to touch, in the corners and the middle: which have been, sent as Intent(verb, "", index)."""

    verb: str
    touched: tuple[bool, ...]
