"""Notes of players' hands, kept in memory alone, never in the journal, the log, a bundle or a picture.

The game knows a hand as a number (interface: a draw is recorded as a number of cards); which cards they are is nobody
else's business. So a note is lost with the power, and made again with a few touches. Only the cards that the app's side
was told lie beside the game (`GAME.hand.json`), so that it has them after a restart too. They are no part of the game,
and no hand of a person's: without the file the app is told its cards again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.core import storage
from companion.core.log import tell
from engine.orders.mode import Mode
from engine.orders.position import Position
from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import parse_object


@dataclass(frozen=True, slots=True)
class HandNote:
    """The cards a player says they hold, {card: number}, and the discard pile at that time; never to be shown."""

    cards: Mapping[str, int] = field(repr=False)
    discard: tuple[str, ...]


@dataclass(slots=True)
class PrivateHands:
    """Both players' notes of their hands in one match; another match begins without any."""

    notes: dict[str, HandNote] = field(default_factory=dict, repr=False)
    match: object = field(default=None, repr=False)

    def of(self, match: object, position: Position, faction: str) -> dict[str, int]:
        """Return {card: number} of a hand as far as known: the position's, or those noted less discards since."""
        hand = position.hand(faction)
        if not isinstance(hand, int):
            return dict(Counter(hand))
        note = self.notes.get(faction) if self.match is match else None
        return _remaining(note, position, hand) if note else {}

    def put(self, match: object, position: Position, faction: str, card: str) -> None:
        """Note one more copy of a card; if that is more than there can be, note none of it (so taps cycle)."""
        hand = position.hand(faction)
        if not isinstance(hand, int):
            return
        cards = self.of(match, position, faction)
        cards[card] = cards.get(card, 0) + 1
        if cards[card] > copies_out_of_sight(position, card) or sum(cards.values()) > hand:
            del cards[card]
        self.remember(match, faction, HandNote(cards, position.discard))

    def remember(self, match: object, faction: str, note: HandNote) -> None:
        """Keep a note of a faction's hand, dropping the notes of any other match."""
        if self.match is not match:
            self.match, self.notes = match, {}
        self.notes[faction] = note

    def forget(self) -> None:
        """Forget all notes."""
        self.notes = {}


def copies_out_of_sight(position: Position, card: str) -> int:
    """Return how many copies of a card are not in the discard pile."""
    return position.board.mode.cards[card].copies - position.discard.count(card)


def _remaining(note: HandNote, position: Position, hand: int) -> dict[str, int]:
    """Return the noted cards, less discarded ones while they outnumber the hand; {} if they still do."""
    cards = Counter(note.cards)
    gone = Counter(position.discard) - Counter(note.discard)
    for card in gone.elements():
        if cards.total() > hand and cards[card]:
            cards[card] -= 1
    return dict(+cards) if cards.total() <= hand else {}


# --- the cards that the app's side was told ---------------------------------------------------

SUFFIX = ".hand.json"
MOST_BYTES = 10_000
MOST_CARDS = 100


def told_hand_path(game: Path) -> Path:
    """Return the path of the file beside a saved game that keeps the hand the app was told."""
    return game.with_name(game.name + SUFFIX)


def save_told_hand(game: Path, note: HandNote) -> None:
    """Save the hand the app was told; if the disk refuses, log a warning and go on."""
    data = storage.line_of({"cards": dict(note.cards), "discard": list(note.discard)})
    try:
        storage.atomic_write(told_hand_path(game), data, "soon")
    except OSError as error:
        tell("warning", f"{told_hand_path(game)}: can't be written ({error.strerror})")


def load_told_hand(game: Path, mode: Mode) -> HandNote | None:
    """Read the saved hand the app was told; None if missing, unreadable or with cards of another mode."""
    try:
        note = parse_told_hand(read_file(told_hand_path(game), MOST_BYTES))
    except (OSError, Unreadable):
        return None
    return note if {*note.cards, *note.discard} <= mode.cards.keys() else None


def parse_told_hand(data: bytes) -> HandNote:
    """Parse a file that `save_told_hand` wrote; Unreadable if it is not valid."""
    told = parse_object(data)
    cards, discard = told.get("cards"), told.get("discard")
    if not isinstance(cards, dict) or not isinstance(discard, list) or len(discard) > MOST_CARDS:
        raise Unreadable("not the cards of a hand")
    if not all(type(n) is int and 0 < n <= MOST_CARDS for n in cards.values()):
        raise Unreadable("not the cards of a hand")
    if not all(isinstance(card, str) for card in discard):
        raise Unreadable("not the cards of a hand")
    return HandNote({str(card): n for card, n in cards.items()}, tuple(discard))
