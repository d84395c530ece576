"""Agreements in General Orders: what stands on the board, whose turn it is, and a note."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.dispute import SettleScene
from companion.scenes.story.presenter import RulesQuestion
from companion.scenes.story.tables import OrdersTable
from companion.text.orders import faction_name, sentence, space_title, standing, unit_count
from companion.ui.screen import Block, Button, Choice, Intent, Screen, Stepper, Steppers, Text, back_button
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Agreed, Deploy, Step

Force = dict[tuple[str, str], int]  # (faction, unit) -> number


class SettleMapScene(SettleScene):
    """Asks how the board stands, area by area, then asks both players to agree.

    After a refused deployment, it starts with the units and the commander where that would have put them.
    """

    def __init__(self, table: OrdersTable, question: RulesQuestion[Position, Step] | None, back: Scene) -> None:
        super().__init__(table, question, back)
        self.areas: dict[str, Force] = {}
        self.spaces: dict[str, tuple[str, ...]] = {}
        self.to_move = self.start.to_move_name
        self.open: str | None = None
        if question is not None and isinstance(question.step, Deploy) and question.position == self.start:
            self.note = ""
            self._do(question.step)

    def _do(self, step: Deploy) -> None:
        """Enter what hands would do for a deployment: move the units, place the commander, pass the turn."""
        mover = self.start.to_move_name
        for area, unit, n in step.moves:
            if area != RESERVE:
                self._add(area, (mover, unit), -n)
            self._add(self.start.board.space(step.space).area or "", (mover, unit), n)
        for area, unit, n in step.place:
            self._add(area, (mover, unit), n)
        self.spaces[step.space] = (*self.start.commanders_on(step.space), mover)
        self.to_move = next(faction for faction in self.start.board.factions if faction != mover)

    def force(self, area: str) -> Force:
        """Return the units in an area with the changes made here: {(faction, unit): number}."""
        return self.areas.get(area) or _force(self.start, area)

    def _add(self, area: str, kind: tuple[str, str], n: int) -> None:
        force = dict(self.force(area))
        force[kind] = max(0, force.get(kind, 0) + n)
        self.areas[area] = force

    def step(self) -> Agreed:
        """Return the agreed step with all changes made here."""
        areas = tuple(
            (area, tuple((who, unit, n) for (who, unit), n in force.items() if n))
            for area, force in self.areas.items()
            if {kind: n for kind, n in force.items() if n} != _force(self.start, area)
        )
        return Agreed(areas, tuple(self.spaces.items()), self.to_move, self.note)

    def is_worth(self, step: Agreed | None) -> bool:
        """Return whether the step is legal; any legal one is worth recording, as it says whose turn it is."""
        return step is not None and game.judge(self.start, step).legal

    # ---- what it shows ---------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the changes so far, or the area being changed, beside the board as it would stand."""
        step = self.step()
        after = game.apply(self.start, step) if game.judge(self.start, step).legal else self.start
        marks = Marks({area: "chosen" for area, _units in step.areas} | ({self.open: "target"} if self.open else {}))
        done = (back_button("primary", verb="close"),)
        return Screen(
            title=_("Settle it yourselves") if self.open is None else self.open,
            blocks=self._area(self.open) if self.open else self._changes_so_far(step),
            actions=self.actions(step) if self.open is None else done,
            page=self.page,
            map=map_picture(after, marks, None),
        )

    def _changes_so_far(self, step: Agreed) -> tuple[Block, ...]:
        lines = [f"{area}: {standing(_kinds(units))}" for area, units in step.areas]
        lines += [
            _("{space}: {who}'s commander").format(
                space=space_title(self.start.board.space(space)), who=", ".join(map(faction_name, holders))
            )
            for space, holders in step.spaces
        ]
        changes = [Text(sentence(line)) for line in lines] or [Text(_("Touch any area that should be different."))]
        movers = tuple(
            Button(faction_name(faction), Intent("mover", faction), "chosen" if faction == self.to_move else "plain")
            for faction in self.start.board.factions
        )
        # the box holds only so many pieces; nothing else can object
        objections = game.judge(self.start, step).objections[:1]
        wrong = (Text(sentence(objection.message), "bad") for objection in objections)
        return (*changes, *wrong, Choice(_("Whose turn is it now?"), movers), self.note_slip())

    def _area(self, area: str) -> tuple[Block, ...]:
        mode, force = self.start.board.mode, self.force(area)
        kinds = [kind for kind in mode.units if kind.place == self.start.board.area(area).kind]
        steppers = tuple(
            Stepper(f"{faction_name(who)}: {_noun(kind.name)}", force.get((who, kind.name), 0), kind.reserve, "units",
                    f"{who}/{kind.name}")
            for who in mode.factions
            for kind in kinds
        )  # fmt: skip
        return Text(_("What's here?"), "quiet"), Steppers(steppers)

    # ---- touches ---------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Open or close an area, change its units, set who moves; else edit the note, ask both to agree, or go back."""
        match intent.verb:
            case "area" if intent.what in self.start.board.area_index:
                self.open = None if intent.what == self.open else intent.what
                self.page = 0
            case "units" if self.open is not None:
                who, _slash, unit = intent.what.partition("/")
                self._add(self.open, (who, unit), intent.n)
            case "close":
                self.open = None
            case "mover":
                self.to_move = intent.what
            case _:
                return super().touch(intent)
        return None

    def terms(self, step: Agreed) -> str:
        """Return the step in words, and whose turn it is."""
        line = super().terms(step)
        if not (step.areas or step.spaces):  # then the line itself says whose turn it is
            return line
        turn = _("it's {who}'s turn").format(who=self.table.people.name(self.to_move))
        return f"{line} {sentence(turn)}"

    def effect(self) -> str:
        """Return a sentence on what else agreeing does."""
        return _("Logged as agreed; you can undo it. It ends the current turn.")

    def after_recording(self) -> Scene:
        """Return the scene before, as there may be more to settle."""
        return self.back


def _force(position: Position, area: str) -> Force:
    return {(who, unit): n for who, kinds in position.units_in(area).items() for unit, n in kinds.items()}


def _kinds(units: tuple[tuple[str, str, int], ...]) -> dict[str, dict[str, int]]:
    kinds: dict[str, dict[str, int]] = {}
    for who, unit, n in units:
        kinds.setdefault(who, {})[unit] = n
    return kinds


def _noun(unit: str) -> str:
    """Return a kind of unit in the plural, without a number."""
    return unit_count(unit, 2).removeprefix("2").strip()
