"""Drafts of decks that are not finished, kept beside the decks: one JSON file each."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

from companion.content.deck_draft import CardDraft, DeckDraft, may_hold
from companion.content.decks import DECKS
from companion.content.own_files import NAME, text_of, write
from companion.core.errors import OwnFileError, blame_file
from engine.generals.cards import CARD_NAME
from intake.errors import Unreadable
from intake.json_text import parse_json

SUFFIX = ".json"


def folder() -> Path:
    """Return the folder of the deck drafts; not created here."""
    return DECKS.folder() / "drafts"


def path_of(name: str) -> Path:
    """Return the path of the draft of that name."""
    return folder() / f"{name}{SUFFIX}"


def keep(draft: DeckDraft) -> Path:
    """Write a draft, in place of the one of its name; its file. OwnFileError where it cannot be written."""
    cards = [{"name": card.name, "values": dict(card.values)} for card in draft.cards]
    path = path_of(draft.name)
    text = json.dumps({"title": draft.title, "cards": cards}, ensure_ascii=False, indent=1) + "\n"
    write(path, text.encode())
    return path


def all_drafts() -> tuple[DeckDraft, ...]:
    """Return every draft that can be read, by name; a damaged one stays where it is."""
    drafts = []
    with suppress(OSError):  # a folder that cannot be looked into
        for path in sorted(folder().glob(f"*{SUFFIX}")):
            with suppress(OwnFileError):
                drafts.append(load(path))
    return tuple(drafts)


def load(path: Path) -> DeckDraft:
    """Load the draft in a file; OwnFileError if it is unreadable or not a draft."""
    with blame_file(path, OwnFileError):
        return read(path.stem, text_of(path))


def read(name: str, text: str) -> DeckDraft:
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
    """Return whether a card has a name, and values of the right types under the keys that there are."""
    if not isinstance(card, dict) or not isinstance(card.get("values"), dict):
        return False
    name = card.get("name")
    named = isinstance(name, str) and re.fullmatch(CARD_NAME, name) is not None
    return named and all(may_hold(key, value) for key, value in card["values"].items())


def forget(name: str) -> None:
    """Delete a draft; one that is not there is no fault. OwnFileError where it cannot be deleted."""
    try:
        path_of(name).unlink(missing_ok=True)
    except OSError as error:
        raise OwnFileError(f"{path_of(name)}: can't be deleted ({error.strerror})") from error
