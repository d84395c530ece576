"""The shelf of owners' decks of Generals Order: files of their own, and a deck as the text of such a file.

The printed cards are not in the rules: what lies here, its owner has taken down from cards of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path

from companion.content.own_files import OwnFiles, owners_reader
from companion.core.toml_values import toml_lines
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

LONGEST = 30

DECKS = OwnFiles("decks", owners_reader(read_deck, "deck"), add_deck, remove_deck, own_deck_names)


def save_deck(deck: Deck) -> Path:
    """Save a deck under its own name, replacing one of that name, register it, and return its path.

    BadTable if it isn't an owner's, or has the name of one of ours; OwnFileError if it can't be written.
    """
    DECKS.save(deck.name, deck_toml(deck))
    return DECKS.path_of(deck.name)


def free_name(title: str) -> str:
    """Return a free name for a deck of that title.

    >>> free_name("Éire's Own!"), free_name("战国")
    ('eire-s-own', 'deck')
    """
    return numbered_name(slug(title, "-") or "deck", deck_names(), "-")


def slug(title: str, between: str) -> str:
    """Return a title in lower-case ASCII, words joined by `between`, less any digits at its start; perhaps "".

    >>> slug("12 Brave Riders", "_"), slug("Général Nº 2", "_")
    ('brave_riders', 'general_no_2')
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", between, plain).lstrip(f"0123456789{between}")
    return words[:LONGEST].rstrip(between)


def numbered_name(name: str, taken: tuple[str, ...], between: str) -> str:
    """Return the name, with a number added if it is taken.

    >>> numbered_name("fox", ("fox", "fox_2"), "_")
    'fox_3'
    """
    names = [name, *(f"{name}{between}{n}" for n in range(2, len(taken) + 2))]
    return next(candidate for candidate in names if candidate not in taken)


# --- a deck as text -----------------------------------------------------------------------


def deck_toml(deck: Deck) -> str:
    """Return a deck as the text of its file, which reads back as an equal deck."""
    return deck_text(deck.title, deck.known, {name: _values(card) for name, card in deck.cards.items()})


def deck_text(title: str, known: str, cards: Mapping[str, Mapping[str, object]]) -> str:
    """Return the text of a deck's file, from the values of its cards under the file's own keys."""
    sections = "".join(f"\n[cards.{name}]\n{toml_lines(values)}" for name, values in cards.items())
    return toml_lines({"title": title, "known": known}) + (sections or "\n[cards]\n")


def _values(thing: Card | Effect | Feature) -> dict[str, object]:
    """Return {field: value} of the values that differ from their defaults, without a card's name."""
    values: dict[str, object] = {}
    for field in fields(thing):
        value = getattr(thing, field.name)
        if field.name != "name" and (field.default is MISSING or value != field.default):
            values[field.name] = _values(value) if isinstance(value, Effect | Feature) else value
    return values
