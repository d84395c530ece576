"""What the scenes of every table must know of a system of rules: its words, its pictures, and its open questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from companion.core.language import _
from companion.games.rules_search import Library
from companion.games.session import GameSession
from companion.games.status import Rounds
from companion.scenes.base.reasons import bare
from companion.scenes.base.stage import Scene
from companion.text.meanings.meaning import Meaning
from companion.text.orders import sentence
from companion.text.people import People
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
"""Buttons, and where each leads."""

MOST_STEPS = 30  # of a part of the log: more are told in several


class Told(Protocol[P_co, S_co]):
    """A game as far as it was played: a session, or the journal of one."""

    @property
    def steps(self) -> Sequence[S_co]:
        """All steps."""

    @property
    def positions(self) -> Sequence[P_co]:
        """The start, and the position after each step."""


@dataclass(frozen=True, slots=True)
class RulesQuestion(Generic[P, S]):
    """A question to the rules and the answer, in a position; step: what it is about, where it is about one.

    preface: what has to be known first ("It is Black's turn."); remedies: what would change a "no"; picture: what is
    shown beside it, where that isn't the presenter's to choose; verdict: what is said at the top where the question is
    not one of yes and no.
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
    """Something that may be asked in an argument: the button, and the scene that answers."""

    label: str
    lead: Callable[[], Scene]
    sign: str = "question"
    note: str = ""


class SystemPresenter(Protocol[P, S]):
    """One system as the screen tells of it. A side is an index, 0 or 1; its seat is a colour of the theme.

    What has a body here is right for most systems: one that inherits from this gives only what it has more.
    """

    lines_on_card: int | None = 3
    """Of the log; None for cards that hold a whole turn."""
    cards_in_chapter: int = 4
    """At least so many: shorter turns are read together."""

    def seats(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """The colours of both sides, the near one's first, by their names in a saved game."""

    def keys(self, position: P) -> tuple[str, str]:
        """The sides' names in a saved game."""

    def sides(self, position: P) -> tuple[str, str]:
        """The sides' names as players read them."""

    def title(self, position: P) -> str:
        """What is played."""

    def published_as(self, position: P) -> tuple[str, str]:
        """Which box of the game, "" where it has only one, and its board, battle or decks, by their English names."""

    def waits_for(self, position: P) -> tuple[int, ...]:
        """The sides that the table waits for, the one that is asked first in front; none once it is over."""

    def winner(self, position: P) -> int | None:
        """The side that has won."""

    def turn(self, position: P) -> int:
        """The number of the turn: the log is read turn by turn."""

    def rounds(self, position: P) -> Rounds:
        """How far the game is."""
        return Rounds(self.turn(position))

    def acting(self, position: P) -> int | None:
        """The side whose steps these are; None where they are nobody's."""

    # ---- what it shows ------------------------------------------------------------------------------

    def status(self, position: P, people: People) -> Status:
        """What is always seen."""

    def picture(self, position: P, step: S | None = None) -> TablePicture:
        """The table as it stands, with what a step would do on it."""

    def final_picture(self, position: P) -> TablePicture:
        """The table at the end of a game."""
        return self.picture(position)

    def moment_picture(self, match: GameSession[P, S], number: int) -> TablePicture:
        """The table after so many steps."""
        return self.picture(match.positions[number])

    def moment_words(self, position: P, step: int, of: int) -> str:
        """Which moment of a game is looked at."""
        form = _("Turn {n} – step {step} of {all} (nothing is changed)")
        return form.format(n=self.turn(position), step=step, all=of)

    def facts(self, position: P, people: People) -> str:
        """How it stands, in a line."""
        del position, people
        return ""

    # ---- how it went --------------------------------------------------------------------------------

    def standing(self, position: P) -> tuple[int, int] | None:
        """What both sides have by which a game is followed: points, units, resources; None where nothing is counted."""
        del position
        return None

    def standing_words(self) -> str:
        """What is counted: "Points"."""
        return ""

    def fought(self, step: S, before: P) -> str:
        """Where a step began a conflict; "" where it began none."""
        del step, before
        return ""

    def is_sudden(self, position: P) -> bool:
        """Whether the last turn ended the game at once, whatever the numbers said."""
        del position
        return False

    def outcome(self, position: P, people: People) -> tuple[str, ...]:
        """Why the game has ended as it did, a sentence each, the one that decided first."""
        del position, people
        return ()

    # ---- what is said aloud --------------------------------------------------------------------------

    def dice_owed(self, position: P, people: People) -> str:
        """Who rolls how many dice now, and what for; "" where none are owed."""
        del position, people
        return ""

    def round_over(self, position: P, people: People) -> str:
        """That the round before this position has ended; "" where that is worth no word."""
        del position, people
        return ""

    def secret(self, position: P) -> frozenset[str]:
        """Titles of cards that may be in a hand now."""
        del position
        return frozenset()

    # ---- the log ------------------------------------------------------------------------------------

    def start_words(self, match: GameSession[P, S], people: People) -> str:
        """How a game began, in a sentence."""
        del people
        return self.start_line(match.positions[0])

    def start_line(self, position: P) -> str:
        """How any game from this position began, in a sentence."""

    def line(self, step: S, before: P, people: People) -> str:
        """A step in a sentence; "" for one that nobody wants to read of."""

    def line_with_effects(self, step: S, before: P, after: P, people: People) -> str:
        """A step in a sentence, with what came of it by itself."""
        return " ".join(filter(None, (self.line(step, before, people), *self.changes(before, after))))

    def line_to_agree(self, step: S, before: P, people: People) -> str:
        """What both players are asked to agree on before an agreed step is recorded."""
        return self.line(step, before, people)

    def changes(self, before: P, after: P) -> tuple[str, ...]:
        """What came of a step by itself, in sentences."""
        del before, after
        return ()

    def is_silent(self, step: S) -> bool:
        """Whether a step goes without saying: `line` has nothing to tell of it."""
        del step
        return False

    def silent_words(self) -> str:
        """What is said of such a step where it is looked at by itself."""
        return _("Nothing to report.")

    def by_chance(self, step: S, before: P) -> bool:
        """Whether chance spoke in it: then both players are asked before it is taken back."""

    def by_will(self, step: S) -> bool:
        """Whether it was somebody's own choice: arguments are about these."""
        del step
        return True

    def is_agreed(self, step: S) -> bool:
        """Whether it is what the players agreed on."""

    def marks(self, step: S) -> tuple[str, ...]:
        """The marks that it bears in the log."""
        return (_("agreed"),) if self.is_agreed(step) else ()

    def begins(self, step: S) -> bool:
        """Whether a part of a turn begins with it: the log tells parts apart."""
        del step
        return False

    def parts(self, match: Told[P, S], start: int) -> Iterator[tuple[range, int]]:
        """The steps' indices from this one on by the parts of the log, and the turn of each.

        A part is a turn, and in a turn the steps of one side, or what begins anew.
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
        """Whose the steps of a part are: the first side that acts in them, or was asked before."""
        acts = (self.acting(match.positions[i]) for i in steps)
        side = next((one for one in acts if one is not None), None)
        return next(iter(self.waits_for(match.positions[steps.start])), 0) if side is None else side

    def chapter_title(self, first: int, last: int) -> str:
        """The title of a chapter of the log, from one turn to another."""
        return _("Turn {n}").format(n=first) if first == last else _("Turns {n} to {m}").format(n=first, m=last)

    # ---- the rules ----------------------------------------------------------------------------------

    def library(self, position: P) -> Library:
        """The rules to look things up in."""

    def readings(self, position: P) -> Mapping[str, Reading]:
        """What the book leaves open."""

    def switched(self, position: P) -> frozenset[str]:
        """The readings that this game plays by their other answer."""

    def reading_effects(self, position: P, name: str) -> tuple[Block, ...]:
        """What the answer that is not played now would change."""
        del position, name
        return ()

    def reading_step(self, name: str, answer: str) -> S | None:
        """The step by which both choose the "default" or the "other" answer; None where a game keeps its answers."""
        del name, answer
        return None

    def question(self, step: S, position: P) -> str:
        """What somebody who asks about a step wants to know: "May Maru-ni's shock unit charge?"."""

    def spoken(self, message: str, position: P) -> str:
        """A message of the engine as players read it, with the names that they know."""
        del position
        return sentence(message)

    def criterion(self, finding: Finding, question: RulesQuestion[P, S]) -> str:
        """A criterion of a ruling as a sentence."""
        text = self.spoken(bare(finding), question.position)
        return text[:1].upper() + text[1:]

    def meaning(self, key: str, picture: TablePicture | None) -> Meaning | None:
        """What a thing of its table is, by the key of `companion.text.meanings`; picture: what it is on."""
        del key, picture
        return None

    def entry_of(self, key: str) -> str:
        """The key of the rules' entry that tells what a thing of its table is; "" for none."""
        del key
        return ""

    def is_pictured(self, finding: Finding, question: RulesQuestion[P, S]) -> bool:
        """Whether the picture has something to show of a criterion, though it holds."""
        del finding, question
        return False

    def picture_of(self, question: RulesQuestion[P, S], finding: Finding | None) -> TablePicture:
        """The picture beside a ruling, of the criterion that was touched."""
        del finding
        return question.picture or self.picture(question.position, question.step)

    def remedies(self, position: P, step: S, ruling: Ruling) -> tuple[str, ...]:
        """What would make a refused step legal, in sentences."""
        del position, step, ruling
        return ()

    def settled(self, position: P, step: S | None, note: str) -> S | None:
        """The agreed step with this note; of a refused step, what hands alone would have brought about by it.

        None where there is no such step.
        """
        del position, step, note
        return None


def people_of(presenter: SystemPresenter[P, S], position: P, players: Mapping[str, str]) -> People:
    """Who plays: seats with the players' names, or the sides' own where none was given."""
    keys, sides = presenter.keys(position), presenter.sides(position)
    seats = presenter.seats(keys)
    names = {seat: players.get(key, "") for seat, key in zip(seats, keys, strict=True)}
    return People(seats, {seat: name for seat, name in names.items() if name}, dict(zip(seats, sides, strict=True)))


def with_picture(screen: Screen, picture: TablePicture) -> Screen:
    """The screen with the picture of a table beside its words."""
    return replace(screen, map=picture) if isinstance(picture, MapPicture) else replace(screen, board=picture)
