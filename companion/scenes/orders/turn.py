"""The start of a turn: which action spaces are open, why others are not, and the form for each."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.language import _, plural
from companion.games.position_facts import is_supplied, may_hold
from companion.perception.adapters import Difference
from companion.scenes.base.map_picture import Marks, area_of_difference, bonuses
from companion.scenes.base.panels import Close, Face, Offer, Open, Reply, Why, undo_button
from companion.scenes.orders.forms import DeployForm, key_of
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.placing import PlaceForm, PlanForm
from companion.scenes.orders.targeting import DropForm, ShotForm, attempt
from companion.text.orders import (
    area_label,
    area_name,
    bonus_title,
    faction_name,
    join_words,
    space_note,
    space_title,
    standing,
    unit_count,
)
from companion.ui.screen import Block, Button, Buttons, Intent, Log, Look, Prompt, Text, back_button, live_first
from engine.orders import game
from engine.orders.board import Area, Space
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Step


class Spaces:
    """The action spaces of a position: which are open to the mover, and what touches on them lead to."""

    def __init__(self, position: Position, differences: Sequence[Difference] | None = None) -> None:
        self.position = position
        self.board = position.board
        self.differences = differences
        self.offer = game.legal(position)
        self.may_pass = self.offer.may_pass
        self.live = frozenset(self.offer.spaces)

    def linked_spaces(self, area: str) -> list[Space]:
        """Return the action spaces printed in an area."""
        return [space for space in self.board.spaces if space.area == area]

    def touch_area(self, area: str) -> Reply[Step]:
        """Return the reply that opens its only open action's form if the mover has no unit there, else its panel."""
        live = [space for space in self.linked_spaces(area) if space.name in self.live]
        if len(live) == 1 and self.position.to_move_name not in self.position.units_in(area):
            return Open(form_for(self.position, live[0].name))
        return Open(AreaPanel(self, area))

    def ways(self, source: str) -> dict[str, str]:
        """Return {area: action space} for the areas that can be reached or shot at from an area."""
        live = [space.name for space in self.linked_spaces(source) if space.name in self.live]
        guns = [name for name in live if self._shoots(name)]
        shots = {target: name for name in guns for target in self.offer.spaces[name].targets}
        moves = {
            self.board.space(name).area or "": name
            for name, space in self.offer.spaces.items()
            if source in space.sources
        }
        return {**shots, **moves}

    def drag(self, source: str, target: str) -> Reply[Step]:
        """Return the reply to a drag between areas: open the form, the ruling against it, or the target's panel."""
        space = self.ways(source).get(target)
        if space is not None:
            return Open(form_for(self.position, space, area=target if self._shoots(space) else source))
        units = self.position.units_in(source).get(self.position.to_move_name)
        into = [linked for linked in self.linked_spaces(target) if linked.action.verb == "move"]
        if source == target or not units or not into:
            return self.touch_area(target)
        return Why(Deploy(into[0].name, moves=((source, next(iter(units)), 1),)))

    def _shoots(self, space: str) -> bool:
        return self.board.space(space).action.verb == "shoot"

    def button(self, space: Space) -> Button:
        """Return the button of a space, with a note on who holds it or on why it is closed."""
        held = [faction_name(faction) for faction in self.position.commanders_on(space.name)]
        note = space_note(space, self.board, self.position.to_move_name)
        if held:
            note = _("taken by {who}").format(who=", ".join(held))
        elif space.name not in self.live and space.faction in (None, self.position.to_move_name):
            note = _("why not?")
        look: Look = "plain" if space.name in self.live else "off"  # even a dead one can be touched to learn why
        return Button(space_title(space), Intent("space", space.name), look, space.action.name, note)

    def touch(self, name: str) -> Reply[Step]:
        """Return the reply to a touched space: open its form, or the ruling on why it is closed.

        With a camera, hidden cards are drawn without a form.
        """
        if name in self.live:
            form = form_for(self.position, name)
            at_once = self.differences is not None and isinstance(form, PlanForm) and form.named is None
            return Offer(form.step()) if at_once else Open(form)
        return Why(attempt(self.position, self.board.space(name)))

    def shared_card_button(self, space: Space) -> Button | None:
        """Return the button to use, by a card, a space that only the enemy holds; None if no card allows that."""
        mover = self.position.to_move_name
        if not self.position.commanders_on(space.name) or mover in self.position.commanders_on(space.name):
            return None
        for card in self.board.mode.cards.values():
            fits = card.verb == "share" and card.action == space.action.name
            if fits and may_hold(self.position, mover, card.name):
                label = _("{space} with {card}").format(space=space_title(space), card=card.heading)
                return Button(label, Intent("shared", f"{space.name}/{card.name}"), "plain", "plan")
        return None


class TurnPanel:
    """Shows whose turn it is, the support spaces, "Pass", and the last lines of the log."""

    def __init__(self, spaces: Spaces, log: Sequence[str], notice: tuple[Block, ...] = ()) -> None:
        self.position = spaces.position
        self.spaces = spaces
        self.log = tuple(log)
        self.notice = notice
        self.can_undo = bool(log)
        self.news = ""
        self.may_play = False

    def show(self) -> Face:
        """Show the idle turn; once the game is over, the log and the score button."""
        if self.position.winner_name is not None:
            score = Button(_("Score"), Intent("score"), "primary", "points")
            return Face((self.prompt(), *self.notice, Log(self.log)), (undo_button(), score))
        support = [space for space in self.position.board.spaces if space.area is None]
        columns = len({space.action.name for space in support})
        by_number = sorted(support, key=lambda space: space.name.partition(":")[2])
        buttons = tuple(self.spaces.button(space) for space in by_number)
        blocks = (self.prompt(), *self.notice, Buttons(buttons, columns), Log(self.log))
        undo = undo_button("quiet" if self.can_undo else "off")
        play = (Button(_("Play a card"), Intent("window"), "quiet", "plan"),) if self.may_play else ()
        final = _("for this round") if self.position.board.mode.final_pass else ""
        skip = Button(_("Pass"), Intent("pass"), "plain" if self.spaces.may_pass else "off", note=final)
        return Face(blocks, (undo, *play, skip), Marks(live=self.spaces.live))

    def prompt(self) -> Prompt:
        """Return the prompt: whose turn it is and what to touch, or who has won."""
        winner = self.position.winner_name
        if winner is not None:
            return Prompt(winner, _("{who} has won").format(who=faction_name(winner)), self.news)
        who = self.position.to_move_name
        title = self.news or _("{who} to move").format(who=faction_name(who))
        return Prompt(who, title, self._alone() or self._hint())

    def _hint(self) -> str:
        """Return what to touch and, before the first turn, a word on long touches; "" below a notice."""
        if self.notice:
            return ""
        if self.can_undo:
            return _("Touch the map or an action below.")
        return _("Touch the map or an action below. What's that? Hold a finger on it.")

    def _alone(self) -> str:
        """Return a line saying that the other side has passed for the round; "" if it has not."""
        board, mover = self.position.board, self.position.to_move
        if not self.position.passed[1 - mover]:
            return ""
        left = unit_count("commander", self.position.commanders_left[mover])
        form = _("{who} has passed. You have {commanders} left.")
        return form.format(who=faction_name(board.factions[1 - mover]), commanders=left)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Open the form or panel for the touched space or area, or pass."""
        match intent.verb:
            case "space":
                return self.spaces.touch(intent.what)
            case "area":
                return self.spaces.touch_area(intent.what)
            case "drag":
                return self.spaces.drag(*key_of(intent.what))
            case "pass":
                return Offer(Pass()) if self.spaces.may_pass else Why(Pass())
        return None


class AreaPanel:
    """Shows one area: its units, its action spaces, and on the map what its units can reach."""

    def __init__(self, spaces: Spaces, area: str) -> None:
        self.position = spaces.position
        self.area: Area = spaces.board.area(area)
        self.spaces = spaces
        self.ways = spaces.ways(area)
        self.doubts = [
            difference
            for difference in spaces.differences or ()
            if area_of_difference(difference) == area and difference.state != "agrees"
        ]

    def show(self) -> Face:
        """Show what is known of the area, and buttons for its action spaces."""
        linked, name = self.spaces.linked_spaces(self.area.name), self.area.name
        kind = _("land") if self.area.kind == "land" else _("water")
        title = area_label(name) if self.area.kind == "air" else f"{name} · {kind}"
        cards = [button for space in linked if (button := self.spaces.shared_card_button(space))]
        blocks: tuple[Block, ...] = (
            Text(title, "title"),
            Text(self._control()),
            *(Text(line, "quiet") for line in self._facts()),
            *map(self._camera, self.doubts),
            *((Text(_("Touch a highlighted area to move or shoot there."), "strong"),) if self.ways else ()),
            Buttons(live_first(self.spaces.button(space) for space in linked), 2),
            *((Buttons(tuple(cards), 1),) if cards else ()),
        )
        marks = Marks({**dict.fromkeys(self.ways, "live"), name: "chosen"}, live=self.spaces.live)
        otherwise = Button(_("Board is different"), Intent("otherwise", name), "quiet")
        return Face(blocks, (back_button(verb="cancel"), otherwise), marks)

    def _control(self) -> str:
        name = self.area.name
        units = standing(self.position.units_in(name))
        if self.position.controller(name) is None:
            return units
        supply = _("in supply") if is_supplied(self.position, name) else _("cut off from its headquarters")
        return f"{units} – {supply}"

    def _facts(self) -> list[str]:
        area = self.area
        facts = []
        if area.vp:
            facts.append(plural("{n} victory point", "{n} victory points", area.vp))
        if area.hq:
            facts.append(_("{who}'s headquarters").format(who=faction_name(area.hq)))
        facts += self._about_zone()
        if area.fort:
            dice = self.position.board.mode.fort_dice
            facts.append(plural("Fortified: {n} die in defence", "Fortified: {n} dice in defence", dice))
        if area.no_drop:
            facts.append(_("No paradrops here"))
        if area.ports:
            facts.append(_("Port to {areas}").format(areas=", ".join(area.ports)))
        token = bonuses(self.position).get(area.slot) if area.slot else None
        for name in filter(None, (token, area.printed)):
            text = _(self.position.board.mode.bonuses[name].text)
            facts.append(f"{bonus_title(self.position.board, name)} – {text}")
        return facts

    def _about_zone(self) -> list[str]:
        """Return lines on the air zone over a land area and the dice it adds, or on the land under an air zone."""
        board, area = self.position.board, self.area
        if area.kind == "air":
            below = [land.name for land in board.areas if land.zone == area.name]
            return [_("Over {areas}").format(areas=join_words(below))]
        if area.zone is None:
            return []
        over = _("Under the {zone}").format(zone=area_name(area.zone))
        holder = self.position.controller(area.zone)
        if holder is None or not is_supplied(self.position, area.zone):
            return [over]
        dice = plural("{n} more die", "{n} more dice", board.mode.zone_dice)
        return [_("{over}: {dice} in defence for {who}").format(over=over, dice=dice, who=faction_name(holder))]

    def _camera(self, doubt: Difference) -> Text:
        """Return a line on what the camera sees differently from the game, or can't see."""
        if doubt.state == "hidden":
            return Text(_("The camera can't see {place} clearly.").format(place=doubt.area), "warn")
        text = _("{place}: the camera sees {seen}, the game has {expected}.")
        seen, expected = standing(doubt.seen_force), standing(doubt.expected_force)
        return Text(text.format(place=doubt.area, seen=seen, expected=expected), "bad")

    def touch(self, intent: Intent) -> Reply[Step]:
        """Open a space, with or without a card to share it, follow a drag or a touch on an area, or close the panel."""
        if intent.verb == "cancel" or (intent.verb == "area" and intent.what == self.area.name):
            return Close()
        match intent.verb:
            case "space":
                return self.spaces.touch(intent.what)
            case "area":
                reached = intent.what in self.ways
                return self.spaces.drag(self.area.name, intent.what) if reached else self.spaces.touch_area(intent.what)
            case "drag":
                return self.spaces.drag(*key_of(intent.what))
            case "shared":
                space, _slash, card = intent.what.partition("/")
                return Open(form_for(self.position, space, (card,)))
        return None


FORMS: dict[str, type[DeployForm]] = {
    "move": MoveForm, "shoot": ShotForm, "drop": DropForm, "place": PlaceForm, "draw": PlanForm,
}  # fmt: skip


def form_for(position: Position, space: str, cards: tuple[str, ...] = (), area: str = "") -> DeployForm:
    """Return the form for a space with the usual choices filled in. area: the one touched before, or ""."""
    form = FORMS[position.board.space(space).action.verb](position, space, cards)
    form.begin(area)
    return form


def filled_form(position: Position, step: Deploy) -> DeployForm:
    """Return the form filled in with a deployment, ready to be confirmed."""
    form = FORMS[position.board.space(step.space).action.verb](position, step.space, step.cards)
    form.fill(step)
    return form
