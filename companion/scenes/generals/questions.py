"""Questions asked in an argument about the card game, such as whether a general may act or what a card costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.ruling import RulingScene, ruling_on
from companion.scenes.generals.duel import DuelMarks, duel_picture, step_marks
from companion.scenes.story.presenter import ArgumentQuestion, RulesQuestion
from companion.scenes.story.tables import GameTable
from companion.text.generals import general_title, step_question
from companion.ui.screen import Button, Buttons, Intent, Screen, Text, Verdict, back_button
from engine.generals.cards import ZONES, Card
from engine.generals.game import examine
from engine.generals.position import SIDES, Fighter, Position
from engine.generals.steps import Activate, Attack, Deploy, Move, Step
from engine.generals.tally import cost_of, points_of
from engine.ruling import Finding, Ruling, Tally

Lead = Callable[[GameTable[Position, Step], Fighter, Scene], Scene]
"""Makes the scene about a general of the table's game; the last argument is the scene to go back to."""
Choice = tuple[str, str, Callable[[Scene], Scene]]
"""A button's label, its note, and what makes the scene it leads to, given the one to go back to."""


def questions(table: GameTable[Position, Step], back: Scene) -> tuple[ArgumentQuestion, ...]:
    """Return the questions that can be asked in this game."""
    position = table.position
    mover = position.to_move
    asked: list[ArgumentQuestion] = []
    if any(side.fighters for side in position.sides):
        pick = partial(PickScene, (_("Which general?"), lambda: _generals(table, mover, _deeds)), back)
        asked.append(ArgumentQuestion(_("What can this general do?"), pick, "general"))
        points = partial(PickScene, (_("Whose general?"), lambda: _pointed(table)), back)
        asked.append(ArgumentQuestion(_("How strong is this general?"), points, "general"))
    if all(side.fighters for side in position.sides):
        fight = partial(PickScene, (_("Which general attacks?"), lambda: _generals(table, mover, _targets)), back)
        asked.append(ArgumentQuestion(_("Who wins this fight?"), fight, "military"))
    cost = partial(PickScene, (_("Which card?"), lambda: _costs(table)), back)
    return (*asked, ArgumentQuestion(_("What does this card cost?"), cost, "hand"))


class PickScene(BackScene):
    """A choice of what to ask about; each button leads to a scene of its own."""

    def __init__(self, asked: tuple[str, Callable[[], Sequence[Choice]]], back: Scene) -> None:
        super().__init__(back)
        self.title, self.choices = asked

    def show(self) -> Screen:
        """Offer one button for each choice."""
        buttons = tuple(
            Button(label, Intent("pick", "", n), note=note) for n, (label, note, _lead) in enumerate(self.choices())
        )
        found = Buttons(buttons, 2) if buttons else Text(_("Nothing to ask about right now."), "quiet")
        return Screen(self.title, (found,), (back_button(),), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Open the answer for what was touched, or go back."""
        if intent.verb == "pick":
            choices = self.choices()
            return choices[intent.n][2](self) if 0 <= intent.n < len(choices) else None
        return super().touch(intent)


# ---- what a general may do ------------------------------------------------------------------------------


def _generals(table: GameTable[Position, Step], index: int, lead: Lead) -> list[Choice]:
    """Return a choice for each general of a side, leading to the answer about it."""
    return [
        (general_title(table.position, index, fighter.label), "", partial(lead, table, fighter))
        for fighter in table.position.sides[index].fighters
    ]


def _deeds(table: GameTable[Position, Step], fighter: Fighter, back: Scene) -> Scene:
    """Offer every move and attack of a general that could be argued about."""

    def deeds() -> list[Choice]:
        position = table.position
        steps: list[Step] = [Move(fighter.label, zone) for zone in ZONES if zone != fighter.zone]
        steps += [Attack(fighter.label, other.label) for other in position.sides[1 - position.to_move].fighters]
        steps.append(Attack(fighter.label))
        if position.card(position.to_move, fighter.card).effect is not None:
            steps.append(Activate(fighter.label))
        return [(step_question(step, position), "", partial(ruling_on, table, step)) for step in steps]

    return PickScene((general_title(table.position, table.position.to_move, fighter.label), deeds), back)


# ---- numbers with their reasons ---------------------------------------------------------------------------


def _pointed(table: GameTable[Position, Step]) -> list[Choice]:
    """Return a choice for each general of both sides."""
    people = table.people
    return [
        (
            general_title(table.position, i, fighter.label),
            people.name(SIDES[i]),
            partial(_strength, table, (i, fighter)),
        )
        for i, side in enumerate(table.position.sides)
        for fighter in side.fighters
    ]


def _strength(table: GameTable[Position, Step], whose: tuple[int, Fighter], back: Scene) -> Scene:
    """Open the answer with a general's points, each part a finding with its source."""
    position, (index, fighter) = table.position, whose
    title = general_title(position, index, fighter.label)
    military, intelligence = (points_of(position, index, fighter, form) for form in ("military", "intelligence"))
    form = _("{n} military, {m} intelligence.")
    verdict = Verdict(None, form.format(n=military.total, m=intelligence.total), title)
    findings = (*_parts(_("Military"), military), *_parts(_("Intelligence"), intelligence))
    picture = duel_picture(position, DuelMarks({f"{SIDES[index]}/{fighter.label}": "chosen"}))
    asked = _("How strong is {general}?").format(general=title)
    return _answer(table, RulesQuestion(asked, position, Ruling(findings), picture=picture, verdict=verdict), back)


def _targets(table: GameTable[Position, Step], attacker: Fighter, back: Scene) -> Scene:
    """Offer the opposing generals as targets of an attack."""
    choices = _generals(table, 1 - table.position.to_move, partial(_fight, attacker))
    return PickScene((_("Attack which general?"), lambda: choices), back)


def _fight(attacker: Fighter, table: GameTable[Position, Step], other: Fighter, back: Scene) -> Scene:
    """Open the answer with both generals' points, who would fall, and whether the attack is legal."""
    position = table.position
    own, opposing = position.to_move, 1 - position.to_move
    tallies = points_of(position, own, attacker, "military"), points_of(position, opposing, other, "military")
    names = general_title(position, own, attacker.label), general_title(position, opposing, other.label)
    mine, theirs = (tally.total for tally in tallies)
    ends = {1: _("{other} is defeated."), 0: _("Both are defeated."), -1: _("{one} is defeated.")}
    end = ends[(mine > theirs) - (mine < theirs)].format(one=names[0], other=names[1])
    verdict = Verdict(None, _("{n} against {m}: {end}").format(n=mine, m=theirs, end=end), "Game Play 14")
    step = Attack(attacker.label, other.label)
    findings = (*_parts(names[0], tallies[0]), *_parts(names[1], tallies[1]), *examine(position, step).findings)
    asked = _("{one} vs {other}").format(one=names[0], other=names[1])
    picture = duel_picture(position, step_marks(position, step))
    return _answer(table, RulesQuestion(asked, position, Ruling(findings), picture=picture, verdict=verdict), back)


def _costs(table: GameTable[Position, Step]) -> list[Choice]:
    """Return a choice for each card of the side to move."""
    position = table.position
    side = position.sides[position.to_move]
    return [
        (
            card.title,
            _("cost {n}").format(n=cost_of(position, position.to_move, card).total),
            partial(_cost, table, card),
        )
        for card in side.deck.cards.values()
    ]


def _cost(table: GameTable[Position, Step], card: Card, back: Scene) -> Scene:
    """Open the answer with what a card costs and, for a general, whether it may be deployed."""
    position = table.position
    tally = cost_of(position, position.to_move, card)
    findings = _parts(_("Cost"), tally)
    if card.kind == "general":
        findings += examine(position, Deploy(card.name)).findings
    verdict = Verdict(None, _("{card} costs {n} now.").format(card=card.title, n=tally.total))
    asked = _("What does {card} cost?").format(card=card.title)
    return _answer(
        table,
        RulesQuestion(asked, table.position, Ruling(findings), picture=duel_picture(position), verdict=verdict),
        back,
    )


def _answer(table: GameTable[Position, Step], question: RulesQuestion[Position, Step], back: Scene) -> Scene:
    return RulingScene(table.presenter, question, back, table)


def _parts(what: str, tally: Tally) -> tuple[Finding, ...]:
    return tuple(Finding("tally", True, part.citation, f"{what}: {part.n:+d}, {part.why}") for part in tally.parts)
