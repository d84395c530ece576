"""An action that a player is about to take: the generals it names, its cost, what would follow, and the button."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.core.language import _
from companion.scenes.base.panels import Close, Face, Offer, Open, Reply, Why
from companion.scenes.base.rules import rule_button
from companion.scenes.generals.duel import Duel, DuelMarks, split_side, tally_reasons, tally_text
from companion.text.generals import card_facts, kind_title
from companion.ui.screen import (
    Bar,
    Bars,
    Block,
    Button,
    Buttons,
    Intent,
    Look,
    Text,
    cancel_button,
    confirm_button,
    live_first,
)
from engine.generals.cards import EQUIPMENT, VERBS, Card
from engine.generals.position import SIDES, Fighter
from engine.generals.steps import Activate, Attack, Deploy, Equip, Step, Use
from engine.generals.tally import cost_of, points_of
from engine.generals.words import effect_words, trigger_words

Build = Callable[[str, str], Step]
LABEL = 12  # the most letters of a bar's name


@dataclass(frozen=True, slots=True)
class PendingAction:
    """An action to be taken: its heading and facts, its button's label, the side that acts, the generals to name.

    needs: those of "general" and "target" that are still to be named. build: makes the step of an own and an
    opposing general, by label. fight: the points to compare, "" for none. fighter: the own general that fights, if
    it isn't the one named.
    """

    title: str
    facts: tuple[Block, ...]
    confirm: str
    by: int
    needs: tuple[str, ...]
    build: Build
    fight: str = ""
    fighter: str = ""


def begin_deed(duel: Duel, deed: PendingAction) -> Reply[Step]:
    """Return the reply that takes an action at once if nothing is left to choose or compare, else opens its panel."""
    panel = DeedPanel(duel, deed)
    return Offer(panel.step) if panel.is_plain else Open(panel)


class DeedPanel:
    """The panel of an action: name its generals, see what would follow, take it."""

    def __init__(self, duel: Duel, deed: PendingAction, target: str = "") -> None:
        self.duel = duel
        self.deed = deed
        self.named = {"general": "", "target": target}
        for what in deed.needs:
            if not self.named[what] and len(open_to := self._open(what)) == 1:
                self.named[what] = open_to[0]

    @property
    def owner(self) -> int:
        """The index of the only side that may touch this panel."""
        return self.deed.by

    @property
    def step(self) -> Step:
        """The step with the generals named so far."""
        return self._built(self.named)

    @property
    def _ready(self) -> bool:
        return all(self.named[what] for what in self.deed.needs)

    @property
    def is_plain(self) -> bool:
        """Whether the action can be taken at once: all are named, it is legal, and there is no fight to compare."""
        return self._ready and not self.deed.fight and self.duel.may(self.step)

    def _side(self, what: str) -> int:
        return self.deed.by if what == "general" else 1 - self.deed.by

    def _labels(self, what: str) -> list[str]:
        return [fighter.label for fighter in self.duel.fighters(self._side(what))]

    def _open(self, what: str) -> list[str]:
        """Return the generals that may be named for `what`, in combination with some choice of the other part."""
        return [label for label in self._labels(what) if self._may_name(what, label)]

    def _may_name(self, what: str, label: str) -> bool:
        named = {**self.named, what: label}
        for other in self.deed.needs:
            if not named[other]:
                return any(
                    self.duel.may(self._built({**named, other: other_label})) for other_label in self._labels(other)
                )
        return self.duel.may(self._built(named))

    def _built(self, named: Mapping[str, str]) -> Step:
        return self.deed.build(named["general"], named["target"])

    # ---- what it shows ----------------------------------------------------------------------------

    def show(self) -> Face:
        """Show the action, the generals to choose from, and what would follow."""
        after = (*self._compared(), *self.duel.follows(self.step)) if self._ready else ()
        may = self._ready and self.duel.may(self.step)
        do = confirm_button(self.deed.confirm, "primary" if may else "off")
        blocks = (Text(self.deed.title, "title"), *self._chosen(), *self._choice(), *self.deed.facts, *after)
        return Face(
            blocks, (cancel_button(), rule_button(self._section()), do), picture=self.duel.picture(self._marks())
        )

    def _section(self) -> str:
        """Return the section of the rules that covers this action."""
        match self.step:
            case Attack(_, target):
                return "attack-outcomes" if target else "castle"
            case Use(_, who):
                return "card-types" if who != SIDES[self.duel.mover] else "events"
        return "equipment" if isinstance(self.step, Equip) else "special-effects"

    def _chosen(self) -> tuple[Block, ...]:
        """Return the generals named so far; a touch on one takes the choice back."""
        buttons = tuple(self._button(what, self.named[what], "chosen") for what in self.deed.needs if self.named[what])
        return (Buttons(buttons, 2),) if buttons else ()

    def _choice(self) -> tuple[Block, ...]:
        """Offer a button for each general that can be named for the first part still missing."""
        what = next((need for need in self.deed.needs if not self.named[need]), None)
        if what is None:
            return ()
        labels, own = self._labels(what), what == "general"
        if not labels:
            none = _("You have no general on the battlefield.")
            return (Text(none if own else _("The opponent has no general on the battlefield."), "warn"),)
        may = self._open(what)
        buttons = live_first(self._button(what, label, "plain" if label in may else "off") for label in labels)
        asked = _("Which of your generals?") if own else _("Which opposing general?")
        return Text(asked, "strong"), Buttons(buttons, 3)

    def _button(self, what: str, label: str, look: Look) -> Button:
        return Button(self.duel.title(self._side(what), label), Intent("name", f"{what}/{label}"), look)

    def _marks(self) -> DuelMarks:
        cards: dict[str, str] = {}
        for what in self.deed.needs:
            cards |= {f"{SIDES[self._side(what)]}/{label}": "live" for label in self._open(what)}
        for what, mark in (("general", "chosen"), ("target", "target")):
            if self.named[what]:
                cards[f"{SIDES[self._side(what)]}/{self.named[what]}"] = mark
        if self.deed.fighter:
            cards[f"{SIDES[self.deed.by]}/{self.deed.fighter}"] = "chosen"
        return DuelMarks(cards)

    def _compared(self) -> tuple[Block, ...]:
        """Compare both generals' points; against the castle, the damage and its resources."""
        if not self.deed.fight:
            return ()
        own = self._of(self.deed.by, self.deed.fighter or self.named["general"])
        target = self.named["target"]
        other = self._of(1 - self.deed.by, target) if target else None
        if own is None or (target and other is None):
            return ()
        rows = [self._bar(self.deed.by, own)]
        if other is not None:
            rows.append(self._bar(1 - self.deed.by, other))
        else:
            side = self.duel.position.sides[1 - self.deed.by]
            rows.append((SIDES[1 - self.deed.by], _("The castle"), side.resources, ""))
        most = max(1, *(n for _seat, _label, n, _why in rows))
        heading = _("Military points") if self.deed.fight == "military" else _("Intelligence points")
        bars = tuple(Bar(label, n / most, str(n), seat) for seat, label, n, _why in rows)
        whys = [f"{label}: {why}" for _seat, label, _n, why in rows if why]
        return (Bars(heading, bars), *((Text(". ".join(whys), "quiet"),) if whys else ()))

    def _of(self, index: int, label: str) -> Fighter | None:
        return self.duel.position.sides[index].fighter(label)

    def _bar(self, index: int, fighter: Fighter) -> tuple[str, str, int, str]:
        tally = points_of(self.duel.position, index, fighter, self.deed.fight)
        why = tally_reasons(tally) if len(tally.parts) > 1 else ""
        return SIDES[index], _brief(self.duel.title(index, fighter.label)), tally.total, why

    # ---- touches ----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Reply[Step]:
        """Name a general, take the action, or cancel it; a forbidden action opens its ruling."""
        match intent.verb:
            case "cancel":
                return Close()
            case "confirm" if self._ready:
                return Offer(self.step) if self.duel.may(self.step) else Why(self.step)
            case "name":
                what, _slash, label = intent.what.partition("/")
                return self._name(what, label) if what in self.named else None
            case "general":
                index, label = split_side(intent.what)
                for what in self.deed.needs:
                    if index == self._side(what):
                        return self._name(what, label)
        return self.duel.open_touched(intent) if intent.verb != "zone" else None

    def _name(self, what: str, label: str) -> Reply[Step]:
        """Name a general, or take the choice back.

        The last choice takes the action if it is plain. A general that cannot be named opens the ruling.
        """
        if label not in self._labels(what):
            return None
        if label not in self._open(what):
            return Why(self._built({**self.named, what: label}))
        self.named[what] = "" if self.named[what] == label else label
        return Offer(self.step) if self.is_plain else None


def _brief(title: str) -> str:
    """Return a title short enough for the narrow end of a bar, dropping its first words if it is long."""
    words = title.split()
    while len(words) > 1 and len(" ".join(words)) > LABEL:
        words = words[1:]
    return " ".join(words)


# ---- cards and effects as deeds -----------------------------------------------------------------------


def card_deed(duel: Duel, index: int, card: Card) -> PendingAction:
    """Return the action of playing a side's card: its cost with the reasons, and what there is to pay with."""
    left = _("other cards in hand: {n}").format(n=max(0, duel.position.sides[index].hand - 1))
    cost = tally_text(_("Cost"), cost_of(duel.position, index, card), left)
    facts = (Text(f"{kind_title(card.kind)} · {card_facts(card)}"), *_texts(card), cost)
    if card.kind == "general":
        return PendingAction(card.title, facts, _("Deploy"), index, (), lambda general, target: Deploy(card.name))
    if card.kind in EQUIPMENT:
        return PendingAction(
            card.title, facts, _("Equip"), index, ("general",), lambda general, target: Equip(card.name, general)
        )
    assert card.effect is not None
    who, verb = SIDES[index], card.effect.verb
    return PendingAction(
        card.title, facts, _("Play the card"), index, VERBS[verb],
        lambda general, target: Use(card.name, who, general, target), "intelligence" if verb == "strike" else "",
    )  # fmt: skip


def _texts(card: Card) -> tuple[Block, ...]:
    """Return when the card answers, and its own text."""
    parts = []
    if card.after:
        parts.append(_("Answers {what}.").format(what=trigger_words(card.after)))
    parts += [card.text] if card.text else []
    return (Text(" ".join(parts), "quiet"),) if parts else ()


def effect_deed(duel: Duel, label: str) -> PendingAction:
    """Return the action of activating a general's special effect."""
    fighter = duel.position.sides[duel.mover].fighter(label)
    assert fighter is not None
    effect = duel.position.card(duel.mover, fighter.card).effect
    assert effect is not None
    text = Text(_("{what}. Cost: {n}").format(what=effect_words(effect).rstrip("."), n=effect.cost))
    fight = "intelligence" if effect.verb == "strike" else ""
    title = _("{general}: special effect").format(general=duel.title(duel.mover, label))
    return PendingAction(
        title, (text,), _("Activate"), duel.mover, VERBS[effect.verb],
        lambda general, target: Activate(label, general, target), fight,
    )  # fmt: skip


def attack_deed(duel: Duel, label: str, target: str) -> PendingAction:
    """Return the action of attacking a general, or the castle's resources (target "")."""
    own, other = duel.mover, 1 - duel.mover
    names = {"general": duel.title(own, label), "target": duel.title(other, target) if target else ""}
    title = _("{general} attacks {target}") if target else _("{general} attacks the castle")
    return PendingAction(
        title.format(**names), (), _("Attack"), own, (),
        lambda _general, _target: Attack(label, target), "military", label,
    )  # fmt: skip


def points_text(duel: Duel, index: int, fighter: Fighter, *, all_of_them: bool = True) -> tuple[Text, ...]:
    """Return a text for each of a general's points, with its reasons; unless `all_of_them`, only for modified ones."""
    named = {"military": _("Military"), "intelligence": _("Intelligence")}
    tallies = [(title, points_of(duel.position, index, fighter, form)) for form, title in named.items()]
    return tuple(tally_text(title, tally) for title, tally in tallies if all_of_them or len(tally.parts) > 1)
