"""What the camera saw, offered at the table: the turn that was done, others that may have been, and what it asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.language import _, plural
from companion.perception.area_questions import AreaQuestion
from companion.perception.dice import Faces, Throws, most_rerolls, rolls_before
from companion.perception.sync.status import Item, SyncStatus
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Answer, Close, Face, Open, Refuse, Reply, Take
from companion.scenes.orders.card_panels import RerolledPanel, rolled_again, target_buttons, target_of
from companion.scenes.orders.notices import CountPanel
from companion.text.orders import how_many, problem, sentence, space_title, standing_units, turn_lines, what_stands
from companion.text.orders import question as shot
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Intent,
    Option,
    Options,
    Prompt,
    Text,
    back_button,
    confirm_button,
)
from engine.errors import Illegal
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Step

if TYPE_CHECKING:
    from vision.reading.count import Combo

LARGE_PT = 16.5
MOST_TARGETS = 4
WORTH_A_LINE = 0.01
"""The least likelihood at which a turn other than the first is offered."""


class ProposalPanel:
    """Asks whether the likeliest turn is right; one touch takes it, or the runner-up.

    beside: what else differs on the board; before: the faces of its rolls that were seen to be rerolled.
    """

    def __init__(
        self,
        position: Position,
        turns: tuple[Explanation, ...],
        beside: tuple[Item, ...] = (),
        before: tuple[Faces, ...] = (),
    ) -> None:
        self.position = position
        first, *others = turns
        alike = (
            explanation
            for explanation in (*others, *from_other_spaces(first, position))
            if is_alike(explanation, first, position)
        )
        if (rival := next(alike, None)) is not None:
            others = [rival, *(explanation for explanation in others if explanation is not rival)]
        self.turns = (first, *(turn for turn in others if turn is rival or turn.likelihood >= WORTH_A_LINE))
        self.beside = beside
        self.reroll_panel = RerolledPanel(position, self.turns[:1], len(before), before) if before else None

    def show(self) -> Face:
        """Show the likeliest turn, what doesn't fit it, the runner-up, and buttons to confirm, refuse or see more."""
        first, *rest = [*turn_lines(self.turns[0].steps, self.position), *which_space(self.turns, 0, self.position)]
        blocks: list[Block] = [
            Prompt(self.position.to_move_name, sentence(first), " ".join(map(sentence, rest))),
            *(
                Text(_("But: {problem}").format(problem=problem(item, self.position.board)), "bad")
                for item in self.beside
            ),
            *self._asked(),
        ]
        again, others = rolled_again(self.turns[0], self.position), self._others()
        more = more_button(len(self.turns) - 2)  # beyond the runner-up
        if again:  # dice are rolled again more often than the runner-up is right: it may be on the next page
            others = (Buttons((*more, *again), len(again) + len(more)), *others)
        elif more:
            others = (*others, Buttons(more, 1))
        none = Button(_("Something else"), Intent("none"), "quiet")
        yes = _("Yes, that's right") if self.reroll_panel is None else _("No card")
        return Face((*blocks, *others), (none, confirm_button(yes, intent=Intent("take"))), self._marks())

    def _asked(self) -> tuple[Block, ...]:
        """Return the question of whether the turn is right, or which cards paid for the rerolls that were seen."""
        if self.reroll_panel is None:
            return (Text(_("Seen on the board. Is that right?"), "strong"),)
        asked = plural(
            "The dice were rerolled. Which card was spent?",
            "The dice were rerolled {n} times. Which cards?",
            self.reroll_panel.number,
        )
        return (Text(asked, "strong"), self.reroll_panel.cards())

    def _others(self) -> tuple[Block, ...]:
        """Return the runner-up as an option to touch; empty if there is none."""
        if len(self.turns) < 2:
            return ()
        runner_up = Option(proposal_words(self.turns, 1, self.position), Intent("take", "", 1))
        return (Options(_("Or was it one of these?"), (runner_up,), LARGE_PT),)

    def _marks(self) -> Marks:
        """Return the map's marks: the turn's space, the areas it changes, and by how many of the mover's units."""
        after, mover = self.turns[0].position, self.position.to_move_name
        changes, areas = {}, {}
        for area in self.position.board.areas:
            was, now = self.position.units_in(area.name), after.units_in(area.name)
            if was != now:
                areas[area.name] = "chosen"
            mine = {**dict.fromkeys(was.get(mover, {}), 0), **now.get(mover, {})}
            changes.update({(area.name, unit): n - was.get(mover, {}).get(unit, 0) for unit, n in mine.items()})
        space = getattr(self.turns[0].steps[0], "space", None)
        target = space.partition(":")[2] if space else ""
        areas.update({target: "target"} if target in self.position.board.area_index else {})
        return Marks(areas, {key: n for key, n in changes.items() if n}, space)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Take one of the turns, show more, enter rerolls, or refuse all."""
        match intent.verb:
            case "take" if intent.n < len(self.turns):
                return Take(self.turns[intent.n].steps)
            case "more":
                return Open(AlternativesPanel(self.position, self.turns))
            case "rerolled" if intent.n <= most_rerolls(self.turns[0], self.position):
                return Open(RerolledPanel(self.position, self.turns[:1], intent.n))
            case "spend" if self.reroll_panel is not None:
                return self.reroll_panel.touch(intent)
        return Refuse() if intent.verb == "none" else None


def proposal_words(turns: tuple[Explanation, ...], number: int, position: Position) -> str:
    """Return the turn at this index in sentences, told apart from the others if it reads alike."""
    lines = turn_lines(turns[number].steps, position)
    return " ".join(map(sentence, (*lines, *which_space(turns, number, position))))


def from_other_spaces(turn: Explanation, position: Position) -> Iterator[Explanation]:
    """Yield the turn as made from each other support space of its action, as the camera can't tell them apart."""
    first, *rest = turn.steps
    if not isinstance(first, Deploy) or position.board.space(first.space).area is not None:
        return
    action = position.board.space(first.space).action
    for space in position.board.spaces:
        if space.action is action and space.name != first.space:
            steps = (replace(first, space=space.name), *rest)
            try:
                yield Explanation(steps, game.fold(position, steps), "", 0.0)
            except Illegal:
                continue


def is_alike(turn: Explanation, other: Explanation, position: Position) -> bool:
    """Return whether two turns differ at most in their support space, so that they read alike."""
    return _deed(turn, position) == _deed(other, position)


def is_same_turn(steps: Iterable[Step], others: Iterable[Step]) -> bool:
    """Return whether two turns have the same steps, apart from declined chances to play a card."""
    one, other = ([step for step in turn if not isinstance(step, Accept)] for turn in (steps, others))
    return one == other


def which_space(turns: tuple[Explanation, ...], number: int, position: Position) -> list[str]:
    """Return a phrase on the turn's support space if only that sets it apart from another turn; else empty.

    number: the index of the turn.
    """
    deeds = [_deed(turn, position) for turn in turns]
    first = turns[number].steps[0]
    if deeds.count(deeds[number]) == 1 or not isinstance(first, Deploy):
        return []
    return [_("the commander is on “{place}”").format(place=space_title(position.board.space(first.space)))]


def _deed(turn: Explanation, position: Position) -> tuple[Step, ...]:
    """Return a turn's steps in a form to compare: support spaces by their action, and units in order."""
    first, *rest = turn.steps
    if isinstance(first, Deploy) and position.board.space(first.space).area is None:
        first = replace(first, space=position.board.space(first.space).action.name)
    if isinstance(first, Deploy):
        first = replace(first, moves=tuple(sorted(first.moves)), place=tuple(sorted(first.place)))
    return first, *rest


class ThrowPanel:
    """Asks about a shot or a drop that was seen to begin, without a result yet.

    Dice on the table settle it; else a touch says that nothing was hit, or that no dropped unit is left.
    """

    def __init__(self, position: Position, turns: tuple[Explanation, ...]) -> None:
        self.position = position
        # the likeliest turn for each target; `turns` has the likeliest first
        self.turns = tuple({target_of(turn): turn for turn in reversed(turns)}.values())[::-1][:MOST_TARGETS]

    def show(self) -> Face:
        """Show the shot or the drop, and a button for each of its likeliest targets."""
        first = self.turns[0].steps[0]
        again = rolled_again(self.turns[0], self.position)
        drops = isinstance(first, Deploy) and self.position.board.space(first.space).action.verb == "drop"
        told = _("Place the units and roll the dice.") if drops else _("Roll the dice and remove what they hit.")
        blocks: tuple[Block, ...] = (
            Prompt(self.position.to_move_name, shot(first, self.position), told),
            Text(_("Lost them all? Touch the target.") if drops else _("No hit? Touch the target."), "strong"),
            target_buttons(self.turns),
            *((Buttons(again, len(again)),) if again else ()),
        )
        none = Button(_("Something else"), Intent("none"), "quiet")
        space = first.space if isinstance(first, Deploy) else None
        return Face(blocks, (none,), Marks(dict.fromkeys(map(target_of, self.turns), "target"), space=space))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Take the turn without effect at the touched target, ask for cards spent on rerolls, or refuse all."""
        if intent.verb == "take" and intent.n < len(self.turns):
            return Take(self.turns[intent.n].steps)
        if intent.verb == "rerolled" and intent.n <= most_rerolls(self.turns[0], self.position):
            return Open(RerolledPanel(self.position, self.turns, intent.n))
        return Refuse() if intent.verb == "none" else None


class AlternativesPanel:
    """Asks which of all possible turns was made, the likeliest first."""

    def __init__(self, position: Position, turns: tuple[Explanation, ...]) -> None:
        self.position = position
        self.turns = turns

    def show(self) -> Face:
        """Show a card for each turn."""
        words = (proposal_words(self.turns, number, self.position) for number in range(len(self.turns)))
        cards = (Options("", (Option(text, Intent("take", "", n)),), LARGE_PT) for n, text in enumerate(words))
        back, none = back_button(verb="cancel"), Button(_("Something else"), Intent("none"))
        return Face((Text(_("Which of these was it?"), "title"), *cards), (back, none))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Take the touched turn, refuse all, or go back."""
        if intent.verb == "take" and intent.n < len(self.turns):
            return Take(self.turns[intent.n].steps)
        if intent.verb == "none":
            return Refuse()
        return Close() if intent.verb == "cancel" else None


class ChoicePanel(AlternativesPanel):
    """Asks which of a few turns was made when the camera can't tell; none is preferred. few: how many of `turns`."""

    def __init__(self, position: Position, turns: tuple[Explanation, ...], few: int) -> None:
        super().__init__(
            position, tuple(turn for n, turn in enumerate(turns) if n < few or turn.likelihood >= WORTH_A_LINE)
        )
        self.few = few

    def show(self) -> Face:
        """Show a card for each of the likeliest turns, a button for others, and where they differ on the map."""
        asked = Prompt(self.position.to_move_name, _("Which of these was it?"), _("The camera can't tell. You choose."))
        first, *others = (turn.position for turn in self.turns[: self.few])
        areas = [area.name for area in self.position.board.areas]
        differ = [name for name in areas if any(other.units_in(name) != first.units_in(name) for other in others)]
        more = more_button(len(self.turns) - self.few)
        none = Button(_("Something else"), Intent("none"), "quiet")
        return Face((asked, self._answers()), (*more, none), Marks(dict.fromkeys(differ, "target")))

    def _answers(self) -> Block:
        """Return the few likeliest turns as options of one block."""
        words = (proposal_words(self.turns, number, self.position) for number in range(self.few))
        return Options("", tuple(Option(text, Intent("take", "", n)) for n, text in enumerate(words)), LARGE_PT)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Take the touched turn, show more, or refuse all."""
        if intent.verb == "more":
            return Open(AlternativesPanel(self.position, self.turns))
        return super().touch(intent)


def more_button(left: int) -> tuple[Button, ...]:
    """Return the button that shows this many more turns; empty if there are none."""
    label = plural("{n} more possible turn", "{n} more possible turns", left)
    return (Button(label, Intent("more"), "quiet"),) if left > 0 else ()


class QuestionPanel:
    """Asks what stands in an area that the camera is unsure of."""

    def __init__(self, position: Position, asked: AreaQuestion, turns: tuple[Explanation, ...]) -> None:
        self.position = position
        self.asked = asked
        self.turns = turns

    def show(self) -> Face:
        """Ask what stands in an area, with a button for each answer."""
        answers = self._answers()
        columns = 1 if len(answers) < 3 and len(self._kinds()) > 1 else 2
        blocks: tuple[Block, ...] = (
            Prompt(self.position.to_move_name, self._question(), _("The camera can't tell. You choose.")),
            Buttons((*answers, Button(_("Something else"), Intent("other"), "quiet")), columns),
        )
        skip = Button(_("Don't ask"), Intent("skip"), "quiet")
        return Face(blocks, (skip,), Marks({self.asked.area: "target"}))

    def _answers(self) -> list[Button]:
        """Return a button for each answer; the likeliest is marked, and mere numbers are in order."""
        sure = len(self.asked.answers) == 1
        found = [
            Button(self._label(units), Intent("answer", "", n), note="" if n or sure else _("likeliest"))
            for n, units in enumerate(self.asked.answers)
        ]
        return sorted(found, key=lambda button: int(button.label)) if len(self._kinds()) == 1 else found

    def _kinds(self) -> set[tuple[str, str]]:
        return {(faction, unit) for units in self.asked.answers for faction, unit, _n in units}

    def _label(self, units: Combo) -> str:
        """Return an answer's label: only a number if all answers are of one kind, which the question names."""
        if len(self._kinds()) != 1:
            return standing_units(units)
        return str(sum(n for _faction, _unit, n in units))

    def _question(self) -> str:
        """Return the question: how many units, if all answers are of one kind, else what stands in the area."""
        if len(self._kinds()) != 1:
            return what_stands(self.asked.area)
        [(faction, unit)] = self._kinds()
        return how_many(faction, unit, self.asked.area)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Give an answer, count the units instead, or dismiss the question."""
        if intent.verb == "answer":
            return Answer(self.asked.area, self.asked.answers[intent.n])
        if intent.verb == "other":
            return Open(CountPanel(self.position, self.asked.area))
        if intent.verb == "skip":
            return Open(ProposalPanel(self.position, self.turns)) if self.turns else Refuse()
        return None


def camera_panel(
    position: Position, sense: SyncStatus, throws: Throws
) -> ProposalPanel | ThrowPanel | ChoicePanel | QuestionPanel | None:
    """Return the panel for what the camera asks, or for the turn it proposes; None if it does neither.

    throws: returns the faces of each roll of so many dice that was seen in this turn.
    """
    if sense.question is not None:
        return QuestionPanel(position, sense.question, sense.explanations)
    if not sense.explanations:
        return None
    if sense.sign == "dice":
        return ThrowPanel(position, sense.explanations)
    if sense.choice:
        return ChoicePanel(position, sense.explanations, sense.choice)
    before = rolls_before(sense.explanations[0], position, throws)
    return ProposalPanel(position, sense.explanations, sense.items, before)
