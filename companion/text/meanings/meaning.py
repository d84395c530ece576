"""What a long touch tells of a thing, how it is found by its key, and what is on the table's screen in every system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.language import _
from engine.words import mark

SENTENCES = 2  # of a section of the rules


class Meaning(NamedTuple):
    """What a tooltip says. title: the name of the thing, if the screen gives none; section: of the rules, to cite."""

    title: str
    text: str
    section: str = ""


Meanings = Mapping[str, Meaning]
"""{key: meaning}, in English: "undo:" is meant for "undo:" with anything behind it."""


def find(key: str, *books: Meanings) -> Meaning | None:
    """Return the meaning of a key in the language in use, from the first book that has it; None if none has."""
    kind, colon, _what = key.partition(":")
    for book in books:
        found = book.get(key) or book.get(f"{kind}{colon}")
        if found is not None:
            return found._replace(title=_(found.title), text=_(found.text))
    return None


def first_sentences(text: str) -> str:
    """Return the first sentences of a section.

    >>> first_sentences("One. Two. Three.")
    'One. Two.'
    """
    first = text.split(". ")[:SENTENCES]
    return f"{'. '.join(first).rstrip('.')}."


# ---- on every table ------------------------------------------------------------------------------

COMMON: Meanings = {
    # the status
    "menu:": Meaning(
        mark("Menu"), mark("Game log, undo, score, settings and the way home. Your game is always saved.")
    ),
    "lock:": Meaning(mark("Lock"), mark("Locks the screen while you're away.")),
    "unsaved:": Meaning(
        mark("Not saved"),
        mark("These steps couldn't be saved yet. Touch it to see what helps."),
    ),
    "clock:": Meaning(mark("Clock"), mark("Pauses the clock, or lets it run again.")),
    "time": Meaning(
        mark("Thinking time"), mark("The time this player has left. Bold while it runs, red when it gets short.")
    ),
    "live:": Meaning(
        mark("Camera"), mark("How the board in the camera compares with the game. Touch it to see area by area.")
    ),
    "pencil": Meaning(mark("Set by hand"), mark("Set by the players, not by the rules.")),
    # a ruling
    "yes": Meaning(mark("Allowed"), mark("The rules allow this.")),
    "no": Meaning(mark("Not allowed"), mark("A rule forbids this. The text says which, and why.")),
    "neither": Meaning(mark("Neither yes nor no"), mark("Not a ruling, just how things stand.")),
    "met": Meaning(mark("Rule met"), mark("This rule was checked and allows it.")),
    "tick": Meaning(mark("Done"), mark("This is done, or agreed.")),
    "chosen": Meaning(mark("Chosen"), mark("The answer that counts now. Touch another one to change it.")),
    # how it went
    "won": Meaning(mark("Winner"), mark("This side has won the game.")),
    "turning": Meaning(mark("Turning point"), mark("The turn that decided the game.")),
    "chances": Meaning(
        mark("Chances to win"),
        mark("How likely each side was to win after each turn. The numbers are the turns that changed most."),
    ),
    "curve": Meaning(
        mark("Course of the game"),
        mark("Each side's points, turn by turn. In the log, slide a finger along it to see any moment again."),
    ),
    "fight": Meaning(mark("Fight"), mark("A turn in which both sides fought.")),
    # buttons
    "dispute:": Meaning(
        mark("Ask"), mark("Pauses the game to settle a question: may I, why not, what if, or any rule.")
    ),
    "undo:": Meaning(mark("Undo"), mark("Undoes the last step. You can redo it.")),
    "redo:": Meaning(mark("Redo"), mark("Redoes the last undone step.")),
    "undo-list:": Meaning(
        mark("Undo and redo"), mark("Lists the steps. Touch one to go back to it, or forward again.")
    ),
    "log:": Meaning(mark("Game log"), mark("The whole game in words. Touch a turn to see the table as it was.")),
    "score:": Meaning(mark("Score"), mark("What each side has now, and what for. It doesn't end the game.")),
    "details:": Meaning(mark("Score"), mark("The final score, point by point.")),
    "figures:": Meaning(mark("Statistics"), mark("The game in figures.")),
    "settings:": Meaning(mark("Settings"), mark("Language, screen, sound, camera, and how your table plays.")),
    "guide:": Meaning(
        mark("Help"), mark("The first evening, what to do when something is wrong, and questions. Needs no network.")
    ),
    "review:": Meaning(mark("Review"), mark("Looks back on the game: luck, choices, and what turned it.")),
    "share:": Meaning(mark("Share"), mark("The result as a QR code, a picture, a web page or an animation.")),
    "rematch:": Meaning(mark("Rematch"), mark("A new game with the same players and sides.")),
    "swap:": Meaning(mark("Swap"), mark("The same with the sides swapped.")),
    "home:": Meaning(mark("Home"), mark("Leaves the table. The game is saved, and you can continue any time.")),
    "more:": Meaning(mark("More"), mark("What you need less often.")),
    "copy:": Meaning(mark("Save a copy"), mark("Writes the game to a file that you can take with you.")),
    "quit:": Meaning(mark("Quit Gunbai"), mark("Closes Gunbai. The game is saved.")),
    "rules:": Meaning(mark("The rules"), mark("The rulebook in our words, with the page of every rule.")),
    "readings:": Meaning(mark("Unclear rules"), mark("What the rulebook leaves open, and how your table plays it.")),
    "settle:": Meaning(
        mark("Agree"), mark("You two decide, whatever the rules say. The log marks it, and you can undo it.")
    ),
    "ask:": Meaning(mark("Question"), mark("Asks the referee. Nothing on the table changes.")),
    "straight:": Meaning(
        mark("Fix a mistake"), mark("Corrects Gunbai's mistakes, step by step or by hand. The log marks it.")
    ),
    "by-hand:": Meaning(
        mark("Set by hand"), mark("Enters what is on the table, whatever the rules say. The log marks it.")
    ),
    "did:": Meaning(mark("Done"), mark("Ticks the whole list: you have done it on the table.")),
    "tick:": Meaning(mark("Tick off"), mark("Touch it when you have done this on the table.")),
}
