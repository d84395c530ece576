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
