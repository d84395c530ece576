"""What is said of a new card game so far."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.match import AnyMatch
from companion.games.shelf import known_names, shelf
from companion.scenes.base.stage import Stage
from engine.errors import BadTable
from engine.generals.book import readings
from engine.generals.cards import Deck, deck_names, load_deck
from engine.generals.position import SIDES
from engine.rulebook import Reading

PRACTICE = ("practice-cranes", "practice-wolves")
SYSTEM = "generals"


class DuelSetUp:
    """Players, decks, who moves first, and how open questions are answered. Decks are those of the last game."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        games = shelf().look().games
        self.names = known_names(games)
        last = next((one for one in games if one.system == SYSTEM and one.readable and not one.demo), None)
        self.players = {who: str(last.players.get(who, "")) if last else "" for who in SIDES}
        self.decks = dict(zip(SIDES, _decks(last.board if last else ""), strict=True))
        self.first = ""
        self.cut: dict[str, int] = dict.fromkeys(SIDES, 0)
        self.switched: frozenset[str] = frozenset()

    @property
    def readings(self) -> Mapping[str, Reading]:
        """What the rules leave open."""
        return readings()

    def deck(self, who: str) -> Deck:
        """The deck of a side."""
        return load_deck(self.decks[who])

    def name(self, who: str, name: str) -> None:
        """A player's name; who had it on the other side takes this one's."""
        other = SIDES[1 - SIDES.index(who)]
        if name and self.players[other] == name:
            self.players[other] = self.players[who]
        self.players[who] = name

    def swap(self) -> None:
        """The players change sides, with their decks."""
        for things in (self.players, self.decks):
            things["red"], things["black"] = things["black"], things["red"]

    @property
    def decides(self) -> str:
        """Who decides who moves first: whoever cut the higher cost; "" for equal ones, which are cut again."""
        one, other = (self.cut[who] for who in SIDES)
        return "" if one == other else SIDES[int(other > one)]

    def request(self) -> dict[str, object]:
        """What the saved game begins with."""
        request: dict[str, object] = {"system": SYSTEM, "decks": dict(self.decks), "first": self.first}
        if self.switched:
            request["readings"] = dict.fromkeys(sorted(self.switched), "other")
        players = {who: name for who, name in self.players.items() if name}
        return request | ({"players": players} if players else {})

    def start(self) -> AnyMatch:
        """Begin the game; by chance where nobody said who moves first. EngineError or MatchError where it cannot."""
        self.first = self.first or self.stage.services.chance.one(SIDES)
        return self.stage.services.games.start(self.request())


def _decks(board: str) -> tuple[str, str]:
    """The decks of the last game, where they are still there: "one/other"; else those for practice."""
    one, _slash, other = board.partition("/")
    return (one, other) if {one, other} <= set(deck_names()) and _known(one) and _known(other) else PRACTICE


def _known(name: str) -> bool:
    try:
        load_deck(name)
    except BadTable:
        return False
    return True
