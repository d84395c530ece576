"""A side of the card game as players set it by hand: every change moves cards, so that none comes or goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.core.language import _
from engine.generals.cards import EQUIPMENT
from engine.generals.position import SIDES, Fighter, Position
from engine.generals.steps import Agreed

PILES = ("resources", "hand", "expended")
SWITCHES = ("fresh", "acted", "used")
POINTS = ("military", "intelligence")
ROW = ("zone", *EQUIPMENT, *SWITCHES, *POINTS)


@dataclass(frozen=True)
class SideDraft:
    """A side as it is to be: numbers of its piles, generals by label with all that is told of them, the defeated ones.

    winner: a side that the players agree has won, or "".
    """

    position: Position
    index: int
    numbers: Mapping[str, int]
    generals: Mapping[str, Mapping[str, Any]]
    defeated: tuple[str, ...]
    winner: str = ""

    @classmethod
    def of(cls, position: Position, index: int) -> SideDraft:
        """Return the draft of a side as the record has it."""
        side = position.sides[index]
        numbers = {pile: getattr(side, pile) for pile in PILES}
        return cls(
            position, index, numbers, {fighter.label: row_of(fighter) for fighter in side.fighters}, side.defeated
        )

    @property
    def deck(self) -> Mapping[str, Any]:
        """The cards of its deck by name."""
        return self.position.sides[self.index].deck.cards

    @property
    def cards(self) -> int:
        """All cards of the side now."""
        worn = sum(1 + sum(bool(row[kind]) for kind in EQUIPMENT) for row in self.generals.values())
        return sum(self.numbers.values()) + worn + len(self.defeated)

    # ---- changes ------------------------------------------------------------------------------------

    def with_count(self, pile: str, by: int) -> SideDraft:
        """Return the draft with more or fewer cards in a pile, never fewer than none."""
        return replace(self, numbers={**self.numbers, pile: max(0, self.numbers[pile] + by)})

    def with_value(self, label: str, key: str, value: Any) -> SideDraft:
        """Return the draft with one value of a general changed.

        Equipment comes from the hand; what it replaces goes to the expended zone.
        """
        row = self.generals[label]
        draft = replace(self, generals={**self.generals, label: {**row, key: value}})
        if key in EQUIPMENT and row[key] != value:
            draft = draft.with_count("expended", 1) if row[key] else draft
            return draft.with_count("hand", -1) if value else draft
        return draft

    def without(self, label: str, pile: str) -> SideDraft:
        """Return the draft without a general.

        pile: where its card goes, "defeated" or a pile. Its equipment is expended.
        """
        row = self.generals[label]
        draft = replace(self, generals={name: general for name, general in self.generals.items() if name != label})
        draft = draft.with_count("expended", sum(bool(row[kind]) for kind in EQUIPMENT))
        if pile == "defeated":
            return replace(draft, defeated=(*self.defeated, card_of(label)))
        return draft.with_count(pile, 1)

    def with_general(self, card: str) -> SideDraft:
        """Return the draft with one more general of a card, taken from the hand."""
        label = next(label for label in (card, *(f"{card}-{n}" for n in range(2, 9))) if label not in self.generals)
        row = row_of(Fighter(label, card, self.deck[card].arrives))
        return replace(self, generals={**self.generals, label: row}).with_count("hand", -1)

    def put_back(self, card: str, pile: str) -> SideDraft:
        """Return the draft with a defeated general moved to a pile."""
        defeated = list(self.defeated)
        defeated.remove(card)
        return replace(self, defeated=tuple(defeated)).with_count(pile, 1)

    # ---- the step -----------------------------------------------------------------------------------

    def step(self) -> Agreed | None:
        """Return the step for the players to agree on; None if nothing has changed."""
        before = SideDraft.of(self.position, self.index)
        numbers = {pile: n for pile, n in self.numbers.items() if n != before.numbers[pile]}
        generals: dict[str, Mapping[str, Any] | None] = {
            label: dict(row) for label, row in self.generals.items() if row != before.generals.get(label)
        }
        generals |= {label: None for label in before.generals if label not in self.generals}
        defeated = self.defeated if self.defeated != before.defeated else None
        if not (numbers or generals or self.winner) and defeated is None:
            return None
        return Agreed(SIDES[self.index], numbers, generals, defeated, self.winner, _("set by hand"))


def row_of(fighter: Fighter) -> dict[str, Any]:
    """Return all values recorded about a general."""
    return {key: getattr(fighter, key) for key in ROW}


def card_of(label: str) -> str:
    """Return the name of the card behind a general's label."""
    return label.partition("-")[0]
