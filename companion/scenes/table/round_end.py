"""A round's end: what each side has gained, who begins the next round, and what hands do first, with ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.panels import undo_button
from companion.scenes.base.stage import Scene
from companion.scenes.orders.proposal import ChoicePanel, ProposalPanel, QuestionPanel, ThrowPanel
from companion.scenes.table.map_table import MapTable
from companion.text.people import People
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Intent,
    MapPicture,
    Prompt,
    Screen,
    Tally,
    TallySide,
    Text,
    confirm_button,
)
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Deploy

SEEN = (ProposalPanel, ThrowPanel, ChoicePanel, QuestionPanel)
"""The panels with which the camera offers a turn or asks about one."""


class RoundEndScene:
    """The end of a round, shown until a touch or a move on the board begins the next; ticks are optional."""

    shared = True

    def __init__(self, table: MapTable) -> None:
        self.table = table
        self.page = 0

    # ---- what it shows ------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the points and how they changed, who begins, and the list of things to tidy up."""
        return self._screen("")

    def show_to(self, seat: str) -> Screen:
        """Show the same, without the things only the other player has to tidy up."""
        return self._screen(seat)

    def _screen(self, seat: str) -> Screen:
        self.table.look()
        position = self.table.match.position
        round_ = position.round
        tally, lead = self._points()
        start = confirm_button(_("Start round {n}").format(n=round_), intent=Intent("on"))
        begins = _("{who} begins round {n}").format(who=self.table.people.name(position.to_move_name), n=round_)
        return Screen(
            title=_("End of round {n}").format(n=round_ - 1),
            blocks=(tally, Prompt(position.to_move_name, begins, lead), *self._list(seat)),
            actions=self.table.with_redo((undo_button(), start)),
            page=self.page,
            map=self._map(position),
            banner=self.table.banner,
        )

    def _points(self) -> tuple[Block, str]:
        """Return the tally of points with their change in the round, and a sentence on the lead, now and before."""
        now, people = self.table.match.position, self.table.people
        then, points = score(round_start(self.table.match.positions, now.round - 1)).vp, score(now).vp
        sides = (
            TallySide(
                faction, people.name(faction), points[faction], False, change_words(points[faction] - then[faction])
            )
            for faction in people.factions
        )
        first, second = people.factions
        lead = lead_words(points[first] - points[second], then[first] - then[second], people)
        return Tally(tuple(sides), low=True), lead

    def _list(self, seat: str) -> tuple[Block, ...]:
        """Return the tasks on the board as tick buttons, those of one side first; seat: whose half, "" for all."""
        todo = self.table.hands.todo
        mine = [(n, task) for n, task in enumerate(todo.tasks) if not seat or task.whose in ("", seat)]
        ticks = tuple(
            Button(task.text, Intent("tick", "", n), ticked=n in todo.done_tasks)
            for n, task in sorted(mine, key=lambda numbered: not numbered[1].whose)
        )
        return (Buttons(ticks, 2),) if todo.open else (Text(_("The board is ready."), "good"),)

    def _map(self, position: Position) -> MapPicture:
        """Return the map of the new round, with the commanders that hands have yet to take home."""
        match, todo = self.table.match, self.table.hands.todo
        places = frozenset().union(*(task.places for n, task in enumerate(todo.tasks) if n not in todo.done_tasks))
        number = max(n for n, earlier in enumerate(match.positions) if earlier.round < position.round)
        before, step = match.positions[number], match.steps[number]
        last = {step.space: before.to_move_name} if isinstance(step, Deploy) else {}
        picture = map_picture(position, Marks(), None)
        spaces = tuple(
            replace(
                space, held_by=(*before.commanders_on(space.name), *((last[space.name],) if space.name in last else ()))
            )
            if space.name in places
            else space
            for space in picture.spaces
        )
        return replace(picture, spaces=spaces)

    def tick(self, _now_s: float) -> Scene | None:
        """Return the table once the camera offers or asks about a turn of the new round, else None."""
        self.table.look()
        return self._begin() if isinstance(self.table.panel, SEEN) else None

    # ---- touches ------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Tick a task, turn the page, undo, or begin the next round.

        Any other touch begins it too, and is then passed to the table.
        """
        match intent.verb:
            case "tick":
                self.table.hands.todo.tick(intent.n)
            case "page":
                self.page += intent.n
            case "on":
                return self._begin()
            case "undo":
                return self.table.touch(Intent("undo")) or self.table
            case _:  # whatever the table answers begins the next round
                return self._begin().touch(intent) or self.table
        return None

    def _begin(self) -> Scene:
        self.table.hands.todo.finish()
        self.table.refresh()
        return self.table


def round_start(positions: Sequence[Position], round_: int) -> Position:
    """Return the position at the start of a round."""
    return next(position for position in positions if position.round == round_)


def lead_words(now: int, then: int, people: People) -> str:
    """Return who leads by how much, and the lead before: "Ana leads by 1, was 3".

    now, then: the first side's points minus the second's.
    """
    first, second = map(people.name, people.factions)
    who, other = (first, second) if now > 0 else (second, first)
    if now == 0:
        if then == 0:
            return _("Still tied.")
        return _("Now tied; {who} led by {n}.").format(who=first if then > 0 else second, n=abs(then))
    if then == 0:
        form = _("{who} leads by {n}, was tied.")
    elif (then > 0) != (now > 0):
        form = _("{who} leads by {n}; {other} led by {before}.")
    else:
        form = _("{who} still leads by {n}.") if now == then else _("{who} leads by {n}, was {before}.")
    return form.format(who=who, other=other, n=abs(now), before=abs(then))


def change_words(change: int) -> str:
    """Return a change of points with its sign: "+2", "−1", "±0"."""
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "±0"
