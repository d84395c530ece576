"""The shelf of owners' decks of Generals Order: files of their own, and a deck as the text of such a file.

The printed cards are not in the rules: what lies here, its owner has taken down from cards of their own.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path

from companion.content.own_files import Kind, Known, OwnFiles
from engine.errors import BadTable
from engine.generals.cards import (
    Card,
    Deck,
    Effect,
    Feature,
    add_deck,
    deck_names,
    own_deck_names,
    read_deck,
    remove_deck,
)

OWNER = "owner"
LONGEST = 30


def _read(name: str, text: str, where: str) -> Deck:
    """An owner's deck; BadTable with every fault, and for one that is said to be printed or made up by us."""
    deck = read_deck(name, text, where)
    if deck.known != OWNER:
        raise BadTable(f'{where}: known: a deck of your own is "{OWNER}", not "{deck.known}"')
    return deck


DECKS = OwnFiles(Kind("decks", _read, add_deck, remove_deck, own_deck_names))
"""The shelf: register, load, import_file, export, share, delete."""


def register() -> Known[Deck]:
    """Read every deck on the shelf and make it known."""
    return DECKS.register()


def path_of(name: str) -> Path:
    """The file of an owner's deck."""
    return DECKS.path_of(name)


def save_deck(deck: Deck) -> Path:
    """Put a deck on the shelf under its own name, in place of one of that name, and make it known; its file.

    BadTable for one that is no owner's or has the name of one of ours; OwnFileError where it cannot be written.
    """
    DECKS.save(deck.name, deck_toml(deck))
    return DECKS.path_of(deck.name)


def free_name(title: str) -> str:
    """A name for a deck of that title that no deck has.

    >>> free_name("Éire's Own!"), free_name("战国")
    ('eire-s-own', 'deck')
    """
    return unused(slug(title, "-") or "deck", deck_names(), "-")


def slug(title: str, between: str) -> str:
    """A title in small letters of English and digits, as far as it has any.

    >>> slug("12 Brave Riders", "_"), slug("Général Nº 2", "_")
    ('brave_riders', 'general_no_2')
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", between, plain).lstrip(f"0123456789{between}")
    return words[:LONGEST].rstrip(between)


def unused(name: str, taken: tuple[str, ...], between: str) -> str:
    """The name, or with a number where it is taken.

    >>> unused("fox", ("fox", "fox_2"), "_")
    'fox_3'
    """
    names = [name, *(f"{name}{between}{n}" for n in range(2, len(taken) + 2))]
    return next(one for one in names if one not in taken)


# --- a deck as text -----------------------------------------------------------------------


def deck_toml(deck: Deck) -> str:
    """A deck as the text of its file; read again it is equal."""
    return deck_text(deck.title, deck.known, {name: _told(card) for name, card in deck.cards.items()})


def deck_text(title: str, known: str, cards: Mapping[str, Mapping[str, object]]) -> str:
    """The text of a deck's file, from the values of its cards under the file's own keys."""
    head = f"title = {_value(title)}\nknown = {_value(known)}\n"
    return head + ("".join(f"\n[cards.{name}]\n{_lines(values)}" for name, values in cards.items()) or "\n[cards]\n")


def _lines(values: Mapping[str, object]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in values.items())


def _told(thing: Card | Effect | Feature) -> dict[str, object]:
    """What is not as it is when nothing is said; a card's name is said elsewhere."""
    values = ((one, getattr(thing, one.name)) for one in fields(thing) if one.name != "name")
    told = {one.name: value for one, value in values if one.default is MISSING or value != one.default}
    return {key: _told(value) if isinstance(value, Effect | Feature) else value for key, value in told.items()}


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_value(part)}' for key, part in value.items())} }}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
