"""The set-up's pages beside the map: the round marker and the bonus tokens, then laying out the board.

People touch what they flipped and drew at the table, or the app does it for them. The game is saved before the
pieces are laid out, which touches or the camera tick off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.core.errors import MatchError
from companion.core.language import _
from companion.games.match import Match
from companion.games.saved.shelf import discard
from companion.perception.adapters import Difference
from companion.perception.sync.status import items_of
from companion.scenes.base.map_picture import Marks, bonuses, map_picture, start_picture
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.setup.state import BY_APP, SetUp, SetupPage
from companion.scenes.table.solo_table import orders_table
from companion.text.faults import fault_words
from companion.text.orders import (
    area_label,
    bonus_title,
    faction_name,
    join_words,
    problem,
    sentence,
    slot_name,
    slot_place,
    unit_count,
)
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Intent,
    Look,
    MapPicture,
    Prompt,
    Screen,
    Text,
    Tone,
    back_button,
)
from engine.errors import EngineError
from engine.orders.board import Board
from engine.orders.cards import deck_size
from engine.orders.position import Position


class ChanceScene:
    """Asks who begins and which token lies on which slot: a touched token goes to the slot marked on the map."""

    table = None  # no game is on the table yet, or none any more

    def __init__(self, setup: SetUp, before: SetupPage) -> None:
        self.setup = setup
        self.before = before
        self.home = before.home
        self.slot = setup.board.slots[0]
        self.banner = ""

    def show(self) -> Screen:
        """Show the questions of who begins and of the marked slot's token, and what is still to choose."""
        ready = not self._missing()
        areas = {area.slot: area.name for area in self.setup.board.areas if area.slot}
        marks = {area: "chosen" if slot == self.slot else "live" for slot, area in areas.items()}
        return Screen(
            blocks=(
                Text(_("Flip the round marker: who goes first?"), "strong"),
                Buttons(self._initiative(), 3),
                Text(slot_place(self.slot, areas[self.slot]), "strong"),
                Buttons(self._tokens(), 3),
                *self._left_out(),
                Text(*self._state()),
            ),
            actions=(back_button(), Button(_("Next"), Intent("next"), "primary" if ready else "off")),
            banner=self.banner or self.setup.camera_note,
            banner_tone="warn" if self.banner else "good",
            map=picture(self.setup.board, self.setup.tokens, marks),
        )

    def tick(self, now_s: float) -> Scene | None:
        """Let the camera look for the empty board; return this scene if today's board gets a new stage, else None."""
        return self if self.setup.look(now_s) else None

    def _initiative(self) -> tuple[Button, ...]:
        """Return a button for each side that may begin, and one that lets the app flip the marker."""
        sides = []
        for faction in self.setup.board.factions:
            player, name = self.setup.players[faction], faction_name(faction)
            look: Look = "chosen" if faction == self.setup.initiative else "plain"
            sides.append(Button(player or name, Intent("initiative", faction), look, note=name if player else ""))
        return (*sides, Button(_("Flip for me"), Intent("flip"), "off" if self.setup.initiative else "quiet"))

    def _tokens(self) -> tuple[Button, ...]:
        """Return a button for each token, the one on this slot chosen, those elsewhere with their place."""
        board, buttons = self.setup.board, []
        areas = {area.slot: area.name for area in board.areas if area.slot}
        places = {token: f"{slot_name(slot)} · {areas[slot]}" for slot, token in self.setup.tokens.items()}
        here = self.setup.tokens.get(self.slot)
        for token in board.mode.tokens:
            look: Look = "chosen" if token == here else "plain"
            note = "" if token == here else places.get(token, "")
            buttons.append(Button(bonus_title(board, token), Intent("token", token), look, token, note))
        draw: Look = "quiet" if self.setup.empty_slots else "off"
        return (*buttons, Button(_("Draw at random"), Intent("draw"), draw))

    def _left_out(self) -> tuple[Text, ...]:
        """Say that one token stays in the box, and which ones are certainly in; nothing if all are used."""
        board = self.setup.board
        if not board.mode.one_stays_out:
            return ()
        always = [bonus_title(board, token) for token in board.mode.tokens if token not in board.mode.one_stays_out]
        form = _("{tokens} is in; one of the others stays in the box.")
        return (Text(form.format(tokens=join_words(always)), "quiet"),)

    def _missing(self) -> list[str]:
        begins = [] if self.setup.initiative else [_("initiative")]
        return [*begins, *map(slot_name, self.setup.empty_slots)]

    def _state(self) -> tuple[str, Tone]:
        """Say what is still to be chosen, or else who begins; with the tone of the sentence."""
        missing = self._missing()
        if missing:
            return _("Still to choose: {what}").format(what=", ".join(missing)), "quiet"
        who = self.setup.players[self.setup.initiative] or faction_name(self.setup.initiative)
        if self.setup.chance["initiative"] == BY_APP:
            return _("Gunbai flipped the marker: {who} goes first.").format(who=who), "good"
        return _("{who} goes first.").format(who=who), "good"

    def touch(self, intent: Intent) -> Scene | None:
        """Choose who begins, a token or a slot, let the app choose by chance, go on, or go back."""
        self.banner = ""
        match intent.verb:
            case "initiative":
                self.setup.set_first(intent.what)
            case "flip" if not self.setup.initiative:
                self.setup.flip_marker()
            case "draw":
                self.setup.draw_tokens()
            case "token":
                self.setup.put_token(self.slot, intent.what)
                self.slot = next(iter(self.setup.empty_slots), self.slot)
            case "area":
                self.slot = self.setup.board.area(intent.what).slot or self.slot
            case "next":
                return self._next()
        return self.before if intent.verb == "back" else None

    def _next(self) -> Scene | None:
        missing = self._missing()
        if missing:
            self.banner = _("Still to choose: {what}").format(what=", ".join(missing))
            return None
        try:
            return LayoutScene(self.setup.stage, self.setup.start(), self)
        except (EngineError, MatchError) as error:
            self.banner = fault_words(error)
            return None


def picture(board: Board, tokens: Mapping[str, str], marks: Mapping[str, str]) -> MapPicture:
    """Return the map of a board's printed start, with the tokens on their slots.

    tokens: by slot; marks: by area, as the map highlights it.
    """
    start = start_picture(board)
    areas = tuple(
        replace(area, bonus=tokens.get(board.area(area.name).slot or ""), mark=marks.get(area.name, ""))
        for area in start.areas
    )
    return replace(start, areas=areas)


PROBLEMS_SHOWN = 2


@dataclass(frozen=True, slots=True)
class LayoutItem:
    """One thing to lay out: its name, what to put there, and its area, "" for beside the board."""

    name: str
    text: str
    area: str = ""


@dataclass(frozen=True, slots=True)
class LayoutGroup:
    """Things to lay out together: a side's units, the tokens, or what lies beside the board."""

    title: str
    things: tuple[LayoutItem, ...]
    faction: str = ""


def groups(position: Position) -> tuple[LayoutGroup, ...]:
    """Return all that has to be laid out for this start, in the order to do it in."""
    sides = tuple(_units(position, faction) for faction in position.board.factions)
    return (*sides, _tokens(position), _beside_board(position))


def _units(position: Position, faction: str) -> LayoutGroup:
    things = []
    for area in position.board.areas:
        units = position.units_in(area.name).get(faction, {})
        if units:
            text = join_words(unit_count(unit, n) for unit, n in units.items())
            things.append(LayoutItem(area_label(area.name), text, area.name))
    return LayoutGroup(_("{who}: units on the board").format(who=faction_name(faction)), tuple(things), faction)


def _tokens(position: Position) -> LayoutGroup:
    areas = {area.slot: area.name for area in position.board.areas if area.slot}
    things = tuple(
        LayoutItem(f"{slot_name(slot)} · {areas[slot]}", bonus_title(position.board, token), areas[slot])
        for slot, token in bonuses(position).items()
        if token
    )
    return LayoutGroup(_("Bonus tokens, face up"), things)


def _beside_board(position: Position) -> LayoutGroup:
    """Return what lies beside the board: commanders and reserve, the cards, the round marker."""
    mode = position.board.mode
    commanders = LayoutItem(_("Commanders"), _("{n} for each player").format(n=mode.commanders))
    if mode.standby:
        form = _("{n} in the reserve, {standby} on standby, each")
        commanders = LayoutItem(_("Commanders"), form.format(n=mode.commanders - mode.standby, standby=mode.standby))
    reserve = LayoutItem(_("All other units"), _("beside the board, as reserve"))
    cards = LayoutItem(_("Cards"), _("shuffle {n}, face down").format(n=deck_size(position)))
    side = faction_name(position.initiative_name)
    marker = LayoutItem(_("Round marker"), _("on 1, {who} side up").format(who=side))
    return LayoutGroup(_("Beside the board"), (commanders, reserve, cards, marker))


class LayoutScene:
    """The guide to laying out the board, group by group.

    A thing is ticked by a touch on it or on its area, or when the camera sees it.

    In the two-sided layout each player lays their own units, and then what is common to both; the game begins when
    both have said that all is there, or when one of them skips the rest.
    """

    def __init__(self, stage: Stage, match: Match, before: SetupPage) -> None:
        self.stage = stage
        self.match = match
        self.before = before
        self.table = orders_table(stage, match, before.home)
        self.groups = groups(match.position)
        self.at: dict[str, int] = {}  # the number of each half's group; "" for one screen for both
        self.ready: set[str] = set()
        self.ticked: set[str] = set()
        self.banner = ""

    # ---- what is there -----------------------------------------------------------------------------

    def _mine(self, seat: str) -> tuple[LayoutGroup, ...]:
        """Return the groups that this half lays out: its own side's units and what both share; all for ""."""
        return tuple(group for group in self.groups if not seat or group.faction in ("", seat))

    def _group(self, seat: str) -> LayoutGroup:
        return self._mine(seat)[self.at.get(seat, 0)]

    def _last(self, seat: str) -> bool:
        return self.at.get(seat, 0) == len(self._mine(seat)) - 1

    def _watched(self) -> bool:
        """Return whether the camera ticks things off too."""
        return self.stage.settings.tick_by_camera and self.stage.sense.differences is not None

    def _follow(self, seat: str) -> None:
        """Tick the areas that the camera sees as they have to be; on where a side is whole."""
        if not self._watched():
            return
        for difference in self.stage.sense.differences or ():
            if difference.expected_force and difference.state == "agrees":
                self.ticked.add(area_label(difference.area))
        while self._group(seat).faction and all(thing.name in self.ticked for thing in self._group(seat).things):
            self.at[seat] = self.at.get(seat, 0) + 1

    def _differences(self, group: LayoutGroup) -> list[Difference]:
        """Return where the camera sees something other than this group needs, except what people have ticked."""
        if not self._watched() or not group.faction:
            return []
        here = {thing.area for thing in group.things if thing.name not in self.ticked}

        def is_stray(difference: Difference) -> bool:
            return group.faction in difference.seen_force and group.faction not in difference.expected_force

        return [
            difference
            for difference in self.stage.sense.differences or ()
            if difference.state == "differs" and (difference.area in here or is_stray(difference))
        ]

    # ---- show --------------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the group to lay out now, marked on the map."""
        return self.show_to("")

    def show_to(self, faction: str) -> Screen:
        """Show a player's half: the group to lay out now, or that the other player is still busy."""
        self._follow(faction)
        group = self._group(faction)
        differences = self._differences(group)
        waiting = (Text(_("All set."), "title"), Text(_("The other player is still setting up."), "quiet"))
        marks = {thing.area: "chosen" if thing.name in self.ticked else "live" for thing in self._on_map(faction)}
        mistakes = [difference for difference in differences if difference.seen_force]  # the rest is still to come
        return Screen(
            blocks=waiting if faction in self.ready else self._blocks(faction, differences),
            actions=self._actions(faction),
            banner=self.banner,
            map=map_picture(self.match.position, Marks(marks), mistakes),
        )

    def _blocks(self, seat: str, differences: list[Difference]) -> tuple[Block, ...]:
        group = self._group(seat)
        step = _("Set up the board · {n} of {all}").format(n=self.at.get(seat, 0) + 1, all=len(self._mine(seat)))
        heading: Block = Prompt(group.faction, group.title) if group.faction else Text(group.title, "title")
        return (Text(step, "quiet"), heading, Buttons(self._things(group), 2), *self._hints(group, differences))

    def _actions(self, seat: str) -> tuple[Button, ...]:
        back = back_button()
        skip = Button(_("Skip to the game"), Intent("play"), "quiet")
        if seat in self.ready:
            return back, skip
        last = self._last(seat)
        following = Button(_("Start playing") if last else _("Done"), Intent("all"), "primary")
        return (back, following) if last else (back, skip, following)

    def _things(self, group: LayoutGroup) -> tuple[Button, ...]:
        return tuple(
            Button(thing.name, Intent("tick", thing.name), note=thing.text, ticked=thing.name in self.ticked)
            for thing in group.things
        )

    def _hints(self, group: LayoutGroup, differences: list[Difference]) -> tuple[Block, ...]:
        """Say what is missing or superfluous on the board, or else how to tick things off."""
        items = items_of(differences)
        if items:
            return tuple(Text(sentence(problem(item, self.match.board)), "warn") for item in items[:PROBLEMS_SHOWN])
        if group.faction and self._watched():
            return (Text(_("The camera ticks off what it sees."), "quiet"),)
        return (Text(_("Tick off what's placed, or continue when done."), "quiet"),) if not self.ticked else ()

    def _on_map(self, seat: str) -> list[LayoutItem]:
        """Return what to mark on the map as still to be laid: the current group; with two halves, both groups."""
        shown = (self._group(faction) for faction in (self.match.board.factions if seat else (seat,)))
        return list(dict.fromkeys(thing for group in shown for thing in group.things if thing.area))

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Tick things, go on, skip to the game, or go back; going back from the first group deletes the game."""
        self.banner = ""
        match intent.verb:
            case "tick" | "area":
                things = self._on_map(intent.seat) if intent.verb == "area" else self._group(intent.seat).things
                self.ticked ^= {thing.name for thing in things if intent.what in (thing.name, thing.area)}
            case "play":
                return self._play()
            case "all":
                return self._all(intent.seat)
            case "back":
                return self._back(intent.seat)
        return None

    def _all(self, seat: str) -> Scene | None:
        """Tick the whole group and go on to the next; after the last one, begin the game once every half is ready."""
        self.ticked |= {thing.name for thing in self._group(seat).things}
        if not self._last(seat):
            self.at[seat] = self.at.get(seat, 0) + 1
            return None
        self.ready.add(seat)
        return self._play() if not seat or self.ready >= set(self.match.board.factions) else None

    def _back(self, seat: str) -> Scene | None:
        if seat in self.ready:
            self.ready.remove(seat)
            return None
        if self.at.get(seat, 0):
            self.at[seat] -= 1
            return None
        self.match.close()
        discard(self.match.path)
        return self.before

    def _play(self) -> Scene:
        self.table.banner = ""
        self.table.refresh()
        return self.table
