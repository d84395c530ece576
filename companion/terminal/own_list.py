"""What `gunbai boards`, `decks` and `battles` print: what there is, whether a file is sound, what went where."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from companion.content.own_files import Owned, OwnFiles
from companion.core.errors import OwnFileError, UsageError, blamed
from companion.core.progress import progress
from companion.text.columns import count_text
from intake.files import STANDARD_INPUT, read_file_or_pipe
from intake.text import decoded, one_line
from intake.toml_text import MOST_BYTES

T = TypeVar("T", bound=Owned)
KNOWN = {"printed": "as printed", "owner": "an owner's", "practice": "made up for practice"}


@dataclass(frozen=True, slots=True)
class ShelfListing(Generic[T]):
    """A shelf as its command has it. line: a thing in one line. everything: all there is, ours as well."""

    shelf: OwnFiles[T]
    line: Callable[[T], str]
    everything: Callable[[], Iterable[T]]


def answer(options: argparse.Namespace, listing: ShelfListing[T]) -> str:
    """Do what was asked for; the lines that say so. UsageError, OwnFileError or BadTable where it cannot be done."""
    shelf = listing.shelf
    if options.check:
        return f"{one_line(options.check)}: sound. {listing.line(_checked(shelf, options.check))}"
    if options.add == STANDARD_INPUT:
        raise UsageError("--add: name a file, as it is called on the shelf as its file is")
    if options.add:
        return f"added: {listing.line(shelf.import_file(Path(options.add)))}"
    name = options.share or options.remove
    if name and not shelf.path_of(name).is_file():
        raise UsageError(f"nothing of yours is named {name!r} on the shelf ({shelf.folder()})")
    if options.share:
        if not options.output:
            raise UsageError("--share needs -o FILE")
        shelf.export(name, Path(options.output))
        return f"{one_line(options.output)}: written"
    if options.remove:
        shelf.delete(name)
        return f"{name}: taken off the shelf"
    broken = [f"not read: {one_line(why)}" for _path, why in shelf.register().broken]
    return "\n".join([*map(listing.line, listing.everything()), *broken])


def _checked(shelf: OwnFiles[T], name: str) -> T:
    """What is in a file, or comes on standard input, where it has any name. OwnFileError, BadTable."""
    if name != STANDARD_INPUT:
        return shelf.load(Path(name))
    with blamed(name, OwnFileError):
        text = decoded(read_file_or_pipe(name, MOST_BYTES))
    return shelf.read("own", text, name)


def nudge(table: str, word: str) -> str:
    """Put the board of a table, laid on its print, on the shelf under a name of its own; how much better it lies."""
    from companion.content.boards import BOARDS
    from companion.perception.table_file import load_table
    from companion.terminal.tracing import check_word
    from companion.tracing.nudged import nudged_board

    check_word(word)
    with progress(table):
        board, found = nudged_board(load_table(table), word)
    better = f"{found.before:.0%} of the lines lay on print before, {found.after:.0%} now"
    return f"{BOARDS.path_of(board.name)}: moved by up to {found.moved_mm:.1f} mm; {better}"


# ---- the shelves: each loads the rules of its own system alone ------------------------------------------------------


def _boards() -> ShelfListing[Any]:
    from companion.content.boards import BOARDS
    from engine.orders.board import Board, board_names, load_board

    known = {**KNOWN, "owner": "an owner's copy", "practice": "a practice board"}

    def line(board: Board) -> str:
        spaces = sum(space.at_mm is not None for space in board.spaces)
        count = f"{count_text(len(board.areas), 'area')}, {count_text(spaces, 'space')} on the map"
        return f"{board.name} ({board.mode.title}): {count}; {known[board.known]}"

    return ShelfListing(BOARDS, line, lambda: map(load_board, board_names()))


def _decks() -> ShelfListing[Any]:
    from companion.content.decks import DECKS
    from engine.generals.cards import Deck, check_deck, deck_names, load_deck

    def line(deck: Deck) -> str:
        of = f"{', '.join(deck.factions) or 'no faction'}, hand of {deck.hand_limit}"
        found = f"{deck.name} ({deck.title}): {count_text(deck.size, 'card')}, {of}; {KNOWN[deck.known]}"
        why = "; ".join(f"{one.message} ({one.citation})" for one in check_deck(deck).objections)
        return f"{found}; not to be played with yet: {why}" if why else found

    return ShelfListing(DECKS, line, lambda: map(load_deck, deck_names()))


def _battles() -> ShelfListing[Any]:
    from companion.content.battles import BATTLES
    from engine.sonae.scenario import Scenario, load_scenario, scenario_names

    def line(battle: Scenario) -> str:
        armies = " against ".join(
            f"{army.title} ({count_text(len(army.divisions), 'division')})" for army in battle.armies
        )
        return (
            f"{battle.name} ({battle.title}): {armies}, {count_text(len(battle.units), 'unit')}; {KNOWN[battle.known]}"
        )

    return ShelfListing(BATTLES, line, lambda: map(load_scenario, scenario_names()))


LISTINGS: Mapping[str, Callable[[], ShelfListing[Any]]] = {"boards": _boards, "decks": _decks, "battles": _battles}
"""By the command's name."""
