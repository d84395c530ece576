"""The panels of rolls that are owed: the dice pool, its reasons and exact chances; one touch enters the sixes."""

from __future__ import annotations

from dataclasses import replace

from companion.core.language import _, plural
from companion.scenes.base.panels import Face, Offer, Open, Reply, undo_button
from companion.scenes.base.rules import rule_button
from companion.scenes.sonae.field import BattleForm, prompt, step_sketch
from companion.text.orders import sentence
from companion.text.percent import chance_percent
from companion.text.sonae import SIX, army_title, pool_words, roll_kind, roll_title, titles
from companion.ui.screen import Block, Button, Buttons, Dice, Intent, Odds, Share, Slip, Text, back_button
from engine.sonae.game import Owed
from engine.sonae.outcomes import BONUS
from engine.sonae.pools import Pool
from engine.sonae.position import Due, Position
from engine.sonae.prospects import prospects
from engine.sonae.steps import Done, Roll, Step
from engine.sonae.turn import dice_owed

SECTIONS = {
    "messenger": "messengers", "intercept": "messengers", "fire": "ranged-combat", "reply": "ranged-combat",
    "opportunity-fire": "opportunity-fire", "closing-fire": "closing-fire", "closing-morale": "closing-fire",
    "nerve": "charge", "retreat": "moving", "strain": "orders", "rally": "rally", "melee": "melee", "blocked": "melee",
    "shock": "shock", "heir": "lost-commanders", "regent": "lost-commanders", "loyalty": "lost-commanders",
}  # fmt: skip
"""The section of the rules on each kind of roll; any other kind is a test of Morale."""
NO_SIX = 1
"""The face recorded for a die that shows no six, as the other faces all count the same."""


class BattleRollPanel(BattleForm):
    """A roll of hit dice: touch the number of sixes that came up, or the bright button for none.

    Dice from a dice tray are filled in, and wait to be confirmed.
    """

    def __init__(self, position: Position, owed: Owed) -> None:
        super().__init__(position)
        self.due = owed.due
        self.pool = owed.pool
        self.faces = [NO_SIX] * dice_owed(position, owed.due)
        self.entered = False

    def enter_dice(self, dice: tuple[int, ...]) -> bool:
        """Fill in the dice that a dice tray reports; return False if they don't fit this roll."""
        if len(dice) != len(self.faces) or not set(dice) <= set(range(1, SIX + 1)):
            return False
        self.faces, self.entered = list(dice), True
        return True

    def step(self) -> Roll:
        """Return the roll as entered."""
        return Roll(tuple(self.faces), self.position.scenario.sides[self.due.by])

    def show(self) -> Face:
        """Show what is rolled and why with so many dice, the dice themselves, and what the sixes would mean."""
        assert self.pool is not None
        n, sides = self._sixes(), len(self.faces)
        outcomes: tuple[str, ...] = (outcome_words(self.position, self.due, n),)
        if not self.entered:
            few = () if self.due.kind == "shock" else (0, 1)  # shock has four outcomes, which the reasons list
            outcomes = (pool_words(self.pool), *dict.fromkeys(outcome_words(self.position, self.due, n) for n in few))
        facts = " ".join((sentence(roll_title(self.position, self.due)), *outcomes))
        heading = _("{who}: {what}, {many}").format(
            who=army_title(self.position, self.due.by), what=roll_kind(self.due),
            many=plural("{n} die", "{n} dice", sides),
        )  # fmt: skip
        title = prompt(self.due.by, heading)
        how = Text(_("How many sixes? Touch the number."), "quiet")
        blocks: tuple[Block, ...] = (title, Dice(tuple(self.faces), sixes=True), how, Text(facts, "quiet"))
        label = plural("{n} six", "{n} sixes", n) if n else _("No six")
        why = Button(_("Why so many?"), Intent("reasons"), "quiet", "question")
        leave = (Button(_("No shock"), Intent("decline"), "quiet", "cross"),) if self.due.kind == "shock" else ()
        ways = (undo_button(), why, *leave, self.step_button(label))
        return self.face(blocks, ways, step_sketch(self.position, None))

    def _sixes(self) -> int:
        return self.faces.count(SIX)

    def show_to(self, _seat: str) -> Face:
        """Show the roll in half the room: a brief line on the sixes, and no reasons where there are four ways on."""
        assert self.pool is not None
        face = self.show()
        brief = pool_words(self.pool) if not self.entered else outcome_words(self.position, self.due, self._sixes())
        face = replace(face, blocks=(*face.blocks[:3], Text(brief, "quiet")))
        if self.due.kind != "shock":
            return face
        return replace(face, actions=tuple(way for way in face.actions if way.intent.verb != "reasons"))

    def change(self, intent: Intent) -> Reply[Step]:
        """Take the roll with the touched number of sixes, decline the shock, or open the reasons for the dice."""
        if intent.verb == "sixes" and 0 < intent.n <= len(self.faces):
            self.faces = [SIX] * intent.n + [NO_SIX] * (len(self.faces) - intent.n)
            return Offer(self.step())
        if intent.verb == "decline" and self.due.kind == "shock":
            return Offer(Done())
        if intent.verb == "reasons":
            return Open(ReasonsPanel(self))
        return None


class ReasonsPanel:
    """The parts of a dice pool with their citations, and the exact chances."""

    def __init__(self, roll: BattleRollPanel) -> None:
        self.roll = roll

    def show(self) -> Face:
        """Show the parts of the dice pool, one a line, then the chances."""
        pool = self.roll.pool
        assert pool is not None
        title = Text(roll_title(self.roll.position, self.roll.due), "strong")
        sketch = step_sketch(self.roll.position, None)
        come = outcome_blocks(self.roll.position)
        rule = rule_button(SECTIONS.get(self.roll.due.kind, "morale-tests"))
        return self.roll.face((title, *pool_blocks(pool), chances(pool), *come), (back_button("primary"), rule), sketch)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Go back to the dice."""
        return Open(self.roll) if intent.verb in ("back", "cancel") else None


def pool_blocks(pool: Pool) -> tuple[Block, ...]:
    """Return one slip for each part of a dice pool, with its citation, and then the total."""
    first, *others = pool.parts
    slips = [Slip(f"{first.n} {first.why}", cite=str(first.citation))]
    slips += [Slip(f"{part.n:+d} {part.why}".replace("-", "−", 1), cite=str(part.citation)) for part in others]
    return (*slips, Text(plural("Total: {n} die", "Total: {n} dice", pool.dice), "strong"))


def outcome_blocks(position: Position) -> tuple[Block, ...]:
    """Return a line for each possible outcome of the roll that is owed, with its exact chance."""
    return tuple(
        Text(f"{chance_percent(prospect.chance)}  {sentence(prospect.text)}", "quiet")
        for prospect in prospects(position)
        if prospect.chance
    )


def chances(pool: Pool) -> Block:
    """Return a chart of the exact chance of each number of sixes, the high numbers taken together."""
    low = {n: part for n, part in pool.odds.items() if n < BONUS}
    more = sum(part for n, part in pool.odds.items() if n >= BONUS)
    shares = [Share("", str(n), float(part), chance_percent(part)) for n, part in low.items()]
    if more:
        shares.append(Share("", _("{n} or more").format(n=BONUS), float(more), chance_percent(more)))
    return Odds(_("Sixes"), tuple(shares))


class OrdersDiePanel(BattleForm):
    """The one die for the number of orders: touching its face takes the roll at once.

    A die from a dice tray is filled in, and waits to be confirmed.
    """

    def __init__(self, position: Position, owed: Owed) -> None:
        super().__init__(position)
        self.due = owed.due
        self.number = 0

    def enter_dice(self, dice: tuple[int, ...]) -> bool:
        """Fill in the die that a dice tray reports; return False unless it is a single die showing 1 to 6."""
        if len(dice) != 1 or not 1 <= dice[0] <= SIX:
            return False
        self.number = dice[0]
        return True

    def step(self) -> Roll:
        """Return the roll of the one die."""
        return Roll((self.number,), self.position.scenario.sides[self.due.by])

    def authority(self) -> tuple[int, int]:
        """Return the division's own Authority, and its general's if a messenger got through, else 0."""
        acting = self.position.acting
        message = self.position.army(self.due.by).authority if acting in self.position.messages else 0
        return self.position.authority(acting), message

    def show(self) -> Face:
        """Offer the six faces with the number of orders that each brings."""
        own, message = self.authority()
        hint = _("Commander's Authority: {n}.").format(n=f"{own:+d}")
        if self.position.acting in self.position.messages:
            hint += " " + _("Messenger from the general: {n}.").format(n=f"{message:+d}")
        faces = tuple(self._button(face, max(0, face + own + message)) for face in range(1, SIX + 1))
        title = prompt(self.due.by, roll_title(self.position, self.due), hint)
        look = step_sketch(self.position, None)
        confirm = (self.step_button(_("Confirm")),) if self.number else ()
        return self.face((title, Buttons(faces, 3)), (undo_button(), rule_button("orders"), *confirm), look)

    def _button(self, face: int, orders: int) -> Button:
        note = plural("{n} order", "{n} orders", orders)
        return Button(str(face), Intent("face", "", face), "chosen" if face == self.number else "plain", note=note)

    def change(self, intent: Intent) -> Reply[Step]:
        """Take the roll with the touched face."""
        if intent.verb != "face" or not 1 <= intent.n <= SIX:
            return None
        self.number = intent.n
        return Offer(self.step())


def outcome_words(position: Position, due: Due, sixes: int) -> str:
    """Return what this number of sixes in a roll leads to, in a sentence."""
    against = tuple(name for name in due.against if name in position.scenario.units)
    facts = {"units": titles(position, due.units), "against": titles(position, against), "n": sixes}
    form = _pair(due)[min(sixes, 1)]
    if due.kind == "shock":
        form = _shock(sixes, position.has("shock-first"))
    if due.kind == "melee" and not _answers(position, due):
        form = _("Then {against} rolls. More sixes win; with none at all both fall back.")
    return form.format(**facts)


def _answers(position: Position, due: Due) -> bool:
    """Return whether this is the second roll of a melee, which nobody answers."""
    following = position.due[1] if len(position.due) > 1 else None
    return not (following is not None and following.kind == "melee" and following.units == due.against)


def _pair(due: Due) -> tuple[str, str]:
    """Return the two outcomes of a roll: for no six, and for one or more."""
    hit = _("No six: {against} is not hit."), _("{against} is hit and must test Morale.")
    fought = _("{heard} against {n}: most sixes wins.").replace("{heard}", str(due.heard))
    return {
        "messenger": (_("No six: the messenger doesn't get through."), _("A six: the messenger gets through.")),
        "intercept": (_("No six: the messenger isn't stopped."), _("At least as many sixes stop the messenger.")),
        "fire": hit,
        "reply": hit,
        "opportunity-fire": hit,
        "closing-fire": (
            _("No six: {units} has one die fewer in the melee."),
            _("{against} is hit: if it fails Morale, the charge stops."),
        ),
        "closing-morale": (_("No six: the charge of {units} is stopped."), _("A six: the charge goes in.")),
        "nerve": (_("No six: {units} stays where it is."), _("A six: {units} charges.")),
        "strain": (_("No six: {units} is fatigued."), _("A six: {units} isn't fatigued.")),
        "rally": (_("No six: {units} stays as it is."), _("A six: {units} recovers one status.")),
        "melee": (fought, fought),
        "heir": (_("No six: nobody takes over."), _("A six: {units} takes command.")),
        "regent": (_("No six: the battle is lost."), _("A six: {units} takes command of the army.")),
        "loyalty": (_("No six: {units} leaves the battle."), _("A six: {units} fights on.")),
        "shock": ("", ""),
    }.get(due.kind, (_("No six: {units} drops one status."), _("A six: {units} holds firm.")))


def _shock(sixes: int, worse_first: bool) -> str:
    """Return the outcome of Shock; worse_first: by that reading, one success only drops the enemy's status."""
    if sixes == 1 and worse_first:
        return _("One six: {against} drops one status, {units} is fatigued.")
    return {
        0: _("No six: both stay locked in combat."),
        1: _("One six: {against} is destroyed, {units} is fatigued."),
        2: _("Two sixes: {against} is destroyed."),
    }.get(sixes, _("{n} sixes: {against} is destroyed, and you get a bonus order."))
