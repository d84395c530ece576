"""Owners' own files, which may come from strangers: boards, decks and battles, and drafts of boards and decks."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path

from companion.content import deck_draft
from companion.content.deck_draft import deck_faults, draft_of, draft_toml
from companion.content.decks import DECKS, deck_toml
from companion.content.shelves import BATTLES, BOARDS
from companion.core.errors import OwnFileError
from companion.perception.adapters import plan_of
from companion.printing.prints import map_sheet
from companion.tracing.checker import faults_of
from companion.tracing.draft import AirSection, DraftSpace, OwnCard, SupportNumber
from companion.tracing.draft_file import draft_path, draft_text, load_draft, photo_path, read_draft
from companion.tracing.hexes import NotOnePiece
from companion.tracing.work import reopen_draft, slots_of
from companion.tracing.writer import board_text
from engine.errors import BadPosition, BadTable
from engine.generals.cards import load_deck, read_deck
from engine.generals.game import check_deck
from engine.orders.board import Board, add_board, read_board, remove_board
from engine.orders.game import new_game
from engine.orders.mode import load_mode
from engine.sonae.scenario import SIDES_OF_A_BATTLE
from engine.systems import system_named
from tests.companion.tracing.photos import RIVERS, Tracer, begun
from tests.fuzz.target import Target, Work, hold, hold_again, named
from tests.fuzz.targets.eye import encoded
from tests.fuzz.trees import as_json, as_toml

DATA = resources.files("engine") / "data"
BOARD_FILES = Path(__file__).resolve().parents[2] / "boards"
DECK = """\
title = "Foxes"
known = "owner"

[cards.fox]
title = "Old Fox"
kind = "general"
copies = 2
cost = 3
faction = "Hills"
military = 4
arrives = "outside"
effect = { verb = "draw", amount = 1, cost = 1 }
feature = { verb = "military", when = "company", least = 2, amount = 1 }

[cards.snare]
title = "Snare"
kind = "special"
copies = 3
cost = 1
after = "move"
effect = { verb = "table", text = "The mover goes back." }
"""


def _owned(text: str, name: str) -> str:
    """One of our own files as an owner's, under another name."""
    return text.replace(f'board = "{name}"', f'board = "{name}-ana"').replace('known = "printed"', 'known = "owner"')


def _boards(folder: Path) -> Work:
    """Prepare to check that a board that is read can be drawn, looked at by the eye, and played on."""
    path = folder / "board.toml"
    rivers = _owned((DATA / "boards" / "sengoku-rivers.toml").read_text(encoding="utf-8"), "sengoku-rivers")
    seeds = [(BOARD_FILES / f"{name}.toml").read_bytes() for name in ("valley", "valley", "atoll")]

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        board = BOARDS.load(path)
        map_sheet(board)
        plan_of(board)
        _played_on(board)
        return True

    return Work((*seeds, rivers.encode()), read)


def _played_on(board: Board) -> None:
    """Begin a new game on a board, which the engine may refuse for want of bonuses."""
    add_board(board)
    try:
        new_game(board.name, board.factions[0], {})
    except BadPosition:
        return
    finally:
        remove_board(board.name)


def _decks(folder: Path) -> Work:
    path = folder / "foxes.toml"
    ours = deck_toml(replace(load_deck("practice-cranes"), known="owner"))

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        deck = DECKS.load(path)
        hold_again(deck, lambda: read_deck(deck.name, deck_toml(deck), "again.toml"), "a deck written and read again")
        check_deck(deck)
        draft = draft_of(deck)
        deck_faults(draft)
        hold_again(deck.size, lambda: read_deck(deck.name, draft_toml(draft), "draft.toml").size, "a deck as a draft")
        return True

    return Work((DECK.encode(), DECK.encode(), ours.encode()), read)


def _deck_drafts(folder: Path) -> Work:
    """Prepare to check a draft of a deck: what is read can be shown with its faults, kept and read again."""
    path = deck_draft.draft_path("foxes")
    texts = DECK, deck_toml(replace(load_deck("practice-wolves"), known="owner"))
    kept = [draft_of(read_deck("foxes", text, "foxes.toml")) for text in texts]
    seeds = [deck_draft.keep_draft(draft).read_bytes() for draft in kept]

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        draft = deck_draft.load_draft(path)
        deck_faults(draft)
        draft_toml(draft)
        hold_again(draft, lambda: deck_draft.load_draft(deck_draft.keep_draft(draft)), "a draft kept and read again")
        return True

    return Work(tuple(seeds), read)


def _battles(folder: Path) -> Work:
    """Prepare to check that a battle that is read can be begun, on every grid that it fits."""
    path = folder / "ford.toml"
    ours = _owned((DATA / "sonae" / "maru-shikaku.toml").read_text(encoding="utf-8"), "").replace("practice", "owner")
    rules = system_named("sonae")

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        scenario = BATTLES.load(path)
        hold(len(scenario.armies) == SIDES_OF_A_BATTLE, "two armies")
        for grid in ("", "hex"):
            request = {"do": "new", "scenario": "ford", "grid": grid, "texts": {"ford": scenario.text}}
            try:
                position = rules.new(request)
            except BadPosition:
                hold(grid, "a battle can be begun as its file says")
                continue
            rules.pending(position)
        return True

    return Work((ours.encode(),), read)


def _drafts(folder: Path) -> Work:
    """Prepare to check a board being traced: what is read can be continued, and is kept as it was."""
    tracer = Tracer(begun())
    tracer.areas(list(RIVERS.areas)[:4])
    tracer.prints(list(RIVERS.areas)[:4])
    plain = tracer.draft
    whole = replace(
        plain,
        symmetry="mirror",
        corners=((0.1, 0.2), (0.9, 0.2), (0.9, 0.8), (0.1, 0.8)),
        sections=(AirSection("green", (20.0, 30.0), (34.0, 44.0), (("red", "ship", 2),)),),
        links=(("green", "teal"),),
        spots=(*plain.spots, DraftSpace("fly", "green", (20.0, 15.0), "red")),
        support=(SupportNumber("reinforce:1", 6, 1, False, (("red", 5), ("black", 6))),),
        cards=(OwnCard("ambush", "Ambush", 3, text="täxt"),),
    )
    path = draft_path(plain.name)
    path.parent.mkdir(parents=True)
    photo_path(plain.name).write_bytes(encoded(".jpg"))

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        draft = load_draft(path)
        reopen_draft(plain.name)
        hold_again(draft, lambda: read_draft("again", draft_text(draft)), "a draft written and read again")
        mode = load_mode(draft.mode)
        if any(fault.grave for fault in faults_of(draft, mode)):  # it cannot be saved yet
            return True
        try:
            read_board("traced", board_text(draft, slots_of(mode)))
        except (NotOnePiece, BadTable):
            return True
        return True

    return Work((draft_text(plain).encode(), draft_text(whole).encode()), read)


OWN = (OwnFileError, BadTable)
TARGETS = named(
    (
        Target(
            "boards",
            _boards,
            as_toml,
            OWN,
            ("companion.content.shelves", "companion.content.own_files", "engine.tables"),
            share=0.3,
        ),
        Target("decks", _decks, as_toml, OWN, ("companion.content.decks", "engine.generals.cards"), share=0.5),
        Target("deck-drafts", _deck_drafts, as_json, OWN, ("companion.content.deck_draft",), share=0.7),
        Target("battles", _battles, as_toml, OWN, ("companion.content.shelves", "engine.sonae.scenario"), share=0.3),
        Target("drafts", _drafts, as_toml, OWN, ("companion.tracing.draft_file", "companion.tracing.work"), share=0.4),
    )
)
