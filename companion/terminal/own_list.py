"""What `gunbai boards`, `decks` and `battles` do and print: lists, checks, imports, copies and removals."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from companion.content.own_files import Owned, OwnFiles
from companion.core.errors import OwnFileError, UsageError, blame_file
from companion.core.language import _, plural
from companion.core.outputs import write_output
from companion.core.printable import progress
from engine.tables import table_names, table_text
from engine.words import count_words, decimal, mark
from intake.files import STANDARD_INPUT, read_file_or_pipe
from intake.text import decode_text, one_line
from intake.toml_text import MOST_BYTES

T = TypeVar("T", bound=Owned)
KNOWN = {"printed": mark("as printed"), "owner": mark("an owner's"), "practice": mark("made up for practice")}


@dataclass(frozen=True, slots=True)
class ShelfListing(Generic[T]):
    """How a command lists a shelf.

    line: describes a thing on one line. everything: all things, ours as well. kind: the folder of ours in the engine's
    data.
    """

    shelf: OwnFiles[T]
    line: Callable[[T], str]
    everything: Callable[[], Iterable[T]]
    kind: str


def answer(options: argparse.Namespace, listing: ShelfListing[T]) -> str:
    """Do what the command's options ask of a shelf and return the text to print, a listing without any option.

    UsageError, OwnFileError, OutputError or BadTable if it can't be done.
    """
    shelf = listing.shelf
    if options.check:
        found = listing.line(_checked(shelf, options.check))
        return _("{place}: sound. {found}").format(place=one_line(options.check), found=found)
    if options.add == STANDARD_INPUT:
        raise UsageError("--add: name a file: on the shelf it keeps its name")
    if options.add:
        return _("added: {found}").format(found=listing.line(shelf.import_file(Path(options.add))))
    name = options.remove if options.share is None else options.share
    is_ours = options.share is not None and name in table_names(listing.kind)
    if name is not None and not is_ours and not shelf.path_of(name).is_file():
        raise UsageError(f"nothing of yours is named {name!r} on the shelf ({shelf.folder()})")
    if options.share:
        if not options.output:
            raise UsageError("--share needs -o FILE")
        if is_ours:
            write_output(Path(options.output), table_text(listing.kind, name).encode())
        else:
            shelf.export(name, Path(options.output))
        return _("{place}: written").format(place=one_line(options.output))
    if options.remove:
        shelf.delete(name)
        return _("{name}: taken off the shelf").format(name=name)
    broken = [_("not read: {why}").format(why=one_line(why)) for _path, why in shelf.register().broken]
    return "\n".join([*map(listing.line, listing.everything()), *broken])


def _checked(shelf: OwnFiles[T], name: str) -> T:
    """Load the thing in a file, or on standard input for "-"; OwnFileError or BadTable if it is invalid."""
    if name != STANDARD_INPUT:
        return shelf.load(Path(name))
    with blame_file(name, OwnFileError):
        text = decode_text(read_file_or_pipe(name, MOST_BYTES))
    return shelf.read("own", text, name)


def nudge(table: str, word: str) -> str:
    """Fit the board of a table to the print in its photo, save it as an owner's board, and return a line on the gain.

    word: the end of the new board's name.
    """
    from companion.content.shelves import BOARDS
    from companion.perception.table_file import load_table
    from companion.terminal.tracing import check_word
    from companion.tracing.writer import nudged_board

    check_word(word)
    with progress(table):
        board, found = nudged_board(load_table(table), word)
    form = _("{place}: moved by up to {n} mm; {before} of the lines lay on print before, {after} now")
    before, after = f"{found.before:.0%}", f"{found.after:.0%}"
    place, moved = BOARDS.path_of(board.name), decimal(found.moved_mm, 1)
    return form.format(place=place, n=moved, before=before, after=after)


# ---- the shelves: each loads the rules of its own system alone ------------------------------------------------------


def _boards() -> ShelfListing[Any]:
    from companion.content.shelves import BOARDS
    from engine.orders.board import Board, board_names, load_board

    known = {**KNOWN, "owner": mark("an owner's copy"), "practice": mark("a practice board")}

    def line(board: Board) -> str:
        spaces = sum(space.at_mm is not None for space in board.spaces)
        areas = plural("{n} area", "{n} areas", len(board.areas))
        on_map = plural("{n} space on the map", "{n} spaces on the map", spaces)
        origin = _(known[board.known])
        return f"{board.name} ({board.mode.title}): {areas}, {on_map}; {origin}"

    return ShelfListing(BOARDS, line, lambda: map(load_board, board_names()), "boards")


def _decks() -> ShelfListing[Any]:
    from companion.content.decks import DECKS
    from engine.generals.cards import FOLDER, Deck, deck_names, load_deck
    from engine.generals.game import check_deck

    def line(deck: Deck) -> str:
        hand = _("hand of {n}").format(n=deck.hand_limit)
        factions, title = ", ".join(deck.factions) or _("no faction"), _(deck.title)
        size, known = count_words(deck.size, "card"), _(KNOWN[deck.known])
        found = f"{deck.name} ({title}): {size}, {factions}, {hand}; {known}"
        why = "; ".join(f"{objection.message} ({objection.citation})" for objection in check_deck(deck).objections)
        return _("{found}; not to be played with yet: {why}").format(found=found, why=why) if why else found

    return ShelfListing(DECKS, line, lambda: map(load_deck, deck_names()), FOLDER)


def _battles() -> ShelfListing[Any]:
    from companion.content.shelves import BATTLES
    from engine.sonae.scenario import FOLDER, Scenario, load_scenario, scenario_names

    def line(battle: Scenario) -> str:
        sides = [
            plural("{army} ({n} division)", "{army} ({n} divisions)", len(army.divisions), army=_(army.title))
            for army in battle.armies
        ]
        armies = _(" against ").join(sides)
        units, known = count_words(len(battle.units), "unit"), _(KNOWN[battle.known])
        title = _(battle.title)
        return f"{battle.name} ({title}): {armies}, {units}; {known}"

    return ShelfListing(BATTLES, line, lambda: map(load_scenario, scenario_names()), FOLDER)


LISTINGS: Mapping[str, Callable[[], ShelfListing[Any]]] = {"boards": _boards, "decks": _decks, "battles": _battles}
"""{name of the command: how it makes its listing}"""
