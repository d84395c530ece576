"""Cards and decks, read from TOML (Game Play 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from engine.errors import BadTable
from engine.tables import Each, Registry, Within, Word, join_faults, parse_table, read_table, table_names

FOLDER = "generals"
KINDS = ("general", "item", "troop", "event", "special")
EQUIPMENT = ("item", "troop")
"""Equipment is of two kinds, items and troops (Game Play 11a)."""
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
    "disarm": ("target",),
    "weaken": ("target",),
    "strike": ("general", "target"),
}
"""What a card may do, and what its step has to name for it: one's own general, an opposing general.

draw: `amount` cards from one's resources to the hand. damage: `amount` of the opponent's resources to the expended
zone. discard: `amount` cards from the opponent's hand. military, intelligence: `amount` points more for a general until
the end of the turn. ready: a general may move or attack once more. withdraw: an opposing general goes back to its
owner's hand. defeat: it goes to the defeated zone. disarm: its equipment goes to the expended zone. weaken: `amount`
military points less for it until the end of the turn. strike: an intelligence attack (Game Play 14). win: a special
victory (Winning Criteria 4). table: the players do what the card says, and record what comes of it.
"""
NAMED = frozenset({"draw", "damage", "discard", "military", "intelligence", "weaken"})
"""Verbs that need an amount."""
FEATURES = ("military", "intelligence", "win", "table")
"""What a special feature does by itself for as long as its criterion is fulfilled (Game Play 9).

military, intelligence: `amount` points more. win: a special victory. table: the players see to it.
"""
WHENS = ("always", "city", "outside", "siege", "alone", "company", "kin", "facing", "equipped", "table")
"""What a feature's criterion counts, for the general that has it or wears it.

city, outside, siege: it stands there. alone: no other of its side in its zone. company: others of its side there.
kin: others of its faction and side on the battlefield. facing: opposing generals in its zone. equipped: its equipment
cards. always: fulfilled at any time. table: the players judge it.
"""
TRIGGERS = ("draw", "deploy", "equip", "event", "effect", "move", "attack", "castle")
"""What the opponent has just done when a special card may be used; draw: the turn began with a card drawn."""
Zone = Literal["city", "outside", "siege"]
"""Where a general stands, seen from its own side: inside its city, outside its city, outside the opponent's city.

The fourth zone of the battlefield, inside the opponent's city, is closed to it (Game Play 11d).
"""
ZONES: tuple[Zone, ...] = ("city", "outside", "siege")
LEAST_CARDS, MOST_CARDS, MOST_COPIES = 40, 60, 3
HAND_LIMITS = {1: 10, 2: 8}
SMALL_HAND = 6

MOST_COST, MOST_POINTS, MOST_AMOUNT = 20, 99, 20
MOST_TITLE, MOST_FACTION, MOST_TEXT = 60, 40, 400
CARD_NAME = r"[a-z][a-z0-9_]{0,39}"
"""The pattern of a card's name in files and steps; its title is what people call it, in any language."""


def _line_pattern(most: int) -> Word:
    """Return the pattern for one line of at most `most` characters, without control characters."""
    return Word(rf"[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f\u2028\u2029]{{0,{most - 1}}}", f"line of 1 to {most} characters")


TITLE, FACTION, TEXT = _line_pattern(MOST_TITLE), _line_pattern(MOST_FACTION), _line_pattern(MOST_TEXT)
_AMOUNT = Within(int, 1, MOST_AMOUNT)
_EFFECT: dict[str, Any] = {
    "verb": tuple(VERBS),
    "amount?": _AMOUNT,
    "cost?": Within(int, 0, MOST_COST),
    "text?": TEXT,
}
_FEATURE: dict[str, Any] = {"verb": FEATURES, "when": WHENS, "least?": _AMOUNT, "amount?": _AMOUNT, "text?": TEXT}
_CARD: dict[str, Any] = {
    "title": TITLE,
    "kind": KINDS,
    "copies": Within(int, 1, MOST_CARDS),
    "cost": Within(int, 0, MOST_COST),
    "faction?": FACTION,
    "military?": Within(int, 0, MOST_POINTS),
    "intelligence?": Within(int, 0, MOST_POINTS),
    "arrives?": ZONES,
    "swift?": bool,
    "after?": TRIGGERS,
    "effect?": _EFFECT,
    "feature?": _FEATURE,
    "text?": TEXT,
}
_DECK: dict[str, Any] = {"title": TITLE, "known": ("printed", "owner", "practice"), "cards": Each(_CARD, CARD_NAME)}
BEARERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "military": ("general", *EQUIPMENT),
        "intelligence": ("general", *EQUIPMENT),
        "arrives": ("general",),
        "swift": ("general",),
        "feature": ("general", *EQUIPMENT),
        "effect": ("general", "event", "special"),
        "after": ("special",),
    }
)
"""The kinds of card that have each of these keys; every kind has the other keys."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a card or a general's special effect does; `cost` is what activating a general's effect costs."""

    verb: str
    amount: int = 0
    cost: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Feature:
    """What a general or its equipment does by itself while the count of `when` is `least` or more (Game Play 9)."""

    verb: str
    when: str
    least: int = 1
    amount: int = 0
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
    feature: Feature | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck: its cards by name, and how it is known; `known` is "practice" for one made up by us.

    text: its file's own, of an owner's deck; "" of ours. Decks of the same cards are equal, however their files put it.
    """

    name: str
    title: str
    known: str
    cards: Mapping[str, Card] = field(hash=False)
    text: str = field(default="", repr=False, compare=False)

    @property
    def size(self) -> int:
        """How many cards it has."""
        return sum(card.copies for card in self.cards.values())

    @property
    def factions(self) -> tuple[str, ...]:
        """The factions that its cards name, sorted."""
        return tuple(sorted({card.faction for card in self.cards.values() if card.faction}))

    @property
    def hand_limit(self) -> int:
        """How many cards may be held at the end of a turn (Game Play 2)."""
        return HAND_LIMITS.get(max(1, len(self.factions)), SMALL_HAND)


def _read_built_in(name: str) -> Deck:
    if name not in table_names(FOLDER):
        raise BadTable(f"no deck {name!r}; there are {', '.join(deck_names())}")
    return _deck(name, read_table(FOLDER, name, _DECK), f"{FOLDER}/{name}.toml")


DECKS = Registry(FOLDER, _read_built_in)
"""The decks that come with Gunbai, and those of owners that were added."""
load_deck, deck_names, own_deck_names, remove_deck = DECKS.load, DECKS.names, DECKS.added_names, DECKS.remove
BROUGHT = 16
"""How many decks brought along by requests are remembered: the next request is often about the same one."""


def add_deck(deck: Deck) -> None:
    """Add an owner's deck, to be loaded by its name; raise BadTable if one of Gunbai's own has that name."""
    DECKS.add(deck.name, deck, f"{deck.name}: a deck of that name comes with Gunbai")


@lru_cache(maxsize=BROUGHT)
def read_deck(name: str, text: str, where: str) -> Deck:
    """Read a deck from the text of an owner's file; raise BadTable with every fault, its file and key."""
    return replace(_deck(name, parse_table(where, text, _DECK), where), text=text)


def _deck(name: str, table: Mapping[str, Any], where: str) -> Deck:
    faults: list[str] = []
    for card_name, row in table["cards"].items():
        faults += [f"cards.{card_name}.{fault}" for fault in _card_faults(row)]
    if faults:
        raise BadTable(join_faults(where, faults))
    cards = {card_name: _card(card_name, row) for card_name, row in table["cards"].items()}
    return Deck(name, table["title"], table["known"], MappingProxyType(cards))


def _card_faults(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield what doesn't fit together in one card's row."""
    kind = row["kind"]
    for key, kinds in BEARERS.items():
        if key in row and kind not in kinds:
            yield f"{key}: not for a card of kind {kind}"
    if kind == "general" and "faction" not in row:
        yield "faction: a general has one"
    if kind == "special" and "after" not in row:
        yield "after: a special card says what it answers"
    if kind in ("event", "special") and "effect" not in row:
        yield "effect: missing"
    if kind != "general" and "cost" in row.get("effect", {}):
        yield "effect.cost: only a general's effect has a cost of its own"
    for key, named in (("effect", NAMED), ("feature", NAMED & {*FEATURES})):
        verb = row.get(key, {}).get("verb")
        if verb and (verb in named) != ("amount" in row[key]):
            yield f"{key}.amount: {'missing' if verb in named else 'not for this verb'}"


def _card(name: str, row: Mapping[str, Any]) -> Card:
    made = {key: form(**row[key]) for key, form in (("effect", Effect), ("feature", Feature)) if key in row}
    return Card(name, **{**row, **made})
