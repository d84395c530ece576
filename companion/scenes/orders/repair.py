"""Out of sync: what is not as recorded, one thing after the other, each put right on the board or in the record."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.language import _
from companion.perception.sync.state import CameraIgnored
from companion.perception.sync.status import Item
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.story.tables import OrdersTable
from companion.text.orders import faction_name, problem, sentence, space_title, standing_units, turn_lines
from companion.ui.screen import Block, Button, Buttons, Choice, Intent, Screen, Slip, Text, back_button, confirm_button
from engine.orders import game
from engine.orders.inference.repair import Repair
from engine.orders.position import Position
from engine.orders.steps import Agreed


class RepairScene:
    """Goes through the differences: each is put right on the board, as seen or told, or kept for the record."""

    def __init__(self, stage: Stage, table: OrdersTable) -> None:
        self.stage = stage
        self.table = self.back = table
        self.items: tuple[Item, ...] = ()
        self.gone: set[Item] = set()
        self.done: set[Item] = set()
        self.kept: set[Item] = set()
        self.next_mover: str | None = None
        self.banner = ""
        self.nearest: Repair | None = None
        self._follow()

    @property
    def _position(self) -> Position:
        """The position the board is compared with: the game's, or that after the nearest legal turn."""
        return self.nearest.position if self.nearest is not None else self.table.match.position

    # ---- what is left ----------------------------------------------------------------------------

    def _follow(self) -> None:
        """Update the items from the camera: tick off those put right, add new ones; no change while it can't see."""
        sense = self.stage.sense
        if sense.sign in ("out", "behind"):
            seen = sense.items
            self._lead_to(sense.nearest)
        elif sense.sign in ("sync", "unsure", "proposal"):
            seen = ()
        else:
            return
        self.items += tuple(item for item in seen if item not in self.items)
        self.gone = set(self.items) - set(seen)

    def _lead_to(self, nearest: Repair | None) -> None:
        """Set the nearest turn; if it is another than before, forget the items and what was ticked or kept."""
        if (nearest.steps if nearest else ()) != (self.nearest.steps if self.nearest else ()):
            self.items = ()
            self.gone, self.done, self.kept = set(), set(), set()
        self.nearest = nearest

    def _open(self) -> list[Item]:
        return [item for item in self.items if item not in self.done | self.gone | self.kept]

    def show(self) -> Screen:
        """Show the first difference still open, or the correction to be recorded."""
        self._follow()
        left = self._open()
        blocks = self._item(left[0], left[1:]) if left else self._summary()
        marks = Marks({_area(item): "chosen" for item in left[1:]} | {_area(item): "target" for item in left[:1]})
        return Screen(
            title=_("Fix it"),
            blocks=blocks,
            actions=self._actions(left),
            banner=self.banner,
            map=map_picture(self._position, marks, None),
        )

    def _item(self, item: Item, rest: list[Item]) -> tuple[Block, ...]:
        finished = len(self.items) - len(self._open())
        hands = Button(_("Move the pieces for me"), Intent("hands"), "quiet")
        return (
            *self._turn(),
            Text(problem(item, self.table.match.board), "title"),
            *_ruling(item),
            Text(remedy(item), "strong"),
            Buttons(
                (
                    Button(_("Done"), Intent("done"), note=_("the camera ticks it off too")),
                    Button(_("The board is right"), Intent("keep"), note=_("correct the game")),
                ),
                2,
            ),
            *((Buttons((hands,), 1),) if self.stage.senses.hands is not None else ()),
            Text(_("{n} of {all} fixed").format(n=finished, all=len(self.items)), "quiet"),
            *(Text(problem(later, self.table.match.board), "quiet") for later in rest),
        )

    def _turn(self) -> tuple[Block, ...]:
        """Return a line on the legal turn closest to the board; empty if none is close."""
        if self.nearest is None or not self.nearest.steps:
            return ()
        turn = " ".join(map(sentence, turn_lines(self.nearest.steps, self.table.match.position)))
        return (Text(_("Closest legal turn: {turn} But:").format(turn=turn)),)

    def _summary(self) -> tuple[Block, ...]:
        if not self.kept:
            turn = self.stage.sense.sign == "proposal" or (self.nearest is not None and bool(self.nearest.steps))
            left = _("What's left is a legal turn.") if turn else _("The board matches again.")
            return (Text(left, "good"),)
        choices = tuple(
            Button(faction_name(faction), Intent("mover", faction), "chosen" if faction == self._mover() else "plain")
            for faction in self._position.board.factions
        )
        return (
            Text(_("The game will be set to what's on the board:"), "strong"),
            *map(Text, correction_lines(self._position, self._kept_items())),
            Choice(_("Whose turn is it now?"), choices),
            Text(_("Logged as agreed by both players."), "quiet"),
        )

    def _kept_items(self) -> list[Item]:
        return [item for item in self.items if item in self.kept]

    def _mover(self) -> str:
        """Return who is to move after the correction.

        That is the other side if the mover has placed a commander, unless the closest turn already says so.
        """
        mover = self._position.to_move_name
        placed = any(item.unit == "commander" and item.more > 0 and item.faction == mover for item in self.kept)
        other = next(faction for faction in self._position.board.factions if faction != mover)
        turned = self.nearest is not None and bool(self.nearest.steps)
        return self.next_mover or (other if placed and not turned else mover)

    def _actions(self, left: list[Item]) -> tuple[Button, ...]:
        back = back_button("quiet" if left or self.kept else "primary")
        if left:
            ignore = Button(_("Ignore the camera"), Intent("ignore"), "quiet")
            return back, ignore, Button(_("Use the board as it is"), Intent("keep-all"))
        return (back, confirm_button(_("Correct the game"), intent=Intent("record"))) if self.kept else (back,)

    # ---- touches ---------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Tick an item, keep one or all for the record, set who moves, record, ignore the camera, or go back."""
        self.banner = ""
        left = self._open()
        match intent.verb:
            case "done":
                self.done |= set(left[:1])
            case "keep" | "keep-all":
                self.kept |= set(left[:1] if intent.verb == "keep" else left)
            case "mover":
                self.next_mover = intent.what
            case "hands" if self.stage.senses.hands is not None:
                self.stage.senses.hands.put_right(self.table.match)
            case "record":
                return self._record()
            case "ignore":
                self.stage.senses.monitor.advance(CameraIgnored(True))
        return self.table if intent.verb in ("back", "ignore") else None

    def _record(self) -> Scene | None:
        """Record the nearest turn and the correction; if the correction is illegal, say so in the banner."""
        step = correction(self._position, self._kept_items(), self._mover())
        match = self.table.match
        objections = game.judge(self._position, step).objections
        if objections:
            self.banner = sentence(objections[0].message)
            return None
        for move in (*(self.nearest.steps if self.nearest is not None else ()), step):
            match.offer(move)
        self.stage.confirm(self.table.match.position)
        self.table.refresh()
        return self.table


def _area(item: Item) -> str:
    return item.place.partition(":")[2] or item.place


def _ruling(item: Item) -> tuple[Block, ...]:
    """Return what forbids the difference: a rule with its citation, or a reason; empty if nothing is known."""
    if item.finding is not None:
        finding = item.finding
        return (Slip(sentence(item.why), "", str(finding.citation), mark="no"),)
    return (Text(sentence(item.why), "plain"),) if item.why else ()


def remedy(item: Item) -> str:
    """Return the sentence that tells players to take extra pieces off the board or put missing ones back."""
    several = abs(item.more) > 1
    if item.more > 0:
        return _("Take them off the board.") if several else _("Take it off the board.")
    return _("Put them back.") if several else _("Put it back.")


def correction_lines(position: Position, items: Iterable[Item]) -> list[str]:
    """Return what the record will hold after the correction, a line for each place that it changes."""
    step = correction(position, items, position.to_move_name)
    lines = [f"{area} · {standing_units(units)}" for area, units in step.areas]
    for space, holders in step.spaces:
        who = ", ".join(map(faction_name, holders)) or _("no commander")
        lines.append(f"{space_title(position.board.space(space))} · {who}")
    return lines


def correction(position: Position, items: Iterable[Item], to_move: str) -> Agreed:
    """Return the agreed step that changes the record by just these differences. to_move: who moves next."""
    areas: dict[str, dict[tuple[str, str], int]] = {}
    spaces: dict[str, dict[str, int]] = {}
    for item in items:
        if item.unit == "commander":
            held = spaces.setdefault(item.place, dict.fromkeys(position.commanders_on(item.place), 1))
            held[item.faction] = held.get(item.faction, 0) + item.more
        else:
            force = position.units_in(item.place)
            counts = {(faction, unit): n for faction, units in force.items() for unit, n in units.items()}
            here = areas.setdefault(item.place, counts)
            here[item.faction, item.unit] = here.get((item.faction, item.unit), 0) + item.more
    return Agreed(
        areas=tuple(
            (area, tuple((who, unit, n) for (who, unit), n in here.items() if n)) for area, here in areas.items()
        ),
        spaces=tuple((space, tuple(who for who, n in held.items() if n > 0)) for space, held in spaces.items()),
        to_move=to_move,
        note=_("as seen on the board"),
    )
