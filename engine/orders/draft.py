"""A position while one step is carried out on it: the only mutable thing in the engine, gone when the step is done."""

from __future__ import annotations

from typing import NamedTuple

from engine.orders.position import Hand, Position, Turn
from engine.ruling import append_reading
from engine.words import count_words, form, mark, pair, place, say, side


class Event(NamedTuple):
    """Something that happened while a step was carried out; faction, area and unit are numbers.

    `event_text` puts it in words.

    `reading` names the reading that it rests on.
    """

    kind: str
    faction: int
    area: int = -1
    unit: int = -1
    units: int = 0
    reading: str = ""


class Draft:
    """The fields of a position, open to change; `freeze` gives the new position."""

    __slots__ = (
        "board",
        "bonuses",
        "commanders",
        "discard",
        "events",
        "hands",
        "initiative",
        "last_spent",
        "left",
        "mode",
        "passed",
        "readings",
        "reason",
        "rolled",
        "round",
        "spent",
        "standby",
        "start",
        "to_move",
        "turn",
        "units",
        "winner",
    )

    def __init__(self, start: Position) -> None:
        self.start = start
        self.board = start.board
        self.mode = start.board.mode
        self.bonuses = start.bonuses
        self.round = start.round
        self.initiative = start.initiative
        self.to_move = start.to_move
        self.units = [list(map(list, rows)) for rows in start.units]
        self.commanders = list(start.commanders)
        self.left = list(start.commanders_left)
        self.standby = list(start.standby)
        self.hands: list[Hand] = list(start.hands)
        self.discard = start.discard
        self.spent = list(start.spent)
        self.turn: Turn | None = start.turn
        self.winner = start.winner
        self.reason = start.reason
        self.readings = start.readings
        self.passed = list(start.passed)
        self.last_spent = start.last_spent
        self.rolled = start.rolled
        self.events: list[Event] = []

    def freeze(self) -> Position:
        """Return the draft as the position it has become."""
        return Position(
            self.board,
            self.round,
            self.initiative,
            self.to_move,
            self.bonuses,
            tuple(
                tuple(map(_shared_row, rows, before)) for rows, before in zip(self.units, self.start.units, strict=True)
            ),
            (self.commanders[0], self.commanders[1]),
            (self.left[0], self.left[1]),
            (self.standby[0], self.standby[1]),
            (self.hands[0], self.hands[1]),
            self.discard,
            (self.spent[0], self.spent[1]),
            self.turn,
            self.winner,
            self.reason,
            self.readings,
            (self.passed[0], self.passed[1]),
            self.last_spent,
            self.rolled,
        )

    def tell(self, kind: str, faction: int, area: int = -1, unit: int = -1, units: int = 0) -> None:
        """Add an event."""
        self.events.append(Event(kind, faction, area, unit, units))

    def tell_by(self, reading: str, kind: str, faction: int, area: int = -1) -> None:
        """Add an event that rests on a reading; "" for none."""
        self.events.append(Event(kind, faction, area, reading=reading))

    def reserve(self, faction: int, kind: int) -> int:
        """Count the units of a kind in a faction's reserve."""
        return self.mode.units[kind].reserve - sum(self.units[faction][kind])

    def add(self, faction: int, kind: int, area: int, units: int) -> None:
        """Add units to an area; a number below 0 takes them away."""
        self.units[faction][kind][area] += units

    def standing(self, faction: int, area: int) -> int:
        """Count all units of a faction in an area."""
        return sum(row[area] for row in self.units[faction])

    def kinds_at(self, faction: int, area: int) -> list[int]:
        """Return the kinds of units that a faction has in an area."""
        return [kind for kind, row in enumerate(self.units[faction]) if row[area]]

    def spend(self, faction: int, card: str) -> None:
        """Move a card from a hand to the discard pile."""
        hand = self.hands[faction]
        if isinstance(hand, int):
            self.hands[faction] = hand - 1
        else:
            at = hand.index(card)
            self.hands[faction] = hand[:at] + hand[at + 1 :]
        self.discard += (card,)


def _shared_row(row: list[int], before: tuple[int, ...]) -> tuple[int, ...]:
    """Return a row as a tuple: the very one it was if unchanged, so that the positions of a game share it."""
    after = tuple(row)
    return before if after == before else after


def event_text(position: Position, event: Event) -> str:
    """Return an event in words: "Red loses 2 troops in c4"."""
    board = position.board
    who = board.factions[event.faction]
    area = board.areas[event.area].name if event.area >= 0 else ""
    unit = board.mode.units[event.unit].name if event.unit >= 0 else ""
    n_unit, n_card = count_words(event.units, unit), count_words(event.units, "card")
    words = _WORDS[event.kind]
    template = say(words) if isinstance(words, str) else form(*words, event.units)
    message = template.format(who=side(who), area=place(area), n_unit=n_unit, n_card=n_card, n=event.units)
    return append_reading(message, event.reading)


_WORDS: dict[str, str | tuple[str, str]] = {
    "moved": mark("{who} moves {n_unit} out of {area}"),
    "joined": mark("{who} adds {n_unit} from the reserve to {area}"),
    "bonus": mark("{who} adds {n_unit} to {area} with an area bonus"),
    "no bonus": mark("{who}: no area bonus adds units in {area}"),
    "kept": mark("{who} can't take the initiative in the last round"),
    "placed": mark("{who} places {n_unit} in {area}"),
    "recalled": mark("{who} recalls {n_unit} from {area}"),
    "conflict": mark("conflict in {area}: {who} defends"),
    "rolled": mark("{who} rolls {n}"),
    "lost": mark("{who} loses {n_unit} in {area}"),
    "surplus": pair(
        "{who}: {n_unit} over the limit in {area} goes back to the reserve",
        "{who}: {n_unit} over the limit in {area} go back to the reserve",
    ),
    "drew": mark("{who} draws {n_card}"),
    "initiative": mark("{who} takes the initiative"),
    "passed": mark("{who} passes and puts a commander on standby"),
    "out": mark("{who} has passed for the round"),
    "goes on": mark("{who} has no commanders in the reserve but can still deploy an extra one with a card"),
    "spent": mark("{who} spends {n_unit} from {area}"),
    "commander": mark("{who} takes a commander from standby with an area bonus"),
    "returned": mark("{who} returns a commander to standby"),
    "round": mark("round {n} begins; {who} has the initiative"),
    "won": mark("{who} wins"),
    "agreed": mark("board corrected as agreed; it's {who}'s turn"),
    "put right": mark("record corrected as agreed"),
    "readings": mark("unclear rule settled as agreed"),
}
