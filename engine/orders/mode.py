"""A mode of play as data: limits, dice, units, action spaces, cards, bonuses, readings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from engine.errors import BadTable
from engine.rulebook import Reading, cite, load_readings, load_rules
from engine.ruling import Rule, as_printed
from engine.tables import Each, form_of, read_table, table_names

KNOWN = ("printed", "owner", "practice")
CARD_KNOWN = (*KNOWN, "inferred")
"""How a card's text is known; inferred: what the rulebook lets one gather of a card that nobody published."""
PLACES = ("land", "water", "air")
END, PLACING = "end", "placing"
"""When the limit of an area binds: at the end of an action, or already as units are placed."""


@dataclass(frozen=True, slots=True)
class UnitKind:
    """A kind of unit: how many a faction has, and where it may stand ("land", "water" or "air")."""

    name: str
    index: int
    reserve: int
    place: str


@dataclass(frozen=True, slots=True)
class ActionKind:
    """What an action does: one of the closed set of verbs ("move", "shoot", "drop", "place", "draw"), with settings.

    `kind` is the kind of the linked area (of the area placed into, for "place"). A "move" crosses one supplied water
    with `bridge` and any chain of supplied areas of its kind with `chain`. A "shoot" rolls `dice`, or one die for each
    `dice_per` unit in the linked area, or one for each `payload` unit spent from it, at a `target` area up to `range`
    areas away, or beneath the linked air zone with `beneath`; never a fortified one with `spares_forts`. With
    `enemy_only` the target must be the opponent's; the reading `target_reading` turns that round. A "drop" puts
    `amount` units of `unit` into any land area that may be targeted. A "place" with `ports` may also use waters at
    supplied ports, with `home` the air zone of one's headquarters, no matter who holds it; `limit` says when the limit
    of an area binds. With `recall` units may be taken back from the map where the reserve is short.
    """

    name: str
    verb: str
    kind: str = ""
    bridge: bool = False
    chain: bool = False
    target: str = ""
    dice: int = 0
    dice_per: str = ""
    spares_forts: bool = False
    ports: bool = False
    range: int = 1
    beneath: bool = False
    payload: str = ""
    enemy_only: bool = False
    target_reading: str = ""
    unit: str = ""
    amount: int = 0
    home: bool = False
    limit: str = END
    recall: bool = False

    @property
    def title(self) -> str:
        """The action as it is printed: "Take-off"."""
        return self.name.replace("_", "-").capitalize()


@dataclass(frozen=True, slots=True)
class Support:
    """An action space of the support board: its number, how many units may be siege weapons, the initiative symbol.

    `amounts` has a number for each faction where they differ; `known` tells how the number is known.
    """

    amount: int
    siege: int = 0
    initiative: bool = False
    amounts: Mapping[str, int] = field(default_factory=dict)
    known: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """An operation card: when (`moment`, `action`, `by`), what (`verb`, `amount`, `unit`), and in how many copies.

    A card of the verb "table" has a text that is not known: the players resolve it, and `likely` is a guess to help
    them, after `likely_from`. `known` tells how the text is known.
    """

    name: str
    copies: int
    title: str
    text: str
    condition: str
    by: str
    action: str
    moment: str
    verb: str
    amount: int
    unit: str = ""
    into_enemy: bool = False
    known: str = ""
    likely: str = ""
    likely_from: str = ""
    title_pt: str = ""

    @property
    def heading(self) -> str:
        """The title as it is printed in the edition in use."""
        return as_printed(self.title, self.title_pt)


@dataclass(frozen=True, slots=True)
class Bonus:
    """An area bonus, a token or printed on the map: the action it adds to, and what.

    "more" of the action's amount, a unit that "join"s, "defence" dice in its own area, a "commander" from standby;
    the last two belong to no action. `printed` is one that is on the map only, never a token.
    """

    name: str
    title: str
    text: str
    action: str
    verb: str
    amount: int
    unit: str = ""
    printed: bool = False
    title_pt: str = ""

    @property
    def heading(self) -> str:
        """The title as it is printed in the edition in use."""
        return as_printed(self.title, self.title_pt)


@dataclass(frozen=True, eq=False, slots=True)
class Mode:
    """A mode of play in numbers and names: what is in the box, the actions, cards and bonuses, and the rules."""

    name: str
    title: str
    known: str
    rulebook: str
    factions: tuple[str, str]
    rounds: int
    commanders: int
    """All the commanders of a faction; `standby` of them begin in the standby area, the others in the reserve."""
    die: tuple[int, ...]
    caps: Mapping[str, int]
    units: tuple[UnitKind, ...]
    defence_dice: int
    fort_dice: int
    actions: Mapping[str, ActionKind]
    support: Mapping[str, Support]
    cards: Mapping[str, Card]
    bonuses: Mapping[str, Bonus]
    rules: Mapping[str, Rule]
    readings: Mapping[str, Reading]
    standby: int = 0
    final_pass: bool = False
    """Whether a pass ends the round for the player who passes, and costs no commander."""
    zone_dice: int = 0
    """The defence dice added on land beneath an air zone that the defender supplies."""
    one_stays_out: tuple[str, ...] = ()
    """Tokens of which one, nobody knows which, stays out of the game."""
    kinds_on: Mapping[str, tuple[int, ...]] = field(init=False)
    unit_index: Mapping[str, int] = field(init=False)
    faction_index: Mapping[str, int] = field(init=False)
    windows: Mapping[tuple[str, str], tuple[Card, ...]] = field(init=False)
    table_cards: tuple[Card, ...] = field(init=False)
    """The cards that the players resolve themselves."""
    bonus_verbs: frozenset[str] = field(init=False)
    """The verbs of this mode's area bonuses."""

    def __post_init__(self) -> None:
        places = [place for place in PLACES if any(kind.place == place for kind in self.units)]
        on = {place: tuple(kind.index for kind in self.units if kind.place == place) for place in places}
        windows: dict[tuple[str, str], tuple[Card, ...]] = {}
        for card in self.cards.values():
            for action in [card.action] if card.action else self.actions:
                windows[card.moment, action] = (*windows.get((card.moment, action), ()), card)
        object.__setattr__(self, "kinds_on", on)
        object.__setattr__(self, "unit_index", {kind.name: kind.index for kind in self.units})
        object.__setattr__(self, "faction_index", {name: index for index, name in enumerate(self.factions)})
        object.__setattr__(self, "windows", windows)
        object.__setattr__(self, "table_cards", tuple(card for card in self.cards.values() if card.verb == "table"))
        object.__setattr__(self, "bonus_verbs", frozenset(bonus.verb for bonus in self.bonuses.values()))

    @property
    def tokens(self) -> tuple[str, ...]:
        """The bonuses that are tokens and lie on the slots of a board."""
        return tuple(name for name, bonus in self.bonuses.items() if not bonus.printed)

    def card_title(self, name: str) -> str:
        """Return a card's printed title; of an unknown card its name."""
        return self.cards[name].heading if name in self.cards else name

    def token_title(self, name: str) -> str:
        """Return a bonus's printed title; of an unknown one its name."""
        return self.bonuses[name].heading if name in self.bonuses else name

    @property
    def deck(self) -> dict[str, int]:
        """Copies of each card in the full deck."""
        return {card.name: card.copies for card in self.cards.values()}


SUPPORT_FORM = Each(form_of(Support, amounts=Each(int), known=KNOWN))
VERBS = ("move", "shoot", "drop", "place", "draw")
_MODE_FORM = {
    "title": str,
    "known": KNOWN,
    "rulebook": str,
    "factions": [str],
    "rounds": int,
    "commanders": int,
    "die": [int],
    "cards": str,
    "bonuses": [str],
    "standby?": int,
    "one_stays_out?": [str],
    "final_pass?": bool,
    "caps": Each(int),
    "units": Each(form_of(UnitKind, ("name", "index"), place=PLACES)),
    "defence": {"dice": int, "fort_dice?": int, "zone_dice?": int},
    "actions": Each(form_of(ActionKind, verb=VERBS, kind=PLACES, target=PLACES, limit=(END, PLACING))),
    "support": SUPPORT_FORM,
}
CARDS_FORM = Each(
    form_of(
        Card,
        by=("mover", "opponent", "either"),
        moment=("deploy", "join", "defence", "shot", "again", "any"),
        verb=("dice", "place", "join", "share", "again", "extra", "table"),
        known=CARD_KNOWN,
    )
)
_CARD_FORM = {"known": KNOWN, "cards": CARDS_FORM}
_BONUS_FORM = {
    "known": KNOWN,
    "bonuses": Each(form_of(Bonus, verb=("more", "join", "defence", "commander"))),
}


def mode_names() -> tuple[str, ...]:
    """Return the names of the modes that the engine has data for."""
    return table_names("modes")


@cache
def load_mode(name: str) -> Mode:
    """Load the mode of that name; raise BadTable if there is none, or if its data break its form."""
    if name not in mode_names():
        raise BadTable(f"mode: no mode named {name!r}; there is {', '.join(mode_names())}")
    return mode_from(name, read_table("modes", name, _MODE_FORM))


def mode_from(name: str, data: Mapping[str, Any]) -> Mode:
    """Build a mode from its data with the tables it names, checked as a whole.

    Raises BadTable with every fault.
    """
    book = data["rulebook"]
    bonuses = read_table("bonuses", book, _BONUS_FORM)["bonuses"]
    deck = read_table("cards", data["cards"], _CARD_FORM)
    cards = {card: Card(card, **{"known": deck["known"], **row}) for card, row in deck["cards"].items()}
    faults = list(_faults(data, cards, bonuses))
    if faults:
        raise BadTable("; ".join(f"mode {name}: {fault}" for fault in faults))
    first, second = data["factions"]
    return Mode(
        name=name,
        title=data["title"],
        known=data["known"],
        rulebook=book,
        factions=(first, second),
        rounds=data["rounds"],
        commanders=data["commanders"],
        die=tuple(data["die"]),
        caps=data["caps"],
        units=tuple(UnitKind(unit, i, **row) for i, (unit, row) in enumerate(data["units"].items())),
        defence_dice=data["defence"]["dice"],
        fort_dice=data["defence"].get("fort_dice", data["defence"]["dice"]),
        actions={action: ActionKind(action, **row) for action, row in data["actions"].items()},
        support={space: Support(**row) for space, row in data["support"].items()},
        cards=cards,
        bonuses={bonus: Bonus(bonus, **bonuses[bonus]) for bonus in data["bonuses"]},
        rules=rules_of(book),
        readings=load_readings(book, partial(cite, book)),
        standby=data.get("standby", 0),
        one_stays_out=tuple(data.get("one_stays_out", ())),
        final_pass=data.get("final_pass", False),
        zone_dice=data["defence"].get("zone_dice", 0),
    )


def _faults(data: Mapping[str, Any], cards: Mapping[str, Card], bonuses: Mapping[str, Any]) -> Iterator[str]:
    """Yield each fault of a mode's data: a name that stands for nothing, a missing limit, factions that aren't two."""
    actions, units = data["actions"], data["units"]
    if len(data["factions"]) != 2:
        yield "factions: there are two"
    places = dict.fromkeys(unit["place"] for unit in units.values())
    yield from (f"caps.{place}: missing" for place in places if place not in data["caps"])
    yield from (f"bonuses: no token named {bonus}" for bonus in data["bonuses"] if bonus not in bonuses)
    out = data.get("one_stays_out", ())
    yield from (f"one_stays_out: {bonus} is not among the bonuses" for bonus in out if bonus not in data["bonuses"])
    for action, row in actions.items():
        for key in ("dice_per", "payload", "unit"):
            if row.get(key, "") not in ("", *units):
                yield f"actions.{action}.{key}: no unit named {row[key]}"
    for space in data["support"]:
        if space.split(":")[0] not in actions:
            yield f"support.{space}: no such action"
    named = [(f"card {card.name}", card.action, card.unit) for card in cards.values()]
    rows = [(bonus, bonuses[bonus]) for bonus in data["bonuses"] if bonus in bonuses]
    named += [(f"bonus {bonus}", row["action"], row.get("unit", "")) for bonus, row in rows]
    for where, action, unit in named:
        if action not in ("", *actions):
            yield f"{where}: no action named {action}"
        if unit not in ("", *units):
            yield f"{where}: no unit named {unit}"


@cache
def rules_of(book: str) -> dict[str, Rule]:
    """Return the rules of a rulebook by id, with citations of all its editions."""
    return load_rules(book, partial(cite, book))
