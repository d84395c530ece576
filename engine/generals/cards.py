"""Cards and decks, read from TOML, and what a deck must meet (Game Play 1 and 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Literal

from engine.errors import BadTable
from engine.generals.book import rules
from engine.ruling import Hearing, Ruling
from engine.tables import Each, Within, Word, listed, parse_table, read_table, table_names

FOLDER = "generals"
KINDS = ("general", "item", "troop", "event", "special")
"""Equipment is of two kinds, items and troops (Game Play 11a)."""
EQUIPMENT = ("item", "troop")
VERBS = {
    "draw": (),
    "damage": (),
    "discard": (),
    "win": (),
    "table": (),
    "military": ("general",),
    "intelligence": ("general",),
    "ready": ("general",),
    "withdraw": ("target",),
    "defeat": ("target",),
    "strike": ("general", "target"),
}
"""What a card may do, and what its step has to name for it: one's own general, an opposing general.

draw: so many cards from one's resources to the hand. damage: so many of the opponent's resources to the expended zone.
discard: so many cards from the opponent's hand. military, intelligence: so many points more for a general until the end
of the turn. ready: a general may move or attack once more. withdraw: an opposing general goes back to its owner's hand.
defeat: it goes to the defeated zone. strike: an intelligence attack (Game Play 14). win: a special victory (Winning
Criteria 4). table: the players do what the card says, and record what comes of it.
"""
NAMED = frozenset({"draw", "damage", "discard", "military", "intelligence"})
"""Verbs that need an amount."""
TRIGGERS = ("deploy", "equip", "event", "effect", "move", "attack", "castle")
"""What the opponent has just done when a special card may be used."""
Zone = Literal["city", "outside", "siege"]
"""Where a general stands, seen from its own side: inside its city, outside its city, outside the opponent's city.

The fourth zone of the battlefield, inside the opponent's city, is closed to it (Game Play 11d).
"""
ZONES: tuple[Zone, ...] = ("city", "outside", "siege")
LEAST_CARDS, MOST_CARDS, MOST_COPIES = 40, 60, 3
HAND_LIMITS = {1: 10, 2: 8}
SMALL_HAND = 6

_NAME = r"[a-z][a-z0-9_]{0,39}"
_EFFECT: dict[str, Any] = {
    "verb": tuple(VERBS),
    "amount?": Within(int, 1, 20),
    "cost?": Within(int, 0, 20),
    "text?": str,
}
_CARD: dict[str, Any] = {
    "title": str,
    "kind": KINDS,
    "copies": Within(int, 1, MOST_CARDS),
    "cost": Within(int, 0, 20),
    "faction?": Word(r"[^\s].{0,39}", "faction's name"),
    "military?": Within(int, 0, 99),
    "intelligence?": Within(int, 0, 99),
    "arrives?": ZONES,
    "swift?": bool,
    "after?": TRIGGERS,
    "effect?": _EFFECT,
    "text?": str,
}
_DECK: dict[str, Any] = {"title": str, "known": ("printed", "owner", "practice"), "cards": Each(_CARD, _NAME)}


@dataclass(frozen=True, slots=True)
class Effect:
    """What a card or a general's special effect does; `cost` is what activating a general's effect costs."""

    verb: str
    amount: int = 0
    cost: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One card. military, intelligence: a general's points, or what equipment adds to them.

    arrives: the zone a deployed general stands in; swift: it may move or attack at once (both "unless indicated on the
    card", Game Play 8 and 9). after: what a special card answers.
    """

    name: str
    title: str
    kind: str
    cost: int
    copies: int
    faction: str = ""
    military: int = 0
    intelligence: int = 0
    arrives: Zone = "city"
    swift: bool = False
    after: str = ""
    effect: Effect | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck: its cards by name, and how it is known; `known` is "practice" for one made up by us."""

    name: str
    title: str
    known: str
    cards: Mapping[str, Card] = field(hash=False)

    @property
    def size(self) -> int:
        """How many cards it has."""
        return sum(card.copies for card in self.cards.values())

    @property
    def factions(self) -> tuple[str, ...]:
        """The factions of its generals, sorted."""
        return tuple(sorted({card.faction for card in self.cards.values() if card.kind == "general"}))

    @property
    def hand_limit(self) -> int:
        """How many cards may be held at the end of a turn (Game Play 2)."""
        return HAND_LIMITS.get(max(1, len(self.factions)), SMALL_HAND)


@cache
def load_deck(name: str) -> Deck:
    """A deck that comes with Gunbai, or was added by `add_deck`. Raises BadTable for an unknown or a broken one."""
    if name in _ADDED:
        return _ADDED[name]
    if name not in table_names(FOLDER):
        raise BadTable(f"no deck {name!r}; there are {', '.join(deck_names())}")
    return _deck(name, read_table(FOLDER, name, _DECK), f"{FOLDER}/{name}.toml")


_ADDED: dict[str, Deck] = {}


def add_deck(deck: Deck) -> None:
    """Make an owner's deck known by its name."""
    _ADDED[deck.name] = deck
    load_deck.cache_clear()


def deck_names() -> tuple[str, ...]:
    """Every deck that is known."""
    return tuple(sorted({*table_names(FOLDER), *_ADDED}))


def read_deck(name: str, text: str, where: str) -> Deck:
    """A deck from the text of an owner's file; BadTable with every fault, each with file and key."""
    return _deck(name, parse_table(where, text, _DECK), where)


def _deck(name: str, table: Mapping[str, Any], where: str) -> Deck:
    faults: list[str] = []
    for card_name, row in table["cards"].items():
        faults += [f"cards.{card_name}.{fault}" for fault in _card_faults(row)]
    if faults:
        raise BadTable(listed(where, faults))
    cards = {card_name: _card(card_name, row) for card_name, row in table["cards"].items()}
    return Deck(name, table["title"], table["known"], MappingProxyType(cards))


def _card_faults(row: Mapping[str, Any]) -> list[str]:
    """What does not go together in one card's row."""
    kind, effect = row["kind"], row.get("effect")
    faults = []
    if kind == "general" and "faction" not in row:
        faults.append("faction: a general has one")
    if kind == "special" and "after" not in row:
        faults.append("after: a special card says what it answers")
    if kind in ("event", "special") and effect is None:
        faults.append("effect: missing")
    if effect is not None and (effect["verb"] in NAMED) != ("amount" in effect):
        faults.append(f"effect.amount: {'missing' if effect['verb'] in NAMED else 'not for this verb'}")
    only = {"arrives": ("general",), "swift": ("general",), "after": ("special",)}
    return faults + [
        f"{key}: not for a card of kind {kind}" for key, kinds in only.items() if key in row and kind not in kinds
    ]


def _card(name: str, row: Mapping[str, Any]) -> Card:
    effect = Effect(**row["effect"]) if "effect" in row else None
    return Card(name, **{**{key: value for key, value in row.items() if key != "effect"}, "effect": effect})


# --- the deck's own rules ---------------------------------------------------------------


def check_deck(deck: Deck) -> Ruling:
    """Whether a deck may be played with: its size, and the copies of each card (Game Play 1)."""
    hearing = Hearing(rules(), thorough=True)
    hearing.weigh(
        "deck.size",
        LEAST_CARDS <= deck.size <= MOST_CARDS,
        n=deck.size,
        unit="card",
        least=LEAST_CARDS,
        most=MOST_CARDS,
    )
    for card in deck.cards.values():
        hearing.weigh(
            "deck.copies", card.copies <= MOST_COPIES, card=card.title, n=card.copies, unit="card", most=MOST_COPIES
        )
    hearing.weigh("deck.generals", bool(deck.factions), title=deck.title)
    return hearing.close()
