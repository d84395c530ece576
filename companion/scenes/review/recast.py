"""A game with a step put right: what follows from it, and both players' word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.core.language import _, plural
from companion.games.match import Match
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.reasons import sort_findings
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.ruling import question_of
from companion.scenes.story.game_log import visible
from companion.scenes.story.tables import OrdersTable
from companion.text.log import step_sentence
from companion.ui.screen import Block, Screen, Slip, Text
from engine.errors import Illegal
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Pass, Step
from engine.orders.turn import ready


@dataclass(frozen=True, slots=True)
class Recast:
    """A game with other steps from a point on.

    after: how many steps stay as they are; steps: what follows them, as far as the rules go along; dropped: how many
    of the recorded steps do not follow any more; taken_out: whether a step goes and none comes in its place; restored:
    whether the steps are what stood there before a correction; kept: of the steps, by their new numbers from 1, those
    that stay as they were recorded though today's rules judge otherwise.
    """

    after: int
    steps: tuple[Step, ...]
    position: Position
    dropped: int
    taken_out: bool = False
    restored: bool = False
    kept: tuple[int, ...] = ()


def recast(match: Match, number: int, replaced: Sequence[Step]) -> Recast:
    """Replace step `number` (from 1) by these legal steps, and replay what followed as far as it stays legal.

    Where cards are no longer asked about, nobody has to say that none was played. A turn stays its player's: once
    it is the other player's turn, the remaining steps cannot be kept.
    """
    position = game.fold(match.positions[number - 1], replaced)
    steps, rest, kept = list(replaced), match.steps[number:], list[int]()
    for n, step in enumerate(rest):
        play = game.play_recorded if number + n + 1 in match.kept_steps else game.play
        try:
            after = play(position, step)[0]
        except Illegal:
            if isinstance(step, Accept):
                continue
            return Recast(number - 1, tuple(steps), position, len(rest) - n, not replaced, kept=tuple(kept))
        if _mover(position, step) != _mover(match.positions[number + n], step):
            return Recast(number - 1, tuple(steps), position, len(rest) - n, not replaced, kept=tuple(kept))
        position = after
        steps.append(step)
        kept += [number - 1 + len(steps)] if number + n + 1 in match.kept_steps else []
    return Recast(number - 1, tuple(steps), position, 0, not replaced, kept=tuple(kept))


class ReviewScene(ConsentScene):
    """What the game becomes with the correction; both players say yes to it beside the board that it leads to."""

    def __init__(self, table: OrdersTable, found: Recast, back: Scene) -> None:
        asked = _("Correct the game?"), _("The log marks the change and keeps the original.")
        super().__init__(asked, table.people, self._record, back)
        self.table = table
        self.recast = found

    def _screen(self, factions: tuple[str, ...]) -> Screen:
        """Show what changes in sentences, how much of the rest still holds, and the resulting board."""
        asked = super()._screen(factions)
        shown = map_picture(self.recast.position, Marks(dict.fromkeys(self._changed_areas(), "chosen")), None)
        return replace(asked, blocks=(*self._change(), *self._rest(), *asked.blocks[1:]), map=shown, page=self.page)

    def _change(self) -> tuple[Block, ...]:
        match, found = self.table.match, self.recast
        before = match.positions[found.after]
        old = step_sentence(match.steps[found.after], before, self.table.people) or _("No card was played.")
        was = Text(_("Recorded: {step}").format(step=old))
        if found.taken_out:
            return was, Text(_("Now: this step is removed."), "strong")
        new = step_sentence(found.steps[0], before, self.table.people) or _("No card was played.")
        return was, Text(_("Now: {step}").format(step=new), "strong")

    def _rest(self) -> tuple[Block, ...]:
        """Return how many of the later steps still hold, and the ruling on the first that doesn't."""
        match, found = self.table.match, self.recast
        if found.restored:
            return (Text(_("The game goes back to before the correction."), "warn"),)
        later = [n for n in visible(self.table.game_log) if n > found.after + 1]
        dropped = [n for n in later if n > len(match.steps) - found.dropped]
        if not later:
            return ()
        if not dropped:
            form = plural("The {n} later step still works.", "All {n} later steps still work.", len(later))
            return (Text(form, "good"),)
        first = dropped[-1] - 1
        step = step_sentence(match.steps[first], match.positions[first], self.table.people)
        kept = len(later) - len(dropped)
        holds = plural("{n} later step still works. ", "{n} later steps still work. ", kept) if kept else ""
        stops = _("This later move is then impossible: {step}").format(step=step)
        goes = plural(
            "It will be removed; enter it again.",
            "It and everything after it ({n} steps) will be removed; enter them again.",
            len(dropped),
        )
        return Text(f"{holds}{stops}", "warn"), self._why(first), Text(goes)

    def _why(self, first: int) -> Block:
        """Return why the first of the dropped steps is no longer possible."""
        match, position = self.table.match, self.recast.position
        step = match.steps[first]
        mover = _mover(position, step)
        if mover != _mover(match.positions[first], step) and ready(position, step).turn is None:
            return Text(_("Then it would be {who}'s turn.").format(who=self.table.people.name(mover)), "strong")
        asked = question_of(self.table, position, step)
        reason = sort_findings(asked.ruling)[0]
        return Slip(self.table.presenter.criterion(reason, asked), "", str(reason.citation), mark="no")

    def _changed_areas(self) -> list[str]:
        """Return the areas where the board differs now; none if it is a different game altogether."""
        now, then = self.table.match.position, self.recast.position
        names = [area.name for area in now.board.areas if now.units_in(area.name) != then.units_in(area.name)]
        return names if len(names) <= MOST_MARKED else []

    def _record(self) -> Scene:
        self.table.match.recast(self.recast.after, self.recast.steps, self.recast.kept)
        self.table.refresh()
        return self.table


MOST_MARKED = 8  # areas on the map


def _mover(position: Position, step: Step) -> str:
    """Return whose turn a step is; "" for a step that only tells something about a turn."""
    return ready(position, step).to_move_name if isinstance(step, Deploy | Pass) else ""
