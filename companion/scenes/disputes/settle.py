"""Settled between the players, whatever the rules say: what stands on the board, whose turn it is, and a note."""

from __future__ import annotations

from companion.core.language import _
from companion.games.match import Match
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.stage import Scene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.disputes.reasons import RulesQuestion
from companion.text.log import step_sentence
from companion.text.orders import faction_name, sentence, space_title, standing, unit_count
from companion.text.people import People
from companion.ui.screen import Block, Button, Choice, Intent, Screen, Slip, Stepper, Steppers, Text
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Agreed, Deploy, Step

MOST_NOTE = 80
Force = dict[tuple[str, str], int]  # (faction, unit) -> number


class SettleScene:
    """The board as the players agree that it stands: touch an area to change it; then both confirm.

    Begun from an objection, it holds what the step would have done, as far as hands alone do it.
    """

    def __init__(self, match: Match, plea: RulesQuestion | None, back: Scene) -> None:
        self.match = match
        self.back = back
        self.start = match.position
        self.areas: dict[str, Force] = {}
        self.spaces: dict[str, tuple[str, ...]] = {}
        self.note = ""
        self.to_move = self.start.to_move_name
        self.open: str | None = None
        self.page = 0
        if plea is not None and isinstance(plea.step, Deploy) and plea.position == self.start:
            self._do(plea.step)
        elif plea is not None:
            self.note = plea.question[:MOST_NOTE]

    def _do(self, step: Deploy) -> None:
        """What hands would do for a deployment: the units, the commander, and the next turn."""
        mover = self.start.to_move_name
        for area, unit, n in step.moves:
            if area != RESERVE:
                self._add(area, (mover, unit), -n)
            self._add(self.start.board.space(step.space).area or "", (mover, unit), n)
        for area, unit, n in step.place:
            self._add(area, (mover, unit), n)
        self.spaces[step.space] = (*self.start.commanders_on(step.space), mover)
        self.to_move = next(one for one in self.start.board.factions if one != mover)

    def force(self, area: str) -> Force:
        """What stands in an area, with what is changed."""
        here = self.start.units_in(area)
        return self.areas.get(area) or {(who, unit): n for who, kinds in here.items() for unit, n in kinds.items()}

    def _add(self, area: str, kind: tuple[str, str], n: int) -> None:
        force = dict(self.force(area))
        force[kind] = max(0, force.get(kind, 0) + n)
        self.areas[area] = force

    def step(self) -> Agreed:
        """What goes into the record."""
        areas = tuple(
            (area, tuple((who, unit, n) for (who, unit), n in force.items() if n))
            for area, force in self.areas.items()
            if {kind: n for kind, n in force.items() if n} != _force(self.start, area)
        )
        return Agreed(areas, tuple(self.spaces.items()), self.to_move, self.note)

    # ---- what it shows ---------------------------------------------------------------------------

    def show(self) -> Screen:
        """The changes so far, or the area that is changed, beside the board as it would stand."""
        step = self.step()
        after = game.apply(self.start, step) if game.judge(self.start, step).legal else self.start
        marks = Marks({area: "chosen" for area, _units in step.areas} | ({self.open: "target"} if self.open else {}))
        return Screen(
            title=_("Settle it between you") if self.open is None else self.open,
            blocks=self._area(self.open) if self.open else self._summary(step),
            actions=self._actions(step),
            page=self.page,
            map=map_picture(after, marks, None),
        )

    def _summary(self, step: Agreed) -> tuple[Block, ...]:
        lines = [f"{area}: {standing(_kinds(units))}" for area, units in step.areas]
        lines += [
            _("“{space}”: commander of {who}").format(
                space=space_title(self.start.board.space(space)), who=", ".join(map(faction_name, holders))
            )
            for space, holders in step.spaces
        ]
        changes = [Text(sentence(line)) for line in lines] or [Text(_("Touch an area that should stand otherwise."))]
        movers = tuple(
            Button(faction_name(one), Intent("mover", one), "chosen" if one == self.to_move else "plain")
            for one in self.start.board.factions
        )
        note = Slip(self.note or _("Add a note"), "", "", Intent("note"))
        return (*changes, *self._objection(step), Choice(_("Whose turn is it then?"), movers), note)

    def _objection(self, step: Agreed) -> tuple[Block, ...]:
        """Only the box can object: it holds no more pieces than it has."""
        objections = game.judge(self.start, step).objections
        return (Text(sentence(objections[0].message), "bad"),) if objections else ()

    def _area(self, area: str) -> tuple[Block, ...]:
        mode, force = self.start.board.mode, self.force(area)
        kinds = [kind for kind in mode.units if kind.place == self.start.board.area(area).kind]
        steppers = tuple(
            Stepper(f"{faction_name(who)}: {_noun(kind.name)}", force.get((who, kind.name), 0), kind.reserve, "units",
                    f"{who}/{kind.name}")
            for who in mode.factions
            for kind in kinds
        )  # fmt: skip
        return Text(_("What stands here?"), "quiet"), Steppers(steppers)

    def _actions(self, step: Agreed) -> tuple[Button, ...]:
        if self.open is not None:
            return (Button(_("Done"), Intent("close"), "primary"),)
        legal = game.judge(self.start, step).legal
        return (
            Button(_("Back"), Intent("back"), "quiet"),
            Button(_("We both agree"), Intent("agree"), "primary" if legal else "off"),
        )

    # ---- touches ---------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """An area, its units, the next turn, a note; then both players."""
        if intent.verb == "area" and intent.what in self.start.board.area_index:
            self.open = None if intent.what == self.open else intent.what
            self.page = 0
        elif intent.verb == "units" and self.open is not None:
            who, _slash, unit = intent.what.partition("/")
            self._add(self.open, (who, unit), intent.n)
        elif intent.verb == "close":
            self.open = None
        elif intent.verb == "mover":
            self.to_move = intent.what
        elif intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "note":
            ask = Ask(_("What did you agree on?"), self.note, _("a few words"), MOST_NOTE, empty=True)
            return TypingScene(ask, self._noted, self)
        elif intent.verb == "agree":
            return self._agree()
        return self.back if intent.verb == "back" else None

    def _noted(self, note: str) -> Scene:
        self.note = note
        return self

    def _agree(self) -> Scene | None:
        step = self.step()
        if not game.judge(self.start, step).legal:
            return None
        effect = _("It goes into the log as agreed by you both, and can be undone. A turn in progress ends with it.")
        people = People(self.match.board.factions, self.match.players)
        asked = _("Is this what you agreed?"), self._terms(step), effect
        return ConsentScene(asked, people, lambda: self._record(step), self)

    def _terms(self, step: Agreed) -> str:
        """All that goes into the log."""
        people = People(self.match.board.factions, self.match.players)
        line = step_sentence(step, self.start, people)
        if not (step.areas or step.spaces):  # then the line itself says whose turn it is
            return line
        return line + " " + _("{who} is to move").format(who=people.name(self.to_move)) + "."

    def _record(self, step: Step) -> Scene | None:
        """Write it down, unless the game went on meanwhile."""
        if self.match.position is not self.start:
            return SettleScene(self.match, None, self.back)
        self.match.offer(step)
        return self.back


def _force(position: Position, area: str) -> Force:
    return {(who, unit): n for who, kinds in position.units_in(area).items() for unit, n in kinds.items()}


def _kinds(units: tuple[tuple[str, str, int], ...]) -> dict[str, dict[str, int]]:
    kinds: dict[str, dict[str, int]] = {}
    for who, unit, n in units:
        kinds.setdefault(who, {})[unit] = n
    return kinds


def _noun(unit: str) -> str:
    """A kind of unit in the plural, without a number."""
    return unit_count(unit, 2).removeprefix("2").strip()
