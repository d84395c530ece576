"""A battle at the table, and the panels for what is owed other than dice.

Generals settle and send messengers, tokens are drawn, divisions are activated, Closing Fire is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.core.language import _, plural
from companion.games.chance import Chance
from companion.games.match import GameSession
from companion.scenes.base.panels import Face, Offer, Panel, Reply, Take, Why, undo_button
from companion.scenes.base.rules import rule_button
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.sonae.by_hand import ByHandScene
from companion.scenes.sonae.field import FieldPanel, Sketch, prompt, step_sketch
from companion.scenes.sonae.orders import OrdersPanel
from companion.scenes.sonae.presenter import SONAE
from companion.scenes.sonae.questions import MeasureScene, RulerScene, questions
from companion.scenes.sonae.rolls import BattleRollPanel, OrdersDiePanel
from companion.scenes.sonae.score import BattleScore
from companion.scenes.story.game_log import take_back
from companion.scenes.story.presenter import ArgumentQuestion
from companion.scenes.table.table import TableScene
from companion.text.percent import chance_percent
from companion.text.sonae import army_title, chance_to_beat, division_title, ending, pool_words, titles
from companion.ui.screen import Block, Button, Buttons, Intent, Look, Text, live_first
from engine.sonae import game
from engine.sonae.game import orderable_units
from engine.sonae.pools import pool_of
from engine.sonae.position import Due, DueKind, Position
from engine.sonae.steps import Activate, Closing, Order, Roll, Settle, Step, Token
from hardware.events import Event, Thrown

BOTH = (0, 1)
SIGNS = {"encamped": "maku", "mobile": "horse"}
"""The icons of a general's two modes."""


class SettlePanel(FieldPanel):
    """Asks what a general does: encamp, with or without a messenger, or mount up; one touch decides."""

    def __init__(self, position: Position, due: Due) -> None:
        super().__init__(position)
        self.side = due.by

    def step(self, mode: str, messenger: str = "") -> Settle:
        """Return the step for one of the answers."""
        return Settle(self.position.scenario.sides[self.side], mode, messenger)

    def show(self) -> Face:
        """Show the general's two modes, the present one first; then, in camp, who may get a messenger."""
        general = self.position.general(self.side)
        marks = {general.name: "chosen"} if general is not None else {}
        sketch = Sketch(marks=marks, focus=general.name if general is not None else "")
        text = _("{who}: what does your general do?").format(who=army_title(self.position, self.side))
        modes = [
            self._mode("encamped", _("Encamped"), _("stays put, rolls extra dice")),
            self._mode("mobile", _("Mobile"), _("moves further, shoots worse")),
        ]
        modes.sort(key=lambda button: button.intent.what != self.position.modes[self.side])
        messengers = tuple(self._messenger(name) for name in self.position.army(self.side).divisions)
        camp = Text(_("Encamped, with a messenger to:"), "strong")
        blocks: tuple[Block, ...] = (prompt(self.side, text), Buttons(tuple(modes), 2))
        if any(messenger.look != "off" for messenger in messengers):
            blocks = (*blocks, camp, Buttons(live_first(messengers), 2))
        return self.face(blocks, (undo_button(), rule_button("army-general")), sketch)

    def _mode(self, mode: str, label: str, note: str) -> Button:
        """Return a mode's button, bright if the general is in that mode already."""
        look: Look = "primary" if mode == self.position.modes[self.side] else "plain"
        if not game.judge(self.position, self.step(mode)).legal:
            look = "off"
        return Button(label, Intent("mode", mode), look, SIGNS[mode], note)

    def _messenger(self, name: str) -> Button:
        """Return the button of a division, with the chance that a messenger reaches it."""
        step = self.step("encamped", name)
        legal = game.judge(self.position, step).legal
        look: Look = "plain" if legal else "off"
        note = chance_of_messenger(self.position, step) if legal else ""
        return Button(division_title(self.position, name), Intent("messenger", name), look, note=note)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Take the touched choice at once if it is legal; otherwise open its ruling."""
        if intent.verb == "mode" and intent.what in SIGNS:
            step = self.step(intent.what)
        elif intent.verb == "messenger" and intent.what in self.position.army(self.side).divisions:
            step = self.step("encamped", intent.what)
        else:
            return None
        return Offer(step) if game.judge(self.position, step).legal else Why(step)


def chance_of_messenger(position: Position, step: Settle) -> str:
    """Return the exact chance that a messenger gets through, noting if it is opposed; "" if no messenger rolls."""
    after = game.apply(position, step)
    rolls = [due for due in after.due if due.kind in ("messenger", "intercept")]
    if not rolls or rolls[0].kind != "messenger":
        return ""
    pool = pool_of(after, rolls[0])
    if len(rolls) == 1:
        return chance_percent(pool.chance)
    return _("{chance} (opposed)").format(chance=chance_percent(chance_to_beat(pool, pool_of(after, rolls[1]))))


class TokenPanel(FieldPanel):
    """Asks whose token came out of the bag; the app can draw it instead."""

    def __init__(self, position: Position, chance: Chance) -> None:
        super().__init__(position)
        self.chance = chance

    def show(self) -> Face:
        """Offer a large button for each side, with the tokens that it has left in the bag."""
        title_ = Text(_("Draw a token from the bag. Whose is it?"), "title")
        buttons = tuple(self._button(side) for side in BOTH)
        by_app = Button(_("No bag? Let Gunbai draw"), Intent("draw"), "quiet", "bag")
        blocks: tuple[Block, ...] = (title_, Buttons(buttons, 2), Buttons((by_app,), 1))
        able = {name for side in BOTH for name in self.position.divisions_to_act(side)}
        marks = {unit.name: "live" for unit in self.position.units if self.position.division(unit.name).name in able}
        return self.face(blocks, (undo_button(), rule_button("activations")), Sketch(marks=marks))

    def _button(self, side: int) -> Button:
        left = self.position.tokens[side]
        note = plural("{n} in the bag", "{n} in the bag", left)
        name = self.position.scenario.sides[side]
        return Button(army_title(self.position, side), Intent("token", name), "plain" if left else "off", note=note)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Take the touched or drawn token at once; undo takes it back."""
        if intent.verb == "draw":
            sides, tokens = self.position.scenario.sides, self.position.tokens
            return Offer(Token(self.chance.one([sides[side] for side in BOTH for _n in range(tokens[side])])))
        return Offer(Token(intent.what)) if intent.verb == "token" else None


class ActivatePanel(FieldPanel):
    """Asks which division acts; touching one of its units chooses it, too."""

    def __init__(self, position: Position, due: Due) -> None:
        super().__init__(position)
        self.side = due.by

    def show(self) -> Face:
        """Offer one button for each division."""
        text = _("{who}: activate which division?").format(who=army_title(self.position, self.side))
        names = self.position.army(self.side).divisions
        able = self.position.divisions_to_act(self.side)
        buttons = live_first(self._button(name, name in able) for name in names)
        marks = {unit.name: "live" for unit in self.position.units if self.position.division(unit.name).name in able}
        hint = _("Touch it here, or one of its units on the field.")
        blocks = prompt(self.side, text, hint), Buttons(buttons, 2)
        return self.face(blocks, (undo_button(),), Sketch(marks=marks, touch=True))

    def _button(self, name: str, able: bool) -> Button:
        return Button(
            division_title(self.position, name),
            Intent("division", name),
            "plain" if able else "off",
            note=division_note(self.position, name),
        )

    def touch(self, intent: Intent) -> Reply[Step]:
        """Activate the touched division at once; undo takes it back."""
        if intent.verb == "division":
            return Offer(Activate(intent.what))
        if intent.verb == "unit" and self.position.unit(intent.what) is not None:
            return Offer(Activate(self.position.division(intent.what).name))
        return None


def division_note(position: Position, name: str) -> str:
    """Return a note on a division: its number of units, its Authority, and what else matters before it acts."""
    units = [unit for unit in position.units if position.division(unit.name).name == name]
    if not units:
        return _("no units left")
    facts = [plural("{n} unit", "{n} units", len(units)), _("Authority {n}").format(n=f"{position.authority(name):+d}")]
    if name in position.acted:
        facts.append(_("acted"))
    if name in position.messages:
        facts.append(_("messenger arrived"))
    hurt = sum(unit.status != "fresh" or unit.fatigue > 0 for unit in units)
    if hurt:
        facts.append(plural("{n} unit shaken", "{n} units shaken", hurt))
    return ", ".join(facts)


class ClosingPanel(FieldPanel):
    """Asks whether a unit fires at the enemy that charges it, or that comes into its range."""

    def __init__(self, position: Position, due: Due) -> None:
        super().__init__(position)
        self.due = due

    def show(self) -> Face:
        """Show what speaks for firing and against it, with the two answers."""
        position, due = self.position, self.due
        facts = {"units": titles(position, due.units), "against": titles(position, due.against)}
        closing = due.kind == "closing"
        kind: DueKind = "closing-fire" if closing else "opportunity-fire"  # of the roll, and its section in the rules
        text = _("Closing Fire?") if closing else _("Opportunity Fire?")
        form = _("{against} charges {units}.") if closing else _("{against} comes into range of {units}.")
        pool = pool_of(position, replace(due, kind=kind))
        note = _("a hit may stop the charge; a miss costs one melee die") if closing else ""
        answers = (
            Button(_("Fire"), Intent("closing", "yes"), sign="bow", note=note),
            Button(_("Hold fire"), Intent("closing", "no"), note=_("keep all melee dice") if closing else ""),
        )
        head = prompt(due.by, f"{army_title(position, due.by)}: {text}", f"{form.format(**facts)} {pool_words(pool)}")
        ways = undo_button(), rule_button(kind)
        return self.face((head, Buttons(answers, 1)), ways, step_sketch(position, None))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Answer yes or no."""
        if intent.verb != "closing":
            return None
        return Offer(Closing(self.position.scenario.sides[self.due.by], intent.what == "yes"))


class BattleOverPanel:
    """The panel of a battle that is over."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def show(self) -> Face:
        """Show who has won and why, and a button to the result."""
        score = Button(_("How it ended"), Intent("score"), "primary", "points")
        side = self.position.winner if self.position.winner is not None else 0
        blocks = prompt(side, ending(self.position)), Buttons((score,), 1)
        return Face(blocks, (undo_button(), rule_button("winning")))

    def touch(self, _intent: Intent) -> Reply[Step]:
        """Ignore every touch that the table doesn't handle itself."""
        return None


class BattleTable(TableScene[Position, Step]):
    """A battle at the table."""

    def __init__(self, stage: Stage, match: GameSession[Position, Step], home: Scene) -> None:
        self._together: tuple[int, Step | None] = 0, None
        """Of orders given by one touch: the number of steps before them, and the last of them."""
        super().__init__(stage, match, home, SONAE)

    def asked_for(self) -> Panel[Step]:
        """Return the panel that the position asks for."""
        position = self.match.position
        if position.winner is not None:
            return BattleOverPanel(position)
        owed = game.owed(position)
        if owed is None:
            return self._orders(position)
        due = owed.due
        match due.kind:
            case "settle":
                return SettlePanel(position, due)
            case "token":
                return TokenPanel(position, self.stage.services.chance)
            case "activate":
                return ActivatePanel(position, due)
            case "closing" | "opportunity":
                return ClosingPanel(position, due)
            case "orders":
                return OrdersDiePanel(position, owed)
        return BattleRollPanel(position, owed)

    def _orders(self, position: Position) -> Panel[Step]:
        """Return the division's panel, or the last ordered unit's while that may do more than fall back."""
        division = OrdersPanel(position, self.stage.senses.field_eye is not None)
        last = next((step for step in reversed(self.match.steps) if not isinstance(step, Roll | Closing)), None)
        name = last.unit if isinstance(last, Order) and not self._gave_together() else ""
        if name not in {unit.name for unit in orderable_units(position)}:
            return division
        unit = division.panel_of(name)
        more = unit.options is not None and any(option.kind != "fall_back" for option in unit.options.may)
        return unit if more else division

    def follow(self, reply: Reply[Step]) -> Scene | None:
        """Do what a panel's reply asks; of several orders, take each in turn until one is refused."""
        if not isinstance(reply, Take):
            return super().follow(reply)
        before = len(self.match.steps)
        for step in reply.steps:
            ruling = self.try_step(step)
            if ruling is None or not ruling.legal:
                break
        self._together = before, self.match.steps[-1] if len(self.match.steps) > before else None
        self.refresh()
        return self.end()

    def _gave_together(self) -> bool:
        """Return whether orders to several units by one touch were the last thing done."""
        last = self._together[1]
        return last is not None and bool(self.match.steps) and self.match.steps[-1] is last

    def undo(self) -> Scene | None:
        """Undo the last step worth a sentence, or all orders that the last touch gave to several units."""
        return take_back(self, self._together[0], self) if self._gave_together() else super().undo()

    def straight(self, back: Scene) -> Scene:
        """Return the scene to correct units and the orders left by hand."""
        return ByHandScene(self, back)

    def details(self, back: Scene) -> Scene:
        """Return the scene with the score, or with the result."""
        return BattleScore(self, back)

    def questions(self, back: Scene, _seat: str) -> tuple[ArgumentQuestion, ...]:
        """Return the questions for an argument: the ruler, what a unit may do, why so many dice."""
        return questions(self, back)

    def hear(self, event: Event) -> bool:
        """Enter a roll of the dice tray into the open roll's panel; return False if it isn't one or doesn't fit."""
        if not isinstance(event, Thrown) or not isinstance(self.panel, BattleRollPanel | OrdersDiePanel):
            return False
        return self.panel.enter_dice(event.dice)

    def own(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        """Return the handlers, by verb, of touches that work in every panel, such as on the armies' cards."""
        eye = self.stage.senses.field_eye
        return {
            **super().own(),
            "side": lambda intent: self.score(),
            "round": lambda intent: self.score(),
            "ruler": lambda intent: RulerScene(self, self),
            "measure": lambda intent: MeasureScene(self, eye, self) if eye is not None else None,
        }
