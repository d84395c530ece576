"""The app's own turn: it thinks, announces its step and what hands have to do for it, and has its dice rolled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product

from companion.core.language import _, language_in_use, plural
from companion.games.chance import Chance
from companion.games.opponent import NAME, Opponent
from companion.perception.adapters import compare
from companion.perception.mistaken_commanders import NOTHING, THERE
from companion.perception.sync.status import Item, SyncStatus, items_of
from companion.perception.sync.turn_progress import clashes
from companion.scenes.base.map_picture import Marks, turn_traces
from companion.scenes.base.panels import Face, Offer, Reply, undo_button
from companion.scenes.orders.answers import RollPanel
from companion.scenes.orders.hand_tasks import ToDo, announced_tasks, differences
from companion.scenes.orders.notices import notice
from companion.text.advice import reason_words, turn_advice, worth_telling
from companion.text.orders import area_name, log_line, problem, sentence
from companion.thinking.player import TurnWanted, choice, choices
from companion.thinking.thought import Thinking
from companion.ui.screen import Block, Button, Check, Checks, Intent, Prompt, Text, confirm_button
from engine.orders import game
from engine.orders.game import Owed
from engine.orders.player import Choice, Reason
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Roll, Step
from engine.orders.turn import ready
from engine.words import count_words
from vision.reading.read import Reading

AT_REST = ("sync", "unsure", "playing", "dice", "proposal", "behind", "out")
"""The camera's signs of a table that is not being touched."""
LONGEST_S = {"usual": 60.0, "long": 240.0}
"""The longest time to think, by pace; every known machine is done much sooner, else the best turn so far counts."""
TIMES = {"usual": 1, "long": 16}
"""How much work the app does at each pace, as a multiple of its level's."""
HUNG_S = 30.0
"""A search still running this long after its time is taken to hang."""


class ThinkingPanel:
    """The panel shown while the app thinks about its turn."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def show(self) -> Face:
        """Show that the app is thinking, with buttons to undo the last step and to have it play at once."""
        title = Prompt(self.position.to_move_name, _("{who} is thinking.").format(who=NAME))
        return Face((title,), (undo_button(), Button(_("Play now"), Intent("play-now"))))

    def touch(self, _intent: Intent) -> Reply[Step]:
        """Ignore every touch: the table handles those that concern the app."""
        return None


class AnnouncedPanel:
    """Announces the app's next step: a sentence, the map, and a list of what hands have to do; a touch confirms it.

    before: the game's own position; reasons: why, the weightiest first; may_play: the person may play a card first.
    """

    def __init__(self, before: Position, step: Step, seat: str, reasons: tuple[Reason, ...] = ()) -> None:
        self.before = before
        self.step = step
        self.seat = seat
        self.after = game.apply(before, step)
        self.todo = ToDo(
            lambda: (_("Please do this for {who}:").format(who=NAME), announced_tasks(before, self.after, step))
        )
        self.may_play = False
        self._reasons = reasons
        self._amiss: tuple[Block, ...] = ()
        self._heeded: tuple[Reading, tuple[object, ...]] | None = None  # what was seen last, and how it is told

    def show(self) -> Face:
        """Show the app's step and why, what hands have to do, what is amiss on the board, and the "Done" button."""
        why = next((sentence(reason_words(reason)) for reason in worth_telling(self._reasons)), "")
        head = Prompt(self.seat, self.deed(), why)
        card = (Button(_("Play a card"), Intent("window"), "quiet", "plan"),) if self.may_play else ()
        return Face(
            (head, *self._list(), *self._amiss), (undo_button(), *card, confirm_button(_("Done"))), self._marks()
        )

    def _list(self) -> tuple[Block, ...]:
        """Return the list of what hands have to do, with ticks by what is done."""
        lines: list[Block] = [
            Checks((Check(task.text),)) if n in self.todo.done_tasks else Text(task.text, "strong")
            for n, task in enumerate(self.todo.tasks)
        ]
        return (Text(self.todo.title, "quiet"), *lines) if lines else ()

    def deed(self) -> str:
        """Return the app's step in words, without a full stop."""
        if isinstance(self.step, Deploy | Pass):
            return turn_advice(self.step, ready(self.before, self.step))
        return log_line(self.step, self.before) or _("{who} plays no card").format(who=NAME)

    def _marks(self) -> Marks:
        """Return the map's marks: the commander's space, arrows for moves and shots, other units that come or go."""
        if not isinstance(self.step, Deploy):
            return Marks()
        here = ready(self.before, self.step)
        arrows = tuple(arrow for arrow in turn_traces((here, self.after), (self.step,)) if arrow.start)
        ends = {area for arrow in arrows for area in (arrow.start, arrow.end)}
        came = {
            (area, unit): n
            for (who, unit, area), n in differences(here, self.after).items()
            if n and who == self.seat and area not in ends
        }
        return Marks(changes=came, space=self.step.space, traces=arrows)

    def heed(self, sense: SyncStatus, reading: Reading | None, *, ticks: bool = True) -> None:
        """Update the panel from a reading: list what is amiss on the board and, if `ticks`, tick off what is done."""
        if reading is None or sense.sign not in AT_REST:
            return
        how = sense.disputed, ticks, language_in_use()
        if self._heeded is not None and self._heeded[0] is reading and self._heeded[1] == how:
            return
        self._heeded = reading, how
        disputed = notice(SyncStatus(disputed=sense.disputed), self.before.board)
        self._amiss = (*disputed, *self._laid_otherwise(reading))
        agree = {difference.area for difference in compare(self.after, reading) if difference.state == "agrees"}
        if ticks:
            self.todo.done_tasks |= {
                n for n, task in enumerate(self.todo.tasks) if task.places and task.places <= agree
            }

    def _laid_otherwise(self, reading: Reading) -> Iterator[Text]:
        """Yield lines on what is missing or misplaced, once units have moved, and on a fight to roll dice for."""
        yield from (Text(line, "bad") for line in laid_otherwise(ready(self.before, self.step), self.after, reading))
        owed = game.owed(self.after)
        if owed is not None and owed.area in clashes(ready(self.before, self.step), reading):
            told = _("Both sides seem to be in {area}. Touch “Done”, then roll the dice.")
            yield Text(told.format(area=area_name(owed.area or "")), "strong")

    def touch(self, intent: Intent) -> Reply[Step]:
        """Reply with the step once a touch confirms that it is done."""
        return Offer(self.step) if intent.verb == "confirm" else None


class AppRollPanel(RollPanel):
    """Takes a roll of the app's side: dice rolled for it at the table, or at random by the app."""

    def __init__(self, position: Position, owed: Owed, chance: Chance) -> None:
        super().__init__(position, owed)
        self._chance = chance

    def touch(self, intent: Intent) -> Reply[Step]:
        """Roll the dice at random if that button is touched; else handle the touch as any roll's panel does."""
        if intent.verb != "app-roll":
            return super().touch(intent)
        die = [str(face) for face in self.board.mode.die]
        return Offer(Roll(tuple(int(self._chance.one(die)) for _die in range(self.owed.dice)), self.owed.by))

    def ways_on(self) -> tuple[Button, ...]:
        """Return the buttons: undo; before the first die, the wrong number, a card and the app's roll; then confirm."""
        undo, *others, last = super().ways_on()
        if self.faces:
            return undo, last
        roll = Button(_("Roll for {who}").format(who=NAME), Intent("app-roll"), "primary")
        return (undo, *others, *((last,) if last.intent.verb == "window" else ()), roll)


def laid_otherwise(before: Position, after: Position, reading: Reading) -> tuple[str, ...]:
    """Return sentences on pieces that are missing, misplaced or too many; none until hands have begun to move units.

    before, after: the positions that the board showed and has to show. Units that dice may have removed since do
    not count as missing.
    """
    begun = any(difference.state == "differs" and ":" not in difference.area for difference in compare(before, reading))
    if not begun:
        return ()
    owed = game.owed(after)
    rolled_for = owed.area if owed is not None else None
    items = [
        item
        for item in items_of(compare(after, reading))
        if not (item.more < 0 and item.place == rolled_for) and (item.unit != "commander" or _is_sure(item, reading))
    ]
    return tuple(_sentences(items, after, before.to_move_name))


def _is_sure(commander: Item, reading: Reading) -> bool:
    chance = reading.leaders.get(commander.place, {}).get(commander.faction, 0.0)
    return chance < NOTHING if commander.more < 0 else chance > THERE


def _sentences(items: list[Item], after: Position, mover: str) -> Iterator[str]:
    """Yield sentences on misplaced pieces with the place where they belong, then on what else is wrong."""
    left = {(item.place, item.faction, item.unit): item.more for item in items if item.unit != "commander"}
    pairs = [(here, there) for here, there in product(left, left) if here[1:] == there[1:]]
    for here, there in sorted(pairs, key=lambda pair: abs(left[pair[0]] + left[pair[1]])):  # as many before others
        n = min(left[here], -left[there])
        if n > 0:
            left[here] -= n
            left[there] += n
            (place, faction, unit), other = here, there[0]
            told = plural(
                "{units} in {place} belongs in {other}",
                "{units} in {place} belong in {other}",
                n,
                units=_units(faction, unit, n, mover),
                place=area_name(place),
                other=area_name(other),
            )
            yield sentence(told)
    for (place, faction, unit), more in left.items():
        if more < 0:
            units, at = _units(faction, unit, -more, mover), area_name(place)
            told = plural("{place} still needs {units}", "{place} still needs {units}", -more, place=at, units=units)
            yield sentence(told)
        elif more > 0:
            yield sentence(problem(Item(place, faction, unit, more), after.board))
    yield from (sentence(problem(item, after.board)) for item in items if item.unit == "commander")


def _units(faction: str, unit: str, n: int, mover: str) -> str:
    """Return a number of units in words, with their side unless it is the mover's."""
    return count_words(n, unit, "" if faction == mover else faction)


# ---- how it thinks: a choice is ready at any moment, and a thought that hangs is ended -----------


def turn_wanted(opponent: Opponent, view: Position, steps: int) -> TurnWanted:
    """Return the app's search as it is to be run: position, level, time and seed. steps: how many were played."""
    return TurnWanted(
        view,
        opponent.side,
        opponent.level,
        opponent.seed_at(steps),
        LONGEST_S[opponent.pace],
        TIMES[opponent.pace],
        opponent.commander,
    )


class TurnThought:
    """The search for one turn of the app. chosen: the turn it settled on, None while it thinks."""

    def __init__(self, thinking: Thinking, wanted: TurnWanted) -> None:
        self.chosen: Choice | None = None
        self._wanted = wanted
        self._thought = thinking.begin(partial(choices, wanted))
        self._so_far: Choice | None = None
        self._hurried = False
        self._since_s: float | None = None

    def choice(self) -> Choice | None:
        """Take in the search's news, and return the turn it settled on; None while it is thinking."""
        if self.chosen is None:
            *_before, self._so_far = (self._so_far, *self._thought.news())
            if self._thought.state != "thinking" or (self._hurried and self._so_far is not None):
                self._end()
        return self.chosen

    def hurry(self) -> None:
        """Have the next `choice` settle on the best turn so far, as soon as there is one."""
        self._hurried = True

    def end_if_hung(self, now_s: float) -> bool:
        """Settle on the best turn so far if thinking takes far too long; return whether it did."""
        if self._since_s is None:
            self._since_s = now_s
        if now_s - self._since_s < self._wanted.seconds + HUNG_S:
            return False
        self._end()
        return True

    def stop(self) -> None:
        """Stop the search without settling on a turn."""
        self._thought.stop()

    def _end(self) -> None:
        """Stop the search and settle on its best turn; on the best at a glance if it found none."""
        self._thought.stop()
        self.chosen = self._so_far or next(choice(replace(self._wanted, seconds=0.0)))
