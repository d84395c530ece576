"""Owners' decks: their shelf, a deck as text, and a deck while it is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.content import deck_draft
from companion.content.deck_draft import (
    CardDraft,
    DeckDraft,
    deck_faults,
    deck_of,
    draft_of,
    draft_toml,
    faults,
    fields_of,
    new_card,
    set_value,
    unplayable,
)
from companion.content.decks import DECKS, deck_toml, free_name, save_deck
from companion.core.errors import OwnFileError
from engine.errors import BadTable
from engine.generals.cards import KINDS, VERBS, Deck, deck_names, load_deck, own_deck_names, read_deck, remove_deck
from intake.toml_text import MOST_BYTES
from tests.companion.commands.terminal import Capture, printed
from tests.companion.refusing import refusing
from tests.engine.generals.case import deck


def owned() -> Deck:
    """Return the deck for tests, as its owner's."""
    return replace(deck(), known="owner")


# --- the shelf ----------------------------------------------------------------------------


def test_a_deck_is_saved_and_found_again() -> None:
    path = save_deck(owned())
    assert path == DECKS.path_of("hills")
    assert load_deck("hills") == owned()
    remove_deck("hills")
    assert DECKS.register().things == (owned(),)
    assert load_deck("hills") == owned()
    path.unlink()
    DECKS.register()
    assert "hills" not in deck_names()


def test_broken_files_are_named_with_every_fault_and_stop_nothing(data: Path, capsys: Capture) -> None:
    save_deck(owned())
    folder = data / "decks"
    (folder / "broken.toml").write_text('title = ""\nknown = "owner"\n[cards.x]\nkind = "boat"\n', encoding="utf-8")
    (folder / "practice-wolves.toml").write_text(deck_toml(owned()), encoding="utf-8")
    (folder / "printed.toml").write_text(deck_toml(replace(deck(), known="printed")), encoding="utf-8")
    (folder / "Loud.toml").write_text(deck_toml(owned()), encoding="utf-8")
    (folder / "bytes.toml").write_bytes(b"\xff\xfe")
    (folder / "long.toml").write_bytes(b"#" * (MOST_BYTES + 1))
    (folder / "folder.toml").mkdir()
    found = DECKS.register()
    told = {path.name: why for path, why in found.broken}
    assert [thing.name for thing in found.things] == ["hills"]
    assert "broken.toml: title: '' is no line" in told["broken.toml"]
    assert "broken.toml: cards.x.kind: 'boat' is none of" in told["broken.toml"]
    assert "cards.x.copies: missing" in told["broken.toml"]
    assert told["practice-wolves.toml"] == "practice-wolves: a deck of that name comes with Gunbai"
    assert told["printed.toml"].endswith('printed.toml: known: a deck of your own is "owner", not "printed"')
    assert told["Loud.toml"].endswith("a file name here uses lower-case letters, digits and hyphens")
    assert told["bytes.toml"].endswith("not a text file (byte 0 is not UTF-8)")
    assert told["long.toml"].endswith("longer than 800 kB, the limit")
    assert "not a plain file" in told["folder.toml"]
    assert main(["boards"]) == 0
    assert "cards.x.copies: missing" in capsys.readouterr().err


def test_where_the_disk_refuses_decks_are_known_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    save_deck(owned())
    monkeypatch.setattr("companion.content.own_files.atomic_write", refusing())
    for refused in (replace(owned(), title="Changed"), replace(owned(), name="woods")):
        with pytest.raises(OwnFileError, match="No space left"):
            save_deck(refused)
    assert load_deck("hills") == owned()
    assert own_deck_names() == ("hills",)


def test_the_command(data: Path, capsys: Capture) -> None:
    file = data / "foxes.toml"
    file.write_text(deck_toml(owned()), encoding="utf-8")
    out = printed(capsys, "decks", "--check", str(file))
    assert "sound. foxes (A deck for tests): 51 cards, Hill, Lake, hand of 8; an owner's" in out
    assert main(["decks", "--add", str(file)]) == 0
    assert printed(capsys, "decks").count("made up for practice") == 2
    file.write_text(deck_toml(replace(owned(), cards={"fox": deck().cards["fox"]})), encoding="utf-8")
    told = printed(capsys, "decks", "--check", str(file))
    assert told.endswith("not to be played with yet: the deck has 3 cards; it needs 40 to 60 (Game Play 1, p. 3)\n")


def test_what_is_none_of_the_owners_is_not_saved() -> None:
    with pytest.raises(BadTable, match='a deck of your own is "owner", not "practice"'):
        save_deck(deck())
    with pytest.raises(BadTable, match="comes with Gunbai"):
        save_deck(replace(owned(), name="practice-cranes"))
    assert not DECKS.folder().exists()


def test_names_of_new_decks_are_free() -> None:
    save_deck(owned())
    assert free_name("Hills") == "hills-2"
    assert free_name("Practice: Cranes") == "practice-cranes-2"
    assert free_name("軍配") == "deck"


# --- a deck as text -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["practice-cranes", "practice-wolves"])
def test_what_is_written_reads_back_equal(name: str) -> None:
    found = load_deck(name)
    assert read_deck(name, deck_toml(found), "x.toml") == found
    assert read_deck("hills", deck_toml(deck()), "x.toml") == deck()


def test_a_comment_makes_no_other_deck_of_it_and_each_keeps_its_text() -> None:
    texts = (deck_toml(deck()), f"# from the attic\n{deck_toml(deck())}")
    one, other = (read_deck("hills", text, "x.toml") for text in texts)
    assert one == other
    assert (one.text, other.text) == texts


LINE = st.from_regex(r"[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f\u2028\u2029]{0,20}", fullmatch=True)
LINES = LINE.filter(lambda text: text.isprintable() or '"' in text)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(title=LINES, text=LINES)
def test_titles_in_any_language_read_back_equal(title: str, text: str) -> None:
    horse = replace(deck().cards["horse"], title=title, text=text)
    told = replace(deck(), title=title, cards={**deck().cards, "horse": horse})
    assert read_deck("hills", deck_toml(told), "x.toml") == told


# --- a deck while it is written -----------------------------------------------------------


def general() -> CardDraft:
    """Return a complete general."""
    card = new_card(DeckDraft("mine"), "general", "Red Oak")
    return set_value(set_value(set_value(card, "faction", "Oaks"), "military", 3), "cost", 2)


def test_a_new_card_has_a_name_that_is_free() -> None:
    draft = DeckDraft("mine").with_card(general())
    assert new_card(draft, "general", "Red Oak").name == "red_oak_2"
    assert new_card(draft, "general", "劉備").name == "card"


def test_what_is_missing_is_said_by_field() -> None:
    card = new_card(DeckDraft("mine"), "general")
    assert set(faults(card)) == {"title", "faction"}
    special = new_card(DeckDraft("mine"), "special", "Trap")
    assert set(faults(special)) == {"after", "effect.verb"}
    special = set_value(set_value(special, "after", "move"), "effect.verb", "damage")
    assert faults(special) == {"effect.amount": "Still missing."}
    assert not faults(set_value(special, "effect.amount", 2))


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("cost", 21, "Enter a number from 0 to 20."),
        ("cost", True, "Enter a number from 0 to 20."),
        ("cost", "2", "Enter a number from 0 to 20."),
        ("title", "x" * 61, "One line, at most 60 characters."),
        ("title", "two\nlines", "One line, at most 60 characters."),
        ("title", 3, "One line, at most 60 characters."),
        ("arrives", "sea", "That isn't one of the choices."),
        ("swift", 1, "That isn't one of the choices."),
    ],
)
def test_what_is_wrong_is_said_by_field(key: str, value: str | int | bool, fault: str) -> None:
    assert faults(set_value(general(), key, value)) == {key: fault}


def test_spaces_around_a_value_are_no_part_of_it() -> None:
    assert set_value(general(), "title", " Red Ash ").of("title") == "Red Ash"
    assert set_value(general(), "title", "  ").of("title") is None
    assert set_value(general(), "cost", 0).of("cost") == 0


def test_what_no_longer_belongs_to_a_card_goes() -> None:
    card = set_value(
        set_value(set_value(general(), "feature.verb", "military"), "feature.when", "kin"), "feature.least", 2
    )
    card = set_value(card, "feature.amount", 1)
    assert not faults(card)
    assert "feature.least" not in set_value(card, "feature.when", "city").values
    assert not any(key.startswith("feature.") for key in set_value(card, "feature.verb", None).values)
    event = set_value(card, "kind", "event")
    assert set(event.values) == {"title", "kind", "copies", "cost", "faction"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_completed_from_its_own_fields(kind: str) -> None:
    """Whatever the fields offer, the engine takes."""
    for verb in VERBS:
        card = filled(set_value(new_card(DeckDraft("mine"), kind, "A card"), "effect.verb", verb))
        assert not faults(card)
        assert deck_of(DeckDraft("mine", "Mine", (card,))).size == 3


def filled(card: CardDraft) -> CardDraft:
    """Fill every empty field of the card: its first choice or its most, and a faction for its lines."""
    while True:
        empty = next((field for field in fields_of(card) if card.of(field.key) is None), None)
        if empty is None:
            return set_value(card, "copies", 3)
        value = "Oaks" if empty.form == "line" else empty.choices[0] if empty.choices else empty.most or True
        card = set_value(card, empty.key, value)


def test_a_deck_may_be_saved_before_it_may_be_played() -> None:
    draft = DeckDraft("mine")
    assert set(deck_faults(draft)) == {"title", "cards"}
    draft = replace(draft, title="Mine").with_card(new_card(draft, "general", "Ash"))
    assert deck_faults(draft) == {"cards.ash.faction": "Still missing."}
    with pytest.raises(BadTable, match=r"mine.toml: cards.ash.faction: a general has one"):
        deck_of(draft)
    draft = draft.with_card(replace(general(), name="ash"))
    assert deck_faults(draft) == {}
    assert draft.size == 1
    assert unplayable(draft) == ("The deck has 1 card; it needs 40 to 60 (Game Play 1, p. 3).",)
    assert save_deck(deck_of(draft)).is_file()
    assert draft.without("ash").cards == ()


@pytest.mark.parametrize("name", ["practice-cranes", "practice-wolves"])
def test_a_deck_is_a_draft_and_back(name: str) -> None:
    found = load_deck(name)
    draft = draft_of(found)
    assert deck_faults(draft) == {}
    assert unplayable(draft) == ()
    assert deck_of(draft) == replace(found, known="owner")
    assert read_deck(name, draft_toml(draft), "x.toml") == deck_of(draft)


def test_drafts_are_kept(data: Path) -> None:
    assert deck_draft.all_drafts() == ()
    draft = DeckDraft("mine", "", (new_card(DeckDraft("mine"), "special"), general()))
    assert deck_draft.keep_draft(draft) == data / "decks" / "drafts" / "mine.json"
    assert deck_draft.all_drafts() == (draft,)
    for name, text in {
        "a": "{", "b": "[]", "c": '{"title": 3, "cards": []}', "d": '{"title": "", "cards": [3]}',
        "e": '{"title": "", "cards": [{"name": "x", "values": {"luck": 1}}]}', "f": '{"title": ""}',
        "g": '{"title": "", "cards": [{"name": "x", "values": {"copies": "many"}}]}',
        "h": '{"title": "", "cards": [{"name": "x", "values": {"cost": true}}]}',
        "i": '{"title": "", "cards": [{"name": "[x]", "values": {}}]}',
        "j": '{"title": "", "cards": [{"name": "x", "values": {}}, {"name": "x", "values": {}}]}',
        "K": '{"title": "", "cards": []}',
    }.items():  # fmt: skip
        (data / "decks" / "drafts" / f"{name}.json").write_text(text, encoding="utf-8")
    assert deck_draft.all_drafts() == (draft,)
    deck_draft.forget_draft("mine")
    deck_draft.forget_draft("mine")
    assert deck_draft.all_drafts() == ()
    (data / "decks" / "drafts" / "folder.json").mkdir()
    with pytest.raises(OwnFileError, match="can't be deleted"):
        deck_draft.forget_draft("folder")


def test_an_empty_draft_of_any_card_can_be_kept(data: Path) -> None:
    cards = tuple(replace(filled(new_card(DeckDraft("mine"), kind)), name=kind) for kind in KINDS)
    deck_draft.keep_draft(DeckDraft("mine", "Mine", cards))
    assert deck_draft.all_drafts() == (DeckDraft("mine", "Mine", cards),)
    assert data.exists()
