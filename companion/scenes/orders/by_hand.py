"""Numbers set by hand where the board or the hands say otherwise: always as an `agreed` step, so the log marks them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.core.language import _
from companion.games.match import Match
from companion.games.position_facts import hand_size
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Agree, Close, Face, Reply, Why
from companion.scenes.orders.forms import Counts, key_of, key_text
from companion.scenes.story.outline import Followed
from companion.text.orders import card_title, faction_name, space_title, unit_name, what_stands
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Intent,
    Look,
    MapPicture,
    Status,
    Stepper,
    Steppers,
    Text,
    cancel_button,
    confirm_button,
)
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Agreed, OtherCorrections, Step

NEVER = object()


def _names_in(step: Agreed) -> Iterator[str]:
    besides = step.other
    yield from (name for name, _what in (*step.areas, *step.spaces))
    for key, pairs in (("standby", besides.standby), ("left", besides.left), ("hand", besides.hands)):
        yield from (f"{key}/{faction}" for faction, _n in pairs)
    yield from (f"bonus/{slot}" for slot, _token in besides.bonuses)
    for key in ("discard", "initiative", "round", "dice", "winner", "passed"):
        if getattr(besides, key) is not None:
            yield key


class StillByHand:
    """What was set by hand in a game and has not been changed by play since.

    Areas and spaces go by their names, all else by "hand/red", "round", "dice" and so on.
    """

    def __init__(self, match: Match) -> None:
        self._followed = Followed(match)
        self._set_to: dict[str, object] = {}
        self._before: list[tuple[int, dict[str, object]]] = []  # what a step (by index) has set, as it was set before

    def names(self) -> frozenset[str]:
        """Return the names of whatever still has the value set by hand."""
        match, same = self._followed.match, self._followed.catch_up()
        while self._before and self._before[-1][0] >= same:
            self._set_to |= self._before.pop()[1]
        steps, positions = match.steps, match.positions
        for n in range(same, len(steps)):
            if isinstance(step := steps[n], Agreed):
                values = {name: _value(positions[n + 1], name) for name in _names_in(step)}
                self._before.append((n, {name: self._set_to.get(name, NEVER) for name in values}))
                self._set_to |= values
        position = match.position
        return frozenset(name for name, value in self._set_to.items() if _value(position, name) == value)


def _value(position: Position, name: str) -> object:
    key, _slash, who = name.partition("/")
    if who and key in _OF_SIDE:
        return _OF_SIDE[key](position, who)
    if name in position.board.area_index:
        return position.units_in(name)
    if name in position.board.space_index:
        return position.commanders_on(name)
    return position.bonuses if key == "bonus" else getattr(position, name, None)


_OF_SIDE: dict[str, Callable[[Position, str], int]] = {
    "left": Position.left,
    "standby": Position.standing_by,
    "hand": hand_size,
}


def marked_status(status: Status, named: frozenset[str]) -> Status:
    """Return the status with the named values marked as set by hand."""
    return replace(status, sides=tuple(replace(side, by_hand=_of(side.faction, named)) for side in status.sides))


def _of(faction: str, named: frozenset[str]) -> frozenset[str]:
    own = {name.partition("/")[0] for name in named if name.endswith(f"/{faction}")}
    return frozenset(own | ({"initiative"} & named) | ({"points"} if "winner" in named else set()))


def marked_map(picture: MapPicture, named: frozenset[str]) -> MapPicture:
    """Return the map with the named areas marked as set by hand."""
    if not named:
        return picture
    return replace(picture, areas=tuple(replace(area, by_hand=area.name in named) for area in picture.areas))


class ByHandPanel:
    """The base of panels that correct the record: numbers, the step they make, cancel and record."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = position.board
        self.counts = Counts()
        self.before: dict[tuple[str, str], int] = {}

    def fill(self, counts: dict[tuple[str, str], int]) -> None:
        """Set the numbers to those recorded, to compare with later."""
        self.before = counts
        self.counts.of = dict(counts)

    def changes(self) -> dict[tuple[str, str], int]:
        """Return the numbers that differ from those recorded, by their keys."""
        return {key: n for key, n in self.counts.of.items() if n != self.before[key]}

    def step(self) -> Agreed | None:
        """Return the correction; None if nothing was changed."""
        raise NotImplementedError

    def blocks(self) -> tuple[Block, ...]:
        """Return the blocks with the numbers to correct."""
        raise NotImplementedError

    def marks(self) -> Marks:
        """Return the map's marks; none here."""
        return Marks()

    def ways(self) -> tuple[Button, ...]:
        """Return the buttons between "Cancel" and "Set by hand"; none here."""
        return ()

    def show(self) -> Face:
        """Show the numbers, the first objection to the correction, and the buttons."""
        step = self.step()
        objections = () if step is None else game.judge(self.position, step).objections
        look: Look = "primary" if step is not None and not objections else "off"
        wrong = tuple(Text(objection.message, "bad") for objection in objections[:1])
        record = confirm_button(_("Set by hand"), look, Intent("record"))
        return Face((*self.blocks(), *wrong), (cancel_button(), *self.ways(), record), self.marks())

    def touch(self, intent: Intent) -> Reply[Step]:
        """Change a number, submit the correction for both to agree on, or close the panel."""
        if intent.verb == "count" and key_of(intent.what) in self.before:
            self.counts.change(intent.what, intent.n, 99)
        elif intent.verb == "cancel":
            return Close()
        elif intent.verb == "record" and (step := self.step()) is not None:
            return Agree(step) if game.judge(self.position, step).legal else Why(step)
        return None

    def stepper(self, label: str, key: tuple[str, str], most: int) -> Stepper:
        """Return a stepper for the number under this key."""
        return Stepper(label, self.counts.of[key], most, "count", key_text(key))


class StandsPanel(ByHandPanel):
    """Corrects an area: the units in it, and the commanders on its spaces."""

    def __init__(self, position: Position, area: str) -> None:
        super().__init__(position)
        self.area = self.board.area(area)
        here = position.units_in(area)
        kinds = [kind.name for kind in self.board.mode.units if kind.place == self.area.kind]
        counts = {(who, kind): here.get(who, {}).get(kind, 0) for who in self.board.factions for kind in kinds}
        self.spaces = [space.name for space in self.board.spaces if space.area == area]
        held = {
            (who, space): int(who in position.commanders_on(space))
            for space in self.spaces
            for who in self.board.factions
        }
        self.fill({**counts, **held})

    def step(self) -> Agreed | None:
        """Return all units of the area and the holders of the spaces that changed; None without a change."""
        changed = self.changes()
        spaces = [space for space in self.spaces if any(key[1] == space for key in changed)]
        units = [(who, kind, n) for (who, kind), n in self.counts.of.items() if n and kind not in self.spaces]
        areas = ((self.area.name, tuple(units)),) if any(key[1] not in self.spaces for key in changed) else ()
        holders = tuple((space, tuple(w for w in self.board.factions if self.counts.of[w, space])) for space in spaces)
        return Agreed(areas, holders, note=_("set by hand")) if changed else None

    def blocks(self) -> tuple[Block, ...]:
        """Show a stepper for each side's units of a kind and a switch for each commander."""
        steppers = tuple(
            self.stepper(unit_name(who, kind), (who, kind), 9) for who, kind in self.before if kind not in self.spaces
        )
        switches = tuple(
            Button(
                _("{who} on {space}").format(who=faction_name(who), space=space_title(self.board.space(space))),
                Intent("commander", key_text((who, space))),
                "chosen" if self.counts.of[who, space] else "plain",
            )
            for who, space in self.before
            if space in self.spaces
        )
        title = Text(what_stands(self.area.name), "title")
        return title, Steppers(steppers), Buttons(switches, 2)

    def marks(self) -> Marks:
        """Return the map's marks: this area."""
        return Marks({self.area.name: "target"})

    def touch(self, intent: Intent) -> Reply[Step]:
        """Put a commander on a space or take it off; handle any other touch as all such panels do."""
        if intent.verb == "commander" and key_of(intent.what) in self.before:
            self.counts.of[key_of(intent.what)] ^= 1
            return None
        return super().touch(intent)


class SidePanel(ByHandPanel):
    """Corrects a side: its commanders, cards in hand and final pass, and the initiative."""

    def __init__(self, position: Position, faction: str) -> None:
        super().__init__(position)
        self.faction = faction
        self.initiative = position.initiative_name
        self.passed = position.passed[self.board.mode.faction_index[faction]]
        self.fill(
            {
                (faction, "left"): position.left(faction),
                (faction, "standby"): position.standing_by(faction),
                (faction, "hand"): hand_size(position, faction),
            }
        )

    def step(self) -> Agreed | None:
        """Return the numbers that were changed, with the initiative and who has passed; None without a change."""
        changed = {key: ((self.faction, n),) for (_who, key), n in self.changes().items()}
        turned = self.initiative if self.initiative != self.position.initiative_name else None
        besides = OtherCorrections(
            standby=changed.get("standby", ()),
            left=changed.get("left", ()),
            hands=changed.get("hand", ()),
            initiative=turned,
            passed=self._passed(),
        )
        return Agreed(note=_("set by hand"), other=besides) if besides != OtherCorrections() else None

    def blocks(self) -> tuple[Block, ...]:
        """Show steppers for a side's commanders, standby and cards, and a switch for the initiative."""
        most, cards = self.board.mode.commanders, sum(self.board.mode.deck.values())
        who = self.faction
        steppers = (
            self.stepper(_("Commanders"), (who, "left"), most),
            self.stepper(_("Standby"), (who, "standby"), most),
            self.stepper(_("Cards"), (who, "hand"), cards),
        )
        switches = [Button(_("Initiative"), Intent("initiative"), "chosen" if self.initiative == who else "plain")]
        if self.board.mode.final_pass:
            switches.append(Button(_("Has passed"), Intent("passed"), "chosen" if self.passed else "plain"))
        title = Text(_("Correct {who}'s commanders and cards").format(who=faction_name(who)), "title")
        return title, Steppers(steppers), Buttons(tuple(switches), 2)

    def _passed(self) -> tuple[str, ...] | None:
        """Return all factions that have passed for the round; None if this side's pass is as recorded."""
        was = self.position.passed[self.board.mode.faction_index[self.faction]]
        if self.passed == was:
            return None
        passed = dict(zip(self.board.factions, self.position.passed, strict=True)) | {self.faction: self.passed}
        return tuple(who for who, has in passed.items() if has)

    def ways(self) -> tuple[Button, ...]:
        """Return the buttons for the cards and for the round."""
        return Button(_("Cards"), Intent("cards"), "quiet", "hand"), Button(_("Round"), Intent("round"), "quiet")

    def touch(self, intent: Intent) -> Reply[Step]:
        """Switch the initiative or the side's final pass; handle any other touch as all such panels do."""
        if intent.verb == "initiative":
            self.initiative = next(faction for faction in self.board.factions if faction != self.initiative)
            return None
        if intent.verb == "passed":
            self.passed = not self.passed
            return None
        return super().touch(intent)


class RoundPanel(ByHandPanel):
    """Corrects the round and the discard pile."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        pile = {("discard", card): position.discard.count(card) for card in self.board.mode.cards}
        self.fill({("round", ""): position.round, **pile})

    def step(self) -> Agreed | None:
        """Return the round and, if it changed, the whole discard pile; None without a change."""
        changed = self.changes()
        pile = tuple(card for (key, card), n in self.counts.of.items() if key == "discard" for _copy in range(n))
        besides = OtherCorrections(
            round=changed.get(("round", "")), discard=pile if any(key == "discard" for key, _c in changed) else None
        )
        return Agreed(note=_("set by hand"), other=besides) if changed else None

    def blocks(self) -> tuple[Block, ...]:
        """Show steppers for the round and for each card in the discard pile."""
        pile = tuple(
            self.stepper(card_title(self.board, card), (key, card), self.board.mode.deck[card])
            for key, card in self.before
            if key == "discard"
        )
        rounds = Steppers((self.stepper(_("Round"), ("round", ""), self.board.mode.rounds),))
        return (
            Text(_("Correct round and discards"), "title"),
            rounds,
            Text(_("Discard pile"), "quiet"),
            Steppers(pile),
        )


class DicePanel(ByHandPanel):
    """Corrects the number of dice of the roll that is owed."""

    def __init__(self, position: Position, dice: int) -> None:
        super().__init__(position)
        self.fill({("dice", ""): dice})

    def step(self) -> Agreed | None:
        """Return the corrected number of dice; None if it was not changed."""
        dice = self.changes().get(("dice", ""))
        return None if dice is None else Agreed(note=_("set by hand"), other=OtherCorrections(dice=dice))

    def blocks(self) -> tuple[Block, ...]:
        """Show a stepper for the number of dice."""
        return Text(_("How many dice?"), "title"), Steppers((self.stepper(_("Dice"), ("dice", ""), 9),))
