"""What the table owes inside a turn: dice, losses, a commander to give back, and windows for cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.language import _, plural
from companion.games.position_facts import hand_size
from companion.perception.dice import DiceOffer
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Face, Offer, Open, Panel, Reply, Why, undo_button
from companion.scenes.orders.by_hand import DicePanel
from companion.scenes.orders.card_panels import CardsPanel, RerollPanel, card_buttons, open_card
from companion.scenes.orders.forecast import owed_odds_words
from companion.scenes.orders.forms import CardOffer, Counts, Form, key_of, key_text
from companion.scenes.orders.hand_tasks import differences
from companion.text.orders import (
    area_name,
    bonus_title,
    card_title,
    faction_name,
    join_or,
    sentence,
    space_title,
    unit_count,
)
from companion.ui.screen import Block, Button, Buttons, Dice, Intent, Prompt, Stepper, Steppers, Text, confirm_button
from engine.orders import game
from engine.orders.game import Owed
from engine.orders.odds import roll_parts
from engine.orders.position import Position
from engine.orders.steps import Accept, Pass, Remove, Return, Roll, Step
from engine.orders.turn import ready


def dice_reasons(position: Position) -> str:
    """Return where the owed dice come from: "1 for defence + 2 from Ambush"."""
    board = position.board
    parts = []
    for part in roll_parts(position):
        form = {
            "defence": _("{n} for defence"),
            "fort": _("{n} for the fortification"),
            "zone": _("{n} for the air zone above"),
            "action": _("{n} for the action"),
            "units": _("{n}: one per shooting unit"),
            "payload": _("{n}: one per aircraft spent"),
            "agreed": _("{n} set by hand"),
        }.get(part.reason, _("{n} from {name}"))
        title = bonus_title(board, part.name) if part.reason == "bonus" else part.name
        title = card_title(board, part.name) if part.reason == "card" else title
        parts.append(form.format(n=part.dice, name=title))
    return " + ".join(parts)


class RollPanel(Form):
    """Takes the faces of a roll by touch, camera or dice tray; nothing counts until it is confirmed."""

    def __init__(self, position: Position, owed: Owed) -> None:
        super().__init__(position)
        self.owed = owed
        self.faces: list[int] = []
        self.by_hand = False
        self.asks = True

    def fill_from_camera(self, offer: DiceOffer | None) -> None:
        """Fill in the dice that the camera read, unless a person or the tray has entered some; confirm nothing."""
        if offer is not None and not self.by_hand:
            self.faces = list(offer.faces)[: self.owed.dice]

    def enter_dice(self, dice: tuple[int, ...]) -> bool:
        """Replace the faces by those of a dice tray; return False, changing nothing, if they cannot be this roll."""
        if len(dice) != self.owed.dice or not set(dice) <= set(self.board.mode.die):
            return False
        self.faces, self.by_hand = list(dice), True
        return True

    def step(self) -> Roll:
        """Return the roll with the faces entered so far."""
        return Roll(tuple(self.faces), self.owed.by)

    def ready(self) -> bool:
        """Return whether all dice are entered."""
        return len(self.faces) == self.owed.dice

    def touch(self, intent: Intent) -> Reply[Step]:
        """Enter a face, change the number of dice, play a card first, or confirm with or without a reroll."""
        if intent.verb == "window":
            return Open(CardsPanel(self.position, self.owed.cards, self.owed.by))
        if intent.verb == "dice":
            return Open(DicePanel(self.position, self.owed.dice))
        if intent.verb in ("confirm", "reroll") and self.ruling().legal:
            return CardOffer(self.step(), rerolled=intent.verb == "reroll")
        return super().touch(intent)

    def change(self, intent: Intent) -> None:
        """Add a face, or remove one that was entered."""
        self.by_hand = self.by_hand or intent.verb in ("die", "undie")
        if intent.verb == "die" and len(self.faces) < self.owed.dice:
            self.faces.append(intent.n)
        elif intent.verb == "undie" and intent.n < len(self.faces):
            del self.faces[intent.n]

    def reasons(self) -> str:
        """Return where the dice come from; once faces are entered, their total and what it costs."""
        return self._total() if self.faces else dice_reasons(self.position)

    def _hint(self) -> str:
        """Return the prompt's hint: why so many dice, their odds and cards to play first; later, the faces' total."""
        if self.faces:
            return self._total()
        parts = [self.reasons(), *owed_odds_words(self.position)]
        if self.owed.cards and self.asks:
            parts += [_may_first(self.position, self.owed)]
        return " ".join(map(sentence, parts))

    def _total(self) -> str:
        """Return the faces' total; with all dice, what they cost and, if the camera read them, a check."""
        total = _("Total {n}").format(n=sum(self.faces))
        costs = "; ".join(self._costs()) if self.ready() and self.ruling().legal else ""
        seen = _("Seen on the table. Right?") if self.ready() and not self.by_hand else ""
        return " ".join([sentence(f"{total}: {costs}" if costs else total), seen]).strip()

    def _costs(self) -> list[str]:
        """Return the units that the roll costs, a phrase each, if nobody rerolls or plays a card."""
        settled = ready(game.apply(self.position, self.step()), Pass())
        form = _("{who} loses {units} in {area}")
        return [
            form.format(who=faction_name(who), units=unit_count(unit, -n), area=area_name(area))
            for (who, unit, area), n in differences(self.position, settled).items()
            if n < 0
        ]

    def show(self) -> Face:
        """Show the dice entered so far; before the first, why they are rolled and what may be played."""
        dice = (*self.faces, *([None] * (self.owed.dice - len(self.faces))))
        who = faction_name(self.owed.by)
        area = area_name(self.owed.area or "")
        title = plural(
            "{who} rolls {n} die for {area}", "{who} rolls {n} dice for {area}", self.owed.dice, who=who, area=area
        )
        blocks: tuple[Block, ...] = (Prompt(self.owed.by, title, self._hint()), Dice(dice))
        return Face(blocks, self.ways_on(), Marks({self.owed.area or "": "target"}))

    def ways_on(self) -> tuple[Button, ...]:
        """Return undo; before the first die, the wrong number and a card, else confirm; later, reroll and confirm."""
        undo = undo_button()
        legal = self.ruling().legal
        confirm = confirm_button(_("Confirm"), "primary" if legal else "off")
        if legal and hand_size(self.position, self.owed.by) > 0:
            return undo, Button(_("Reroll with a card"), Intent("reroll"), "plain", "hand"), confirm
        if self.faces:
            return undo, confirm
        card = Button(_("Play a card"), Intent("window"), "plain" if self.asks else "quiet", "hand")
        other = Button(_("Wrong number of dice?"), Intent("dice"), "quiet")
        return (undo, other, card) if self.owed.cards else (undo, other, confirm)


def _may_first(position: Position, owed: Owed) -> str:
    """Return a phrase on the cards that each side may play before the dice are rolled."""
    parts = []
    for faction in dict.fromkeys(who for who, _card in owed.cards):
        titles = join_or(card_title(position.board, card) for who, card in owed.cards if who == faction)
        parts.append(_("{who} may play {cards} first").format(who=faction_name(faction), cards=titles))
    return "; ".join(parts)


class LossPanel(Form):
    """Asks the owner which units to remove, if there is a choice."""

    def __init__(self, position: Position, owed: Owed) -> None:
        super().__init__(position)
        self.owed = owed
        self.counts = Counts()

    def _here(self) -> dict[str, int]:
        return self.position.units_in(self.owed.area or "").get(self.owed.by, {})

    def step(self) -> Remove:
        """Return the losses chosen so far."""
        units = tuple((unit, n) for _area, unit, n in self.counts.loads())
        return Remove(units, self.owed.by, self.owed.area)

    def ready(self) -> bool:
        """Return whether at least as many losses are chosen as are due."""
        return self.counts.total() >= self.owed.units

    def change(self, intent: Intent) -> None:
        """Change the number of lost units of a kind."""
        if intent.verb == "count":
            self.counts.change(intent.what, intent.n, self._here().get(key_of(intent.what)[1], 0))

    def show(self) -> Face:
        """Show a stepper for each kind of unit that may be lost."""
        area = self.owed.area or ""
        steppers = tuple(
            Stepper(unit_count(unit, n), self.counts.of.get((area, unit), 0), n, "count", key_text((area, unit)))
            for unit, n in self._here().items()
        )
        asked = plural(
            "{who}: choose {n} unit to remove from {area}",
            "{who}: choose {n} units to remove from {area}",
            self.owed.units,
            who=faction_name(self.owed.by),
            area=area_name(area),
        )
        title = Prompt(self.owed.by, asked)
        changes = {(area, unit): -n for _area, unit, n in self.counts.loads()}
        confirm = confirm_button(_("Confirm"), "primary" if self.ruling().legal else "off")
        blocks: tuple[Block, ...] = (title, Steppers(steppers), *self.objection())
        return Face(blocks, (undo_button(), confirm), Marks({area: "target"}, changes))


class WindowPanel:
    """Asks for a card to play now: one for its effect, one spent to reroll, or none."""

    def __init__(self, position: Position, owed: Owed) -> None:
        self.position = position
        self.owed = owed

    def show(self) -> Face:
        """Show the cards that may be played, the reroll, and "no card"."""
        who = faction_name(self.owed.by)
        hint = _("Or start the next turn to skip.")
        blocks: list[Block] = [Prompt(self.owed.by, _("{who} may play a card").format(who=who), hint)]
        turn = self.position.turn
        if turn is not None and turn.faces:
            lying = _("Total {n}").format(n=sum(turn.faces))
            blocks += [Dice(turn.faces, entering=False), Text(lying, "strong")]
        several = len({faction for faction, _card in self.owed.cards}) > 1
        blocks += card_buttons(self.position, self.owed.cards, named=several)
        if self.owed.may_reroll:
            spend = Button(_("Spend a card to reroll"), Intent("reroll"), "plain", "plan")
            blocks.append(Buttons((spend,), 1))
        accept = confirm_button(_("No card"), intent=Intent("accept"))
        marks = Marks({self.owed.area: "target"}) if self.owed.area else Marks()
        return Face(tuple(blocks), (undo_button(), accept), marks)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Play a card, spend one to reroll, or decline."""
        if intent.verb == "play":
            return open_card(self.position, intent.what)
        if intent.verb == "reroll":
            return Open(RerollPanel(self.position, self.owed.by))
        if intent.verb == "accept":
            return Offer(Accept())
        return None


class ReturnPanel:
    """Asks from which action space a commander goes to standby for a lost bonus, as the reserve has none."""

    def __init__(self, position: Position, owed: Owed) -> None:
        self.position = position
        self.owed = owed
        self._spaces = [position.board.space(name) for name in owed.spaces]

    def show(self) -> Face:
        """Show a button for each space whose commander the owner may put on standby."""
        who = faction_name(self.owed.by)
        title = _("{who}: which commander goes to standby?").format(who=who)
        board = self.position.board
        bonus = bonus_title(
            board, next(name for name, bonus in board.mode.bonuses.items() if bonus.verb == "commander")
        )
        hint = _("{bonus} is lost, and the reserve has no commander.").format(bonus=bonus)
        buttons = tuple(
            Button(space_title(space), Intent("return", space.name), sign=space.action.name) for space in self._spaces
        )
        marks = Marks(live=frozenset(self.owed.spaces))
        return Face((Prompt(self.owed.by, title, hint), Buttons(buttons, 2)), (undo_button(),), marks)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Submit the choice of a space by its button or on the map; open the ruling if it is illegal."""
        area = {space.area: space.name for space in self._spaces if space.area}
        name = area.get(intent.what, "") if intent.verb == "area" else intent.what
        if intent.verb not in ("return", "space", "area") or not name:
            return None
        step = Return(name, self.owed.by)
        return Offer(step) if game.judge(self.position, step).legal else Why(step)


ANSWERS: Mapping[str, Callable[[Position, Owed], Panel[Step]]] = {
    "roll": RollPanel, "remove": LossPanel, "return": ReturnPanel, "accept": WindowPanel,
}  # fmt: skip


def answer_for(position: Position, owed: Owed) -> Panel[Step]:
    """Return the panel that asks for what is owed at the position."""
    return ANSWERS[owed.wants](position, owed)
