"""What the scenes need of each system of rules: its words, its pictures, and its open questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from companion.core.language import _
from companion.games.match import GameSession
from companion.games.rules_search import Library
from companion.games.status import Rounds
from companion.scenes.base.reasons import bare_message
from companion.scenes.base.stage import Scene
from companion.text.meanings.meaning import COMMON, Meaning, find, first_sentences
from companion.text.orders import sentence
from companion.text.people import People
from companion.ui.intents import Tooltip
from companion.ui.screen import Block, Button, MapPicture, Picture, Screen, Status, Verdict
from engine.rulebook import Reading
from engine.ruling import Finding, Ruling

P = TypeVar("P")
S = TypeVar("S")
P_co = TypeVar("P_co", covariant=True)
S_co = TypeVar("S_co", covariant=True)

TablePicture = MapPicture | Picture
"""A game's table as a picture: General Orders' map, or another system's field or cards."""

Ways = tuple[tuple[Button, Callable[[], Scene | None]], ...]
"""Buttons, each with what opens its scene."""

MOST_STEPS = 30  # of a part of the log: more are told in several


class Told(Protocol[P_co, S_co]):
    """The steps and positions of a game: of a session, or of a journal."""

    @property
    def steps(self) -> Sequence[S_co]:
        """All steps."""

    @property
    def positions(self) -> Sequence[P_co]:
        """The start, and the position after each step."""


@dataclass(frozen=True, slots=True)
class RulesQuestion(Generic[P, S]):
    """A question about the rules in a position, and its ruling. step: the step it is about, if any.

    preface: what to know first ("It is Black's turn."); remedies: what would change a "no"; picture: what to show
    beside it instead of the presenter's picture; verdict: the answer, if it is more than yes or no.
    """

    question: str
    position: P
    ruling: Ruling
    step: S | None = None
    preface: str = ""
    remedies: tuple[str, ...] = ()
    picture: TablePicture | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class ArgumentQuestion:
    """A question that may be asked in an argument: its button, and what opens the answer."""

    label: str
    lead: Callable[[], Scene]
    sign: str = "question"
    note: str = ""


class SystemPresenter(Protocol[P, S]):
    """How the screen tells of one system. A side is an index, 0 or 1; its seat is a colour of the theme.

    The methods with a body here suit most systems; a system overrides those where it differs.
    """

    lines_on_card: int | None = 3
    """Of the log; None if a card holds a whole turn."""
    cards_in_chapter: int = 4
    """At least so many: shorter turns are read together."""

    def seats(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return the colours of both sides, the near one's first. keys: their names in a saved game."""

    def keys(self, position: P) -> tuple[str, str]:
        """Return the names of both sides as saved games have them."""

    def sides(self, position: P) -> tuple[str, str]:
        """Return the names of both sides as players read them."""

    def title(self, position: P) -> str:
        """Return the title of the board, battle or decks played."""

    def published_as(self, position: P) -> tuple[str, str]:
        """Return the English names of the box, "" if there is only one, and of the board, battle or decks."""

    def waits_for(self, position: P) -> tuple[int, ...]:
        """Return the sides that the table waits for, the one asked first in front; empty once the game is over."""

    def winner(self, position: P) -> int | None:
        """Return the side that has won; None while nobody has."""

    def turn(self, position: P) -> int:
        """Return the number of the turn; the log is read turn by turn."""

    def rounds(self, position: P) -> Rounds:
        """Return how far the game is: here just the number of the turn."""
        return Rounds(self.turn(position))

    def acting(self, position: P) -> int | None:
        """Return the side that is to act, whose steps come next; None if it is nobody's turn."""

    # ---- what it shows ------------------------------------------------------------------------------

    def status(self, position: P, people: People) -> Status:
        """Return the status bar, which is always on the screen."""

    def picture(self, position: P, step: S | None = None) -> TablePicture:
        """Return the table as a picture, marked with what the step, if given, would do."""

    def final_picture(self, position: P) -> TablePicture:
        """Return the table at the end of a game."""
        return self.picture(position)

    def moment_picture(self, match: GameSession[P, S], number: int) -> TablePicture:
        """Return the table after this many steps."""
        return self.picture(match.positions[number])

    def moment_words(self, position: P, step: int, of: int) -> str:
        """Return a line that names a moment of a game: the turn, and which step of how many it is."""
        form = _("Turn {n} – step {step} of {all} (nothing is changed)")
        return form.format(n=self.turn(position), step=step, all=of)

    def facts(self, _position: P, _people: People) -> str:
        """Return how the game stands, in a line; "" if there is nothing to tell."""
        return ""

    # ---- how it went --------------------------------------------------------------------------------

    def standing(self, _position: P) -> tuple[int, int] | None:
        """Return both sides' points, units or resources, by which a game is followed; None if nothing is counted."""
        return None

    def standing_words(self) -> str:
        """Return the word for what `standing` counts: "Points"; "" for nothing."""
        return ""

    def fought(self, _step: S, _before: P) -> str:
        """Return the place where a step began a conflict; "" if it began none."""
        return ""

    def is_sudden(self, _position: P) -> bool:
        """Return whether the last turn ended the game at once, whatever the standing."""
        return False

    def outcome(self, _position: P, _people: People) -> tuple[str, ...]:
        """Return sentences on why the game ended as it did, the decisive one first."""
        return ()

    # ---- what is said aloud --------------------------------------------------------------------------

    def dice_owed(self, _position: P, _people: People) -> str:
        """Return who rolls how many dice now, and what for; "" if no dice are owed."""
        return ""

    def round_over(self, _position: P, _people: People) -> str:
        """Return the news that the round before this position has ended; "" if it isn't worth telling."""
        return ""

    def secret(self, _position: P) -> frozenset[str]:
        """Return the titles of cards that may be in a hand now, which must not be said aloud."""
        return frozenset()

    # ---- the log ------------------------------------------------------------------------------------

    def start_words(self, match: GameSession[P, S], _people: People) -> str:
        """Return a sentence on how this game began."""
        return self.start_line(match.positions[0])

    def start_line(self, position: P) -> str:
        """Return a sentence on how any game from this position began."""

    def line(self, step: S, before: P, people: People) -> str:
        """Return a step as a sentence; "" for one that the log leaves out."""

    def line_with_effects(self, step: S, before: P, after: P, people: People) -> str:
        """Return a step as a sentence, with its effects."""
        return " ".join(filter(None, (self.line(step, before, people), *self.changes(before, after))))

    def line_to_agree(self, step: S, before: P, people: People) -> str:
        """Return what both players are asked to agree on before an agreed step is recorded."""
        return self.line(step, before, people)

    def changes(self, _before: P, _after: P) -> tuple[str, ...]:
        """Return the effects of a step, in sentences. _before, _after: the positions around it."""
        return ()

    def is_silent(self, _step: S) -> bool:
        """Return whether the log leaves a step out: then `line` is ""."""
        return False

    def silent_words(self) -> str:
        """Return the text shown for a silent step that is looked at on its own."""
        return _("Nothing to report.")

    def by_chance(self, step: S, before: P) -> bool:
        """Return whether chance decided something in a step; both players are asked before such a step is undone."""

    def by_will(self, _step: S) -> bool:
        """Return whether a step was a player's decision, and so may be argued about."""
        return True

    def is_agreed(self, step: S) -> bool:
        """Return whether a step is one that both players agreed on."""

    def marks(self, step: S) -> tuple[str, ...]:
        """Return the log's marks for a step: "agreed", or none."""
        return (_("agreed"),) if self.is_agreed(step) else ()

    def begins(self, _step: S) -> bool:
        """Return whether a step begins a new part of the log within a turn."""
        return False

    def parts(self, match: Told[P, S], start: int) -> Iterator[tuple[range, int]]:
        """Yield (step indices, turn) for each part of the log, from the step with this index on.

        A new part begins with each turn, whenever the other side acts, with a step for which `begins` is true, and
        after MOST_STEPS steps.
        """
        steps, positions = match.steps, match.positions
        side = None
        for i in range(start, len(steps)):
            acts, turn = self.acting(positions[i]), self.turn(positions[start])
            other = side is not None and acts is not None and acts != side
            turned = self.turn(positions[i]) != turn
            if i > start and (other or turned or self.begins(steps[i]) or i - start >= MOST_STEPS):
                yield range(start, i), turn
                start, side = i, None
            side = acts if side is None else side
        if start < len(steps):
            yield range(start, len(steps)), self.turn(positions[start])

    def part_side(self, match: GameSession[P, S], steps: range) -> int:
        """Return the side whose steps these are: the first to act in them, else the one waited for before."""
        acts = (self.acting(match.positions[i]) for i in steps)
        side = next((act for act in acts if act is not None), None)
        return next(iter(self.waits_for(match.positions[steps.start])), 0) if side is None else side

    def chapter_title(self, first: int, last: int) -> str:
        """Return the title of a chapter of the log, from its first turn to its last."""
        return _("Turn {n}").format(n=first) if first == last else _("Turns {n} to {m}").format(n=first, m=last)

    # ---- the rules ----------------------------------------------------------------------------------

    def library(self, position: P) -> Library:
        """Return the searchable rules of this game."""

    def readings(self, position: P) -> Mapping[str, Reading]:
        """Return the questions that the rulebook leaves open, by name."""

    def switched_readings(self, position: P) -> frozenset[str]:
        """Return the names of the readings that this game plays with their other answer."""

    def reading_effects(self, _position: P, _name: str) -> tuple[Block, ...]:
        """Return blocks on what switching this reading to its other answer would change."""
        return ()

    def reading_step(self, _name: str, _answer: str) -> S | None:
        """Return the step by which both choose the "default" or "other" answer; None if a game can't switch."""
        return None

    def question(self, step: S, position: P) -> str:
        """Return the question whether a step is allowed, in words: "May Maru-ni's shock unit charge?"."""

    def message_text(self, message: str, _position: P) -> str:
        """Return a message of the engine as a sentence, with the names that players know."""
        return sentence(message)

    def criterion(self, finding: Finding, question: RulesQuestion[P, S]) -> str:
        """Return a criterion of a ruling as a sentence."""
        text = self.message_text(bare_message(finding), question.position)
        return text[:1].upper() + text[1:]

    def meaning(self, _key: str, _picture: TablePicture | None) -> Meaning | None:
        """Return what a thing on the table means; None if unknown.

        key: as in `companion.text.meanings`; picture: what the thing is on.
        """
        return None

    def entry_of(self, _key: str) -> str:
        """Return the key of the rules' entry that explains a thing on the table; "" for none."""
        return ""

    def is_pictured(self, _finding: Finding, _question: RulesQuestion[P, S]) -> bool:
        """Return whether the picture shows something about a criterion even when it is met."""
        return False

    def picture_of(self, question: RulesQuestion[P, S], _finding: Finding | None) -> TablePicture:
        """Return the picture beside a ruling, marked for the criterion that was touched."""
        return question.picture or self.picture(question.position, question.step)

    def remedies(self, _position: P, _step: S, _ruling: Ruling) -> tuple[str, ...]:
        """Return what would make a refused step legal, in sentences."""
        return ()

    def settling_step(self, _position: P, _step: S | None, _note: str) -> S | None:
        """Return the agreed step with this note that does by hand what a refused step would have done.

        Without a step, it is the note alone. None if there is no such step.
        """
        return None


def people_of(presenter: SystemPresenter[P, S], position: P, players: Mapping[str, str]) -> People:
    """Return both sides with the players' names, or the sides' own names if none were given."""
    keys, sides = presenter.keys(position), presenter.sides(position)
    seats = presenter.seats(keys)
    names = {seat: players.get(key, "") for seat, key in zip(seats, keys, strict=True)}
    return People(seats, {seat: name for seat, name in names.items() if name}, dict(zip(seats, sides, strict=True)))


def with_picture(screen: Screen, picture: TablePicture) -> Screen:
    """Return the screen with this picture of a table, in the field for its kind."""
    return replace(screen, map=picture) if isinstance(picture, MapPicture) else replace(screen, board=picture)


def explain(
    presenter: SystemPresenter[P, S], table: tuple[P, People], key: str, picture: TablePicture | None
) -> Tooltip | None:
    """Return the tooltip of the thing with this key at a table; None if it has none.

    picture: the one beside or around the thing with this key.
    """
    position, people = table
    kind, _colon, what = key.partition(":")
    if kind == "faction" and what in people.factions:
        return Tooltip(people.name(what), _("Whatever has this shape and colour belongs to this side."))
    library = presenter.library(position)
    entry = presenter.entry_of(key)
    if entry in library.entries:
        told = library.entries[entry]
        return Tooltip(told.title, sentence(first_sentences(told.text)), str(told.citation))
    meaning = presenter.meaning(key, picture) or find(key, COMMON)
    if meaning is None:
        return None
    section = library.entries.get(f"section:{meaning.section}")
    return Tooltip(meaning.title, meaning.text, "" if section is None else str(section.citation))
