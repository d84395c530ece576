"""The board is laid: what goes where, ticked off by touch or by the camera. The game lies on the disk already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.adapters import Difference
from companion.language import _
from companion.match import Match
from companion.scenes.picture import Marks, bonuses, map_picture
from companion.scenes.screen import Block, Button, Buttons, Intent, Prompt, Screen, Text
from companion.scenes.stage import Scene, Stage
from companion.scenes.table import TableScene
from companion.scenes.words import bonus_title, faction_name, listed, problem, sentence, slot_name, unit_count
from companion.shelf import discard
from companion.understanding import items_of
from engine.orders.cards import deck_size
from engine.orders.position import Position

if TYPE_CHECKING:
    from companion.scenes.setup_chance import ChanceScene

PROBLEMS_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing to lay: what it is called, what it says, the area it goes to ("" for beside the board)."""

    name: str
    text: str
    area: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Things that are laid together: a side's units, the tokens, what lies beside the board."""

    title: str
    things: tuple[Thing, ...]
    faction: str = ""


def groups(position: Position) -> tuple[Group, ...]:
    """All that has to be laid for this start, in the order in which people do it."""
    sides = tuple(_units(position, faction) for faction in position.board.factions)
    return (*sides, _tokens(position), _beside(position))


def _units(position: Position, faction: str) -> Group:
    things = []
    for area in position.board.areas:
        units = position.units_in(area.name).get(faction, {})
        if units:
            text = listed(unit_count(unit, n) for unit, n in units.items())
            things.append(Thing(area.name, text, area.name))
    return Group(_("{who}: units on the board").format(who=faction_name(faction)), tuple(things), faction)


def _tokens(position: Position) -> Group:
    lie = bonuses(position)
    things = tuple(
        Thing(f"{slot_name(area.slot)} · {area.name}", bonus_title(position.board, lie[area.slot]), area.name)
        for area in position.board.areas
        if area.slot and lie.get(area.slot)
    )
    return Group(_("Bonus tokens, face up"), things)


def _beside(position: Position) -> Group:
    """Commanders and reserve, the cards, the marker."""
    mode = position.board.mode
    commanders = Thing(_("Commanders"), _("{n} for each player").format(n=mode.commanders))
    reserve = Thing(_("All other units"), _("beside the board, as reserve"))
    cards = Thing(_("Cards"), _("shuffle {n}, face down").format(n=deck_size(position)))
    side = faction_name(position.initiative_name)
    marker = Thing(_("Round marker"), _("on 1, {who} side up").format(who=side))
    return Group(_("Beside the board"), (commanders, reserve, cards, marker))


class LayoutScene:
    """One group after the other. A thing is ticked by a touch on it or on its area, or when the camera sees it."""

    def __init__(self, stage: Stage, match: Match, before: ChanceScene) -> None:
        self.stage = stage
        self.match = match
        self.before = before
        self.table = TableScene(stage, match, before.before.home)
        self.groups = groups(match.position)
        self.number = 0
        self.ticked: set[str] = set()
        self.banner = ""

    # ---- what is there -----------------------------------------------------------------------------

    def _watched(self) -> bool:
        """Whether the camera ticks too."""
        return self.stage.settings.tick_by_camera and self.stage.sense.differences is not None

    def _follow(self) -> None:
        """Tick the areas that the camera sees as they have to be; on where a side is whole."""
        if not self._watched():
            return
        for one in self.stage.sense.differences or ():
            if one.expected and one.state == "agrees":
                self.ticked.add(one.area)
        while self._group().faction and all(thing.name in self.ticked for thing in self._group().things):
            self.number += 1

    def _group(self) -> Group:
        return self.groups[self.number]

    def _differences(self) -> list[Difference]:
        """Where the camera sees something else than this group needs, but for what a person has ticked."""
        group = self._group()
        if not self._watched() or not group.faction:
            return []
        here = {one.area for one in group.things} - self.ticked
        differences = self.stage.sense.differences or ()
        stray = [one for one in differences if group.faction in one.seen and group.faction not in one.expected]
        return [one for one in differences if one.state == "differs" and (one.area in here or one in stray)]

    def _astray(self) -> list[Difference]:
        """What the map flags: pieces that lie where they do not belong, not those that are still to come."""
        return [one for one in self._differences() if one.seen]

    def _wrong(self) -> list[str]:
        """What is missing or too much there, in words."""
        items = items_of(self._differences())
        return [sentence(problem(item, self.match.board)) for item in items[:PROBLEMS_SHOWN]]

    # ---- show --------------------------------------------------------------------------------------

    def show(self) -> Screen:
        """The group in hand, marked on the map."""
        self._follow()
        group = self._group()
        last = self.number == len(self.groups) - 1
        step = _("Lay the board · {n} of {all}").format(n=self.number + 1, all=len(self.groups))
        following = Button(_("All there: play") if last else _("All there"), Intent("all"), "primary")
        actions = [Button(_("Back"), Intent("back"), "quiet"), following]
        if not last:
            actions.insert(1, Button(_("Skip to the game"), Intent("play"), "quiet"))
        return Screen(
            blocks=(Text(step, "quiet"), *self._heading(group), Buttons(self._things(group), 2), *self._hints(group)),
            actions=tuple(actions),
            banner=self.banner,
            map=map_picture(self.match.position, Marks(self._marks(group)), self._astray()),
        )

    def _heading(self, group: Group) -> tuple[Block, ...]:
        return (Prompt(group.faction, group.title),) if group.faction else (Text(group.title, "title"),)

    def _things(self, group: Group) -> tuple[Button, ...]:
        return tuple(
            Button(
                one.name,
                Intent("tick", one.name),
                "chosen" if one.name in self.ticked else "plain",
                sign="tick" if one.name in self.ticked else "",
                note=one.text,
            )
            for one in group.things
        )

    def _hints(self, group: Group) -> tuple[Block, ...]:
        wrong = self._wrong()
        if wrong:
            return tuple(Text(text, "warn") for text in wrong)
        if group.faction and self._watched():
            return (Text(_("The camera ticks what it sees."), "quiet"),)
        return (Text(_("Touch what is laid, or go on when all is there."), "quiet"),) if not self.ticked else ()

    def _marks(self, group: Group) -> Mapping[str, str]:
        return {one.area: "chosen" if one.name in self.ticked else "live" for one in group.things if one.area}

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Tick, go on, or go back: a game in which nothing has happened leaves no trace then."""
        self.banner = ""
        if intent.verb in ("tick", "area"):
            self._tick(intent)
        elif intent.verb == "play" or (intent.verb == "all" and self.number == len(self.groups) - 1):
            return self._play()
        elif intent.verb == "all":
            self.ticked |= {one.name for one in self._group().things}
            self.number += 1
        elif intent.verb == "back":
            return self._back()
        return None

    def _tick(self, intent: Intent) -> None:
        touched = {one.name for one in self._group().things if intent.what in (one.name, one.area)}
        self.ticked ^= touched

    def _back(self) -> Scene | None:
        if self.number:
            self.number -= 1
            return None
        self.match.close()
        discard(self.match.path)
        return self.before

    def _play(self) -> Scene:
        self.table.banner = ""
        self.table.refresh()
        return self.table
