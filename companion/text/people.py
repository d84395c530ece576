"""Who plays, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.text.orders import faction_name


@dataclass(frozen=True, slots=True)
class People:
    """Who plays: the factions in the order of the board, and {faction: name} for those who gave one.

    titles: what a side is called where that is not its colour; by_app: the side that the app plays, "" for none.
    """

    factions: tuple[str, ...]
    players: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    by_app: str = ""

    @property
    def at_table(self) -> tuple[str, ...]:
        """The sides that people play."""
        return tuple(faction for faction in self.factions if faction != self.by_app)

    def name(self, faction: str) -> str:
        """Return the player's name, or the side's where none was given."""
        return self.players.get(faction) or self.titles.get(faction) or faction_name(faction)
