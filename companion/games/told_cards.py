"""The cards that the app's side was told: beside the game (`GAME.hand.json`), so that it has them after a restart too.

They are no part of the game, and no hand of a person's: without the file the app is told its cards again.
"""

from __future__ import annotations

from pathlib import Path

from companion.core import storage
from companion.core.log import tell
from companion.games.private_hand import HandNote
from engine.orders.mode import Mode
from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import parse_object

SUFFIX = ".hand.json"
MOST_BYTES = 10_000
MOST_CARDS = 100


def told_path(game: Path) -> Path:
    """Return the path of the cards that the app's side was told in a saved game, which lies beside the game."""
    return game.with_name(game.name + SUFFIX)


def keep_told(game: Path, note: HandNote) -> None:
    """Write down what it was told; where the disk refuses, the game goes on without."""
    data = storage.line_of({"cards": dict(note.cards), "discard": list(note.discard)})
    try:
        storage.atomic_write(told_path(game), data, "soon")
    except OSError as error:
        tell("warning", f"{told_path(game)}: can't be written ({error.strerror})")


def kept_told(game: Path, mode: Mode) -> HandNote | None:
    """Return the hand the players told the app; None if missing, unreadable or with cards of another mode."""
    try:
        note = note_of(read_file(told_path(game), MOST_BYTES))
    except (OSError, Unreadable):
        return None
    return note if {*note.cards, *note.discard} <= mode.cards.keys() else None


def note_of(data: bytes) -> HandNote:
    """Parse the cards in such a file; Unreadable if it is not valid."""
    told = parse_object(data)
    cards, discard = told.get("cards"), told.get("discard")
    if not isinstance(cards, dict) or not isinstance(discard, list) or len(discard) > MOST_CARDS:
        raise Unreadable("not the cards of a hand")
    if not all(type(n) is int and 0 < n <= MOST_CARDS for n in cards.values()):
        raise Unreadable("not the cards of a hand")
    if not all(isinstance(card, str) for card in discard):
        raise Unreadable("not the cards of a hand")
    return HandNote({str(card): n for card, n in cards.items()}, tuple(discard))
