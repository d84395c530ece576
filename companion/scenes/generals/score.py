"""How a card game stands, or who has won and why, with the game in figures; afterwards, what became of the cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.language import _, plural
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene, SubScene
from companion.scenes.base.unsaved import leave_for_home
from companion.scenes.generals.duel import duel_picture
from companion.scenes.generals.looking import upkeep_texts
from companion.scenes.story.tables import GameTable
from companion.text.generals import outcome_words, pile_title
from companion.ui.screen import Block, Button, Grid, Intent, Prompt, Screen, Tally, TallySide, Text, back_button
from engine.generals.position import SIDES, Position
from engine.generals.steps import Agreed, Attack, Deploy, End, Move, Step, Use

HEAD = 4  # letters of a name over a column


class DuelScoreScene(BackScene):
    """The score of a card game: both castles' resources, who has won and why; on another page its figures."""

    shared = True

    def __init__(self, table: GameTable[Position, Step], back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.figures = False

    def show(self) -> Screen:
        """Show the result or the figures beside the battlefield."""
        position = self.table.position
        over = position.winner is not None
        turned = Button(_("Result") if self.figures else _("Statistics"), Intent("figures"), sign="log")
        back = back_button("quiet" if over else "primary")
        return Screen(
            title=_("The end") if over else _("Score"),
            blocks=self._figures() if self.figures else self._result(),
            actions=(back, turned, Button(_("Home"), Intent("home"), "primary")) if over else (back, turned),
            board=duel_picture(position),
            page=self.page,
        )

    def _result(self) -> tuple[Block, ...]:
        """Return the resources left, which decide the game, then who has won, and the other piles."""
        position, people = self.table.position, self.table.people
        sides = tuple(
            TallySide(who, people.name(who), side.resources, i == position.winner)
            for i, (who, side) in enumerate(zip(SIDES, position.sides, strict=True))
        )
        return Text(_("Resources left"), "quiet"), Tally(sides), *self._why(), self._piles()

    def _why(self) -> tuple[Block, ...]:
        """Return who has won and the rule behind it; while nobody has, what the end of the turn would take."""
        position, people = self.table.position, self.table.people
        if position.winner is None:
            text = _("{who} to move").format(who=people.name(SIDES[position.to_move]))
            return Text(text, "strong"), *upkeep_texts(position, position.to_move)
        who = SIDES[position.winner]
        return Prompt(who, _("{who} has won").format(who=people.name(who))), Text(outcome_words(position, people))

    def _piles(self) -> Block:
        """Return a table of the hands, the expended zones and the defeated generals."""
        sides = self.table.position.sides
        numbers = {
            "hand": [side.hand for side in sides],
            "expended": [side.expended for side in sides],
            "defeated": [len(side.defeated) for side in sides],
        }
        rows = tuple((pile_title(pile), *map(str, each)) for pile, each in numbers.items())
        return Grid((_("Cards"), *self._heads()), rows)

    def _heads(self) -> tuple[str, ...]:
        """Return the players' names, cut to fit the narrow columns."""
        names = map(self.table.people.name, SIDES)
        return tuple(name if len(name) <= HEAD else f"{name[: HEAD - 1]}." for name in names)

    def _figures(self) -> tuple[Block, ...]:
        """Return a table of what each side has done."""
        match = self.table.match
        one, other = (duel_figures(match.steps, match.positions, index) for index in range(2))
        rows = (
            (_("Generals deployed"), one.deployed, other.deployed),
            (_("Most in play at once"), one.most, other.most),
            (_("Moves"), one.moves, other.moves),
            (_("Attacks"), one.attacks, other.attacks),
            (_("Generals defeated"), one.defeated, other.defeated),
            (_("Cards played"), one.used, other.used),
            (_("Castle damage"), one.damage, other.damage),
            (_("Upkeep"), one.upkeep, other.upkeep),
        )
        written = tuple((text, str(n), str(m)) for text, n, m in rows)
        turns = plural("{n} turn", "{n} turns", self.table.position.turn)
        steps = plural("{n} step", "{n} steps", len(match.steps))
        return Grid((_("Statistics"), *self._heads()), written), Text(f"{turns}, {steps}.", "quiet")

    def touch(self, intent: Intent) -> Scene | None:
        """Switch between result and figures, leave for home, or go back."""
        if intent.verb == "figures":
            self.figures, self.page = not self.figures, 0
        elif intent.verb == "home":
            return leave_for_home(self.table, self)
        return super().touch(intent)


@dataclass(frozen=True, slots=True)
class DuelFigures:
    """One side's game in figures.

    Generals deployed, moves, attacks, cards used; opposing generals defeated; damage to the opponent's castle;
    cards paid for its own upkeep; the most generals it had in play at once.
    """

    deployed: int = 0
    moves: int = 0
    attacks: int = 0
    used: int = 0
    defeated: int = 0
    damage: int = 0
    upkeep: int = 0
    most: int = 0


def duel_figures(steps: Sequence[Step], positions: Sequence[Position], index: int) -> DuelFigures:
    """Return a side's figures for the game so far; positions: the start, and the one after each step."""
    played = list(zip(steps, positions[:-1], positions[1:], strict=True))
    own = [(step, before, after) for step, before, after in played if _by(step, before) == index]
    other = 1 - index
    fallen = sum(
        max(0, len(after.sides[other].defeated) - len(before.sides[other].defeated)) for _s, before, after in own
    )
    return DuelFigures(
        deployed=_count(own, Deploy),
        moves=_count(own, Move),
        attacks=_count(own, Attack),
        used=_count(own, Use),
        defeated=fallen,
        damage=sum(
            max(0, before.sides[other].resources - after.sides[other].resources)
            for step, before, after in own
            if not isinstance(step, End)
        ),
        upkeep=sum(
            min(len(before.sides[index].fighters), before.sides[index].resources)
            for step, before, _after in own
            if isinstance(step, End)
        ),
        most=max(len(position.sides[index].fighters) for position in positions),
    )


def _by(step: Step, before: Position) -> int | None:
    """Return the side that made a step; None for an agreed one."""
    if isinstance(step, Agreed):
        return None
    return SIDES.index(step.by) if isinstance(step, Use) else before.to_move


def _count(played: Sequence[tuple[Step, Position, Position]], kind: type[Step]) -> int:
    return sum(isinstance(step, kind) for step, _before, _after in played)


class DuelReview(SubScene):
    """What became of both sides' cards: deployed, played, lost, paid, or left in hand and resources."""

    shared = True

    def __init__(self, table: GameTable[Position, Step], back: Scene) -> None:
        super().__init__(back)
        self.table = table

    def show(self) -> Screen:
        """Show both sides' cards by what became of them."""
        match, people = self.table.match, self.table.people
        last = match.position
        done = [duel_figures(match.steps, match.positions, side) for side in (0, 1)]
        rows = (
            (_("Generals deployed"), *(str(figures.deployed) for figures in done)),
            (_("Cards played"), *(str(figures.used) for figures in done)),
            (_("Unplayed in hand"), *(str(side.hand) for side in last.sides)),
            (_("Generals lost"), *(str(len(side.defeated)) for side in last.sides)),
            (_("Paid as upkeep"), *(str(figures.upkeep) for figures in done)),
            (_("Resources left"), *(str(side.resources) for side in last.sides)),
        )
        notes = (
            _("Generals Order has no dice: the only luck is in the draw, and hands are secret."),
            _("Gunbai doesn't play Generals Order, so it can't say which play was better."),
        )
        return Screen(
            title=_("What became of the cards"),
            blocks=(
                Grid(("", *(people.name(side) for side in people.factions)), rows),
                *(Text(note, "quiet") for note in notes),
            ),
            actions=(back_button("primary"),),
            page=self.page,
        )
