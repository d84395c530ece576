"""What hands have to do on the board when a step is recorded or undone, and the list to tick it off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from companion.core.language import _, language_in_use
from companion.perception.sync.status import SyncStatus
from companion.scenes.base.panels import Close, Face, Reply
from companion.text.orders import action_name, area_name, card_count, card_title, faction_name, join_words, unit_count
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    CheckLine,
    Checklist,
    Intent,
    Prompt,
    Text,
    back_button,
    confirm_button,
)
from engine.orders.cards import hand_size
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Agreed, Deploy, Play, Reroll, Step
from engine.orders.turn import commanders_before_homecoming, ready
from engine.words import count_words

Diff = Counter[tuple[str, str, str]]  # (faction, unit, area) -> how many more there are

AGREES = ("sync", "unsure", "proposal")


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do on the board.

    places: the areas and action spaces it changes; whose: the faction to do it as a round ends, or "".
    """

    text: str
    places: frozenset[str] = frozenset()
    whose: str = ""


def tasks(before: Position, after: Position, step: Step) -> tuple[Task, ...]:
    """Return what hands have to do once a step is recorded, in order; nothing for a correction."""
    if isinstance(step, Agreed):
        return ()
    here = ready(before, step)
    return (*announced_tasks(before, after, step), *_round(here, after, commanders_before_homecoming(here, step)))


def announced_tasks(before: Position, after: Position, step: Step) -> tuple[Task, ...]:
    """Return what hands have to do for a step not yet recorded, without the tasks of a round that it ends."""
    here = ready(before, step)
    found = [*_units(differences(before, here)), *_round(before, here, before.commanders)]
    found += [*_cards_spent(here, step), *_commanders(here, after, step)]
    diff = differences(here, after)
    if isinstance(step, Deploy):
        found += _moves(here, step, diff)
    return (*found, *_units(diff), *_rest(here, after))


def tasks_to_undo(before: Position, after: Position, step: Step) -> tuple[Task, ...]:
    """Return what hands have to do once the step from `before` to `after` is undone; nothing for a correction."""
    if isinstance(step, Agreed):
        return ()
    diff = differences(after, before)
    found = [*_moves(ready(before, step), step, diff, back=True)] if isinstance(step, Deploy) else []
    form = _("Recall the commander from {space}")
    found += [
        Task(form.format(space=_space(before, space)), frozenset({space}))
        for space in _new_commanders(before, after, step)
    ]
    for faction in before.board.factions:
        if after.standing_by(faction) > before.standing_by(faction):
            found.append(Task(_("{who}: take the commander back from standby").format(who=faction_name(faction))))
        if after.standing_by(faction) < before.standing_by(faction):
            found.append(Task(_("{who}: put the commander back on standby").format(who=faction_name(faction))))
    spent = [_("{card} back to hand").format(card=card_title(before.board, card)) for card in spent_by(step)]
    return (*found, *_units(diff), *map(Task, spent), *_rest(after, before), *_round_back(before, after))


def differences(before: Position, after: Position) -> Diff:
    """Return the change in the number of units by (faction, unit, area), from one position to the other."""
    diff: Diff = Counter()
    for area in before.board.areas:
        for sign, position in ((-1, before), (1, after)):
            for faction, units in position.units_in(area.name).items():
                for unit, n in units.items():
                    diff[faction, unit, area.name] += sign * n
    return diff


def spent_by(step: Step) -> tuple[str, ...]:
    """Return the names of the cards that a step spends."""
    if isinstance(step, Deploy):
        return step.cards
    return (step.card,) if isinstance(step, Play | Reroll) else ()


def _cards_spent(before: Position, step: Step) -> Iterator[Task]:
    for name in spent_by(step):
        card, title = before.board.mode.cards[name], card_title(before.board, name)
        if isinstance(step, Play) and card.verb == "table":
            yield Task(_("Do what {card} says, then enter what changed").format(card=title))
        yield Task(_("Discard {card}").format(card=title))


def _new_commanders(before: Position, after: Position, step: Step) -> list[str]:
    """Return the names of the action spaces to which the step brought a commander."""
    if isinstance(step, Deploy):
        return [step.space]
    return [s.name for s in before.board.spaces if set(after.commanders_on(s.name)) - set(before.commanders_on(s.name))]


def _space(position: Position, name: str) -> str:
    space = position.board.space(name)
    return f"{action_name(space.action.name)} {area_name(space.area or name.partition(':')[2])}"


def _commanders(before: Position, after: Position, step: Step) -> Iterator[Task]:
    extra = isinstance(step, Deploy) and any(before.board.mode.cards[card].verb == "extra" for card in step.cards)
    form = _("Commander from standby to {space}") if extra else _("Commander to {space}")
    for name in _new_commanders(before, after, step):
        yield Task(form.format(space=_space(before, name)), frozenset({name}))
    if before.round == after.round:
        yield from _standby(before, after, extra)


def _standby(before: Position, after: Position, extra: bool) -> Iterator[Task]:
    """Yield a task for each commander moved to or from standby, except an extra one just deployed."""
    for faction in before.board.factions:
        who, came = faction_name(faction), after.standing_by(faction) - before.standing_by(faction)
        came += extra and faction == before.to_move_name
        left = [
            space.name
            for space in before.board.spaces
            if faction in before.commanders_on(space.name) and faction not in after.commanders_on(space.name)
        ]
        for name in left if came > 0 else ():
            form = _("{who}: put the commander on {space} on standby")
            yield Task(form.format(who=who, space=_space(before, name)), frozenset({name}))
        if came > len(left):
            yield Task(_("{who}: put a commander on standby").format(who=who))
        if came < 0:
            yield Task(_("{who}: move a commander from standby to reserve").format(who=who))


def _moves(before: Position, step: Deploy, diff: Diff, *, back: bool = False) -> Iterator[Task]:
    """Yield a task for each move in the step and take it out of `diff`, which keeps what else came or went.

    back: the moves are undone. What came from the reserve stays in `diff` then.
    """
    who, space = before.to_move_name, before.board.space(step.space).area or ""
    for area, unit, n in step.moves:
        source, target = (space, area) if back else (area, space)
        if area != RESERVE:
            diff[who, unit, source] += n
            diff[who, unit, target] -= n
            form = _("{units} from {source} to {target}")
            text = form.format(units=unit_count(unit, n), source=area_name(source), target=area_name(target))
            yield Task(text, frozenset({area, space}))
        elif not back:
            diff[who, unit, space] -= n
            yield _joining(unit, n, space)


def _joining(unit: str, n: int, area: str) -> Task:
    text = _("{units} from reserve to {area}").format(units=unit_count(unit, n), area=area_name(area))
    return Task(text, frozenset({area}))


def _units(diff: Diff) -> Iterator[Task]:
    """Yield a task for each change of units: those from the reserve first, then those to remove."""
    for (_faction, unit, area), n in diff.items():
        if n > 0:
            yield _joining(unit, n, area)
    for (faction, unit, area), n in diff.items():
        if n < 0:
            words = _("Remove {units} from {area}").format(units=count_words(-n, unit, faction), area=area_name(area))
            yield Task(words, frozenset({area}))


def _rest(before: Position, after: Position) -> Iterator[Task]:
    """Yield a task for each side's cards to draw, and one if the round marker is to be flipped."""
    for faction in before.board.factions:
        drawn = hand_size(after.hand(faction)) - hand_size(before.hand(faction))
        if drawn > 0 and len(after.discard) <= len(before.discard):
            yield Task(_("{who} draws {cards}").format(who=faction_name(faction), cards=card_count(drawn)))
    if before.initiative != after.initiative:
        yield Task(_("Flip the round marker to {who}").format(who=faction_name(after.initiative_name)))


def _round(before: Position, after: Position, deployed: tuple[int, int]) -> Iterator[Task]:
    """Yield the tasks of a round that ends between the positions; none if it is the same round.

    deployed: the spaces whose commanders go home, as a bit set for each side.
    """
    if before.round == after.round:
        return
    for faction, side in zip(before.board.factions, deployed, strict=True):
        if held := frozenset(space.name for space in before.board.spaces if side >> space.index & 1):
            yield Task(_("{who}: recall all commanders").format(who=faction_name(faction)), held, faction)
        if after.standing_by(faction) > before.standing_by(faction):
            yield Task(_("{who}: put a commander on standby").format(who=faction_name(faction)), whose=faction)
    yield Task(_("Round marker to {n}").format(n=after.round))


def _round_back(before: Position, after: Position) -> Iterator[Task]:
    if before.round == after.round:
        return
    yield Task(_("Round marker back to {n}").format(n=before.round))
    held = [space.name for space in before.board.spaces if before.commanders_on(space.name)]
    text = _("Commanders back to {spaces}").format(spaces=join_words(_space(before, name) for name in held))
    yield Task(text, frozenset(held))


# ---- the list of it, which never waits -----------------------------------------------------------


class ToDo:
    """A list of tasks for the hands, and which of them are done.

    tell: returns the list's title and its tasks in the current language; called again when that changes.
    """

    def __init__(self, tell: Callable[[], tuple[str, Iterable[Task]]] = lambda: ("", ())) -> None:
        self._tell = tell
        self._told: tuple[object, str, tuple[Task, ...]] = None, "", ()
        self.done_tasks: set[int] = set()

    @property
    def title(self) -> str:
        """The heading of the list."""
        return self._in_words()[1]

    @property
    def tasks(self) -> tuple[Task, ...]:
        """All tasks, done or not, in order."""
        return self._in_words()[2]

    def _in_words(self) -> tuple[object, str, tuple[Task, ...]]:
        if self._told[0] is not language_in_use():
            title, tasks = self._tell()
            self._told = language_in_use(), title, tuple(tasks)
        return self._told

    @property
    def open(self) -> bool:
        """Whether something is left to do."""
        return len(self.done_tasks) < len(self.tasks)

    def finish(self) -> None:
        """Mark all tasks done."""
        self.done_tasks = set(range(len(self.tasks)))

    def tick(self, number: int) -> None:
        """Mark one task done, or not done if it already was."""
        self.done_tasks ^= {number} & set(range(len(self.tasks)))

    def heed(self, sense: SyncStatus) -> None:
        """Mark done what the camera sees done: all if the board agrees, else tasks whose places aren't amiss."""
        if sense.sign in AGREES:
            self.finish()
        elif sense.sign == "behind":
            amiss = {place for item in sense.items for place in (item.place, item.place.partition(":")[2])}
            seen = (n for n, task in enumerate(self.tasks) if task.places and not task.places & amiss)
            self.done_tasks |= set(seen)

    def line(self) -> str:
        """Return the heading and what is left to do, in one line."""
        left = " · ".join(task.text for n, task in enumerate(self.tasks) if n not in self.done_tasks)
        return f"{self.title} {left}"

    def block(self, head: Prompt | None = None) -> tuple[Block, ...]:
        """Return the list as a small card; empty once all is done. head: a prompt to put at its top."""
        if not self.open:
            return ()
        lines = tuple(CheckLine(task.text, n in self.done_tasks) for n, task in enumerate(self.tasks))
        return (Checklist(self.title, lines, head),)


class ToDoPanel:
    """The list of tasks, shown large, to tick off one by one."""

    def __init__(self, todo: ToDo) -> None:
        self.todo = todo

    def show(self) -> Face:
        """Show a button for each task, which ticks it."""
        lines = tuple(
            Button(task.text, Intent("tick", "", n), ticked=n in self.todo.done_tasks)
            for n, task in enumerate(self.todo.tasks)
        )
        blocks = (Text(self.todo.title, "title"), Buttons(lines, 1))
        return Face(blocks, (back_button(verb="cancel"), confirm_button(_("Done"), intent=Intent("did"))))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Tick a task, mark all done, or go back; the last tick closes the panel."""
        if intent.verb == "tick":
            self.todo.tick(intent.n)
        elif intent.verb == "did":
            self.todo.finish()
        return Close() if intent.verb in ("did", "cancel") or not self.todo.open else None
