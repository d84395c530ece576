"""`gunbai decks`: the decks of Generals Order there are, and the shelf of owners' decks."""

import argparse

from companion.commands.shelf_options import shelf_options

NAME = "decks"
HELP = "the decks of the card game there are; check, add, share or remove your own"
DESCRIPTION = """\
Lists the decks of the card game Generals Order. A deck of your own is one TOML file with its cards;
docs/generals.md has the form.

--check reads a file as strictly as it is read at the start, and tells every fault of it with its key.

examples:
  gunbai decks
  gunbai decks --check foxes.toml
  gunbai decks --add foxes.toml
  gunbai decks --share foxes -o copy.toml
  gunbai decks --remove foxes"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """[--check FILE | --add FILE | --share NAME -o FILE | --remove NAME]."""
    shelf_options(parser, "deck")


def run(options: argparse.Namespace) -> int:
    """0 when it is done, or the file is sound; a deck that cannot be played with says why."""
    from companion.content.decks import DECKS
    from companion.terminal.own_list import KNOWN, Listing, done
    from engine.generals.cards import Deck, check_deck, deck_names, load_deck

    def told(deck: Deck) -> str:
        factions = ", ".join(deck.factions) or "no faction"
        line = (
            f"{deck.name} ({deck.title}): {deck.size} cards, {factions}, hand of {deck.hand_limit}; {KNOWN[deck.known]}"
        )
        why = "; ".join(f"{one.message} ({one.citation})" for one in check_deck(deck).objections)
        return f"{line}; not to be played with yet: {why}" if why else line

    print(done(options, Listing(DECKS, told, lambda: map(load_deck, deck_names()))))
    return 0
