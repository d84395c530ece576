"""A deck while it is written: cards that may be incomplete, what each of them still needs, and drafts that are kept.

A card's values have flat keys, as the form on the screen has them: "title", "cost", "effect.verb" ...
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from companion.content.decks import DECKS, deck_text, numbered_name, slug
from companion.content.own_files import NAME, OWNER, text_of, write
from companion.core.errors import OwnFileError, blame_file
from companion.core.language import _
from engine.generals.cards import (
    BEARERS,
    CARD_NAME,
    FACTION,
    FEATURES,
    KINDS,
    MOST_AMOUNT,
    MOST_COPIES,
    MOST_COST,
    MOST_FACTION,
    MOST_POINTS,
    MOST_TEXT,
    MOST_TITLE,
    NAMED,
    TEXT,
    TITLE,
    TRIGGERS,
    VERBS,
    WHENS,
    ZONES,
    Card,
    Deck,
    read_deck,
)
from engine.generals.game import check_deck
from engine.tables import Word
from intake.errors import Unreadable
from intake.json_text import parse_json

Value = str | int | bool
Faults = dict[str, str]
LINE, NUMBER, CHOICE, SWITCH = "line", "number", "choice", "switch"
PARTS = ("effect", "feature")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a card's form: how its value is entered, and what it may be.

    form: "line" (`most` characters), "number" (`least` to `most`), "choice" (of `choices`) or "switch". needed: whether
    the card is incomplete without it.
    """

    key: str
    form: str
    needed: bool = False
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()


_FIELDS = (
    Field("title", LINE, True, 1, MOST_TITLE),
    Field("kind", CHOICE, True, choices=KINDS),
    Field("copies", NUMBER, True, 1, MOST_COPIES),
    Field("cost", NUMBER, True, 0, MOST_COST),
    Field("faction", LINE, False, 1, MOST_FACTION),
    Field("military", NUMBER, False, 0, MOST_POINTS),
    Field("intelligence", NUMBER, False, 0, MOST_POINTS),
    Field("arrives", CHOICE, choices=ZONES),
    Field("swift", SWITCH),
    Field("after", CHOICE, True, choices=TRIGGERS),
    Field("effect.verb", CHOICE, choices=tuple(VERBS)),
    Field("effect.amount", NUMBER, True, 1, MOST_AMOUNT),
    Field("effect.cost", NUMBER, False, 0, MOST_COST),
    Field("effect.text", LINE, False, 1, MOST_TEXT),
    Field("feature.verb", CHOICE, choices=FEATURES),
    Field("feature.when", CHOICE, True, choices=WHENS),
    Field("feature.least", NUMBER, False, 1, MOST_AMOUNT),
    Field("feature.amount", NUMBER, True, 1, MOST_AMOUNT),
    Field("feature.text", LINE, False, 1, MOST_TEXT),
    Field("text", LINE, False, 1, MOST_TEXT),
)
COUNTED = ("company", "kin", "facing", "equipped")
"""Criteria for which a feature may require a number."""
_PATTERNS: Mapping[str, Word] = {"title": TITLE, "faction": FACTION}


def may_hold(key: str, value: object) -> bool:
    """Return whether cards have this key and the value is of its type; `faults` checks the value itself."""
    form = next((field.form for field in _FIELDS if field.key == key), "")
    return type(value) is {LINE: str, CHOICE: str, NUMBER: int, SWITCH: bool}.get(form)


@dataclass(frozen=True, slots=True)
class CardDraft:
    """A card as far as it is written; name: what files and steps call it; values: by the keys of its fields."""

    name: str
    values: Mapping[str, Value]

    def of(self, key: str) -> Value | None:
        """Return the value of a field; None while it is not set."""
        return self.values.get(key)


@dataclass(frozen=True, slots=True)
class DeckDraft:
    """A deck as far as it is written."""

    name: str
    title: str = ""
    cards: tuple[CardDraft, ...] = ()

    def card(self, name: str) -> CardDraft | None:
        """Return the card of that name; None if the deck has none."""
        return next((card for card in self.cards if card.name == name), None)

    def with_card(self, card: CardDraft) -> DeckDraft:
        """Return a deck in which this card replaces the one of its name, or is added at the end."""
        if self.card(card.name) is None:
            return replace(self, cards=(*self.cards, card))
        return replace(self, cards=tuple(card if kept.name == card.name else kept for kept in self.cards))

    def without(self, name: str) -> DeckDraft:
        """Return a deck without the card of that name."""
        return replace(self, cards=tuple(card for card in self.cards if card.name != name))

    @property
    def size(self) -> int:
        """How many cards the deck has so far, copies counted."""
        return sum(int(card.of("copies") or 0) for card in self.cards)


# --- the fields of a card -----------------------------------------------------------------


def fields_of(card: CardDraft) -> tuple[Field, ...]:
    """Return the fields of a card's form, which depend on its kind and on what else is chosen so far."""
    kind = card.of("kind")
    also_needed = {"general": ("faction",), "event": ("effect.verb",), "special": ("effect.verb",)}.get(str(kind), ())
    return tuple(
        replace(field, needed=True) if field.key in also_needed else field for field in _FIELDS if _has(card, field.key)
    )


def _has(card: CardDraft, key: str) -> bool:
    part, _dot, inner = key.partition(".")
    if card.of("kind") not in BEARERS.get(part, KINDS):
        return False
    if inner in ("", "verb"):
        return True
    verb = card.of(f"{part}.verb")
    if inner == "cost":
        return verb is not None and card.of("kind") == "general"
    if inner == "amount":
        return verb in NAMED
    return verb is not None and (inner != "least" or card.of("feature.when") in COUNTED)


def new_card(draft: DeckDraft, kind: str, title: str = "") -> CardDraft:
    """Make a new card of a kind, not yet in the deck."""
    values: dict[str, Value] = {"kind": kind, "copies": 1, "cost": 0}
    name = numbered_name(slug(title or kind, "_") or "card", tuple(card.name for card in draft.cards), "_")
    return CardDraft(name, values | ({"title": title} if title else {}))


def set_value(card: CardDraft, key: str, value: Value | None) -> CardDraft:
    """Return a card with the value set, or removed by None or "", less values that no longer belong to it."""
    values = {**card.values, key: value.strip() if isinstance(value, str) else value}
    changed = replace(card, values={name: entry for name, entry in values.items() if entry not in (None, "")})
    while True:  # removing a field may make others superfluous
        has = {field.key for field in fields_of(changed)}
        if has >= set(changed.values):
            return changed
        changed = replace(changed, values={name: entry for name, entry in changed.values.items() if name in has})


# --- what is wrong ------------------------------------------------------------------------


def faults(card: CardDraft) -> Faults:
    """Return {field's key: a sentence on what is missing or wrong}; {} if the card is complete."""
    found = ((field.key, _fault(field, card.of(field.key))) for field in fields_of(card))
    return {key: fault for key, fault in found if fault}


def _fault(field: Field, value: Value | None) -> str:
    if value is None:
        return _("Still missing.") if field.needed else ""
    if field.form == NUMBER:
        inside = isinstance(value, int) and not isinstance(value, bool) and field.least <= value <= field.most
        return "" if inside else _("Enter a number from {least} to {most}.").format(least=field.least, most=field.most)
    if field.form == LINE:
        pattern = _PATTERNS.get(field.key, TEXT).pattern
        fits = isinstance(value, str) and re.fullmatch(pattern, value) is not None
        return "" if fits else _("One line, at most {most} characters.").format(most=field.most)
    known = isinstance(value, bool) if field.form == SWITCH else value in field.choices
    return "" if known else _("That isn't one of the choices.")


def deck_faults(draft: DeckDraft) -> Faults:
    """Return {"title", "cards" or such as "cards.fox.cost": a sentence on what keeps the deck from being saved}."""
    found = {} if re.fullmatch(TITLE.pattern, draft.title) else {"title": _("Still missing.")}
    for card in draft.cards:
        found |= {f"cards.{card.name}.{key}": fault for key, fault in faults(card).items()}
    return found if draft.cards else found | {"cards": _("A deck needs cards.")}


def unplayable(draft: DeckDraft) -> tuple[str, ...]:
    """Return sentences, with their rules, on why a deck without faults can't be played yet: size, copies, factions."""
    objections = check_deck(deck_of(draft)).objections
    return tuple(
        f"{objection.message[:1].upper()}{objection.message[1:]} ({objection.citation})." for objection in objections
    )


# --- decks from drafts, and drafts from decks ----------------------------------------------


def draft_toml(draft: DeckDraft) -> str:
    """Return the TOML of the deck's file as far as the deck is written."""
    cards: dict[str, dict[str, object]] = {}
    for card in draft.cards:
        cards[card.name] = {key: value for key, value in card.values.items() if "." not in key}
        for part in PARTS:
            inner = {key.partition(".")[2]: value for key, value in card.values.items() if key.startswith(f"{part}.")}
            cards[card.name] |= {part: inner} if inner else {}
    return deck_text(draft.title, OWNER, cards)


def deck_of(draft: DeckDraft) -> Deck:
    """Turn a draft into an owner's deck; BadTable if the draft still has faults."""
    return read_deck(draft.name, draft_toml(draft), f"{draft.name}.toml")


def draft_of(deck: Deck) -> DeckDraft:
    """Turn a deck into a draft, to be changed or to start another deck from."""
    cards = []
    for card in deck.cards.values():
        draft = CardDraft(card.name, dict(_values(card)))
        has = {field.key for field in fields_of(draft)}
        cards.append(replace(draft, values={key: value for key, value in draft.values.items() if key in has}))
    return DeckDraft(deck.name, deck.title, tuple(cards))


def _values(card: Card) -> Iterator[tuple[str, Value]]:
    for field in _FIELDS:
        part, _dot, inner = field.key.partition(".")
        value = getattr(card, part)
        value = getattr(value, inner) if inner and value is not None else value
        if value or (field.key == "cost" and value is not None):
            yield field.key, value


# --- drafts that are kept, beside the decks: one JSON file each -----------------------------


SUFFIX = ".json"


def _folder() -> Path:
    return DECKS.folder() / "drafts"


def draft_path(name: str) -> Path:
    """Return the path of the draft of that name."""
    return _folder() / f"{name}{SUFFIX}"


def keep_draft(draft: DeckDraft) -> Path:
    """Save a draft, replacing the one of its name, and return its path; OwnFileError if it can't be written."""
    cards = [{"name": card.name, "values": dict(card.values)} for card in draft.cards]
    path = draft_path(draft.name)
    text = json.dumps({"title": draft.title, "cards": cards}, ensure_ascii=False, indent=1) + "\n"
    write(path, text.encode())
    return path


def all_drafts() -> tuple[DeckDraft, ...]:
    """Return every draft that can be read, by name, skipping damaged ones."""
    drafts = []
    with suppress(OSError):  # a folder that cannot be looked into
        for path in sorted(_folder().glob(f"*{SUFFIX}")):
            with suppress(OwnFileError):
                drafts.append(load_draft(path))
    return tuple(drafts)


def load_draft(path: Path) -> DeckDraft:
    """Load the draft in a file; OwnFileError if it is unreadable or not a draft."""
    with blame_file(path, OwnFileError):
        return read_draft(path.stem, text_of(path))


def read_draft(name: str, text: str) -> DeckDraft:
    """Parse the draft of that name; Unreadable if the text is not one."""
    table = parse_json(text)
    cards = table.get("cards") if isinstance(table, dict) else None
    if not isinstance(cards, list) or not isinstance(table.get("title"), str) or not all(map(_is_card, cards)):
        raise Unreadable("not a deck draft")
    names = {card["name"] for card in cards}
    if len(names) < len(cards) or not re.fullmatch(NAME, name):
        raise Unreadable("not a deck draft")
    return DeckDraft(name, table["title"], tuple(CardDraft(card["name"], card["values"]) for card in cards))


def _is_card(card: object) -> bool:
    """Return whether a card's JSON has a valid name, and only known keys with values of the right types."""
    if not isinstance(card, dict) or not isinstance(card.get("values"), dict):
        return False
    name = card.get("name")
    named = isinstance(name, str) and re.fullmatch(CARD_NAME, name) is not None
    return named and all(may_hold(key, value) for key, value in card["values"].items())


def forget_draft(name: str) -> None:
    """Delete a draft if it exists; OwnFileError if it can't be deleted."""
    try:
        draft_path(name).unlink(missing_ok=True)
    except OSError as error:
        raise OwnFileError(f"{draft_path(name)}: can't be deleted ({error.strerror})") from error
