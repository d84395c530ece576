"""A ruling names every reading that it rests on: wherever switching one changes it, in whole random games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.generals.game import activations, examine, readings, rules, uses
from engine.generals.position import Position
from engine.generals.steps import Activate, Attack, Deploy, Equip, Move, Step, Use
from engine.generals.turn import judge_step, perform_step
from engine.ruling import Ruling
from engine.system import Judge
from tests.engine.generals.case import at, position, side
from tests.engine.generals.test_properties import played
from tests.rulings import changed_without_a_name

pytestmark = pytest.mark.long

OTHERS = tuple(name for name, reading in readings().items() if reading.other)


def plainly(where: Position, step: Step) -> Ruling:
    """Return the ruling without trying other answers to the readings."""
    return Judge(lambda position: rules(), judge_step, perform_step).examine(where, step)


def asked(where: Position) -> Iterator[Step]:
    """All that a player might think of, legal or not."""
    own, other = where.sides[where.to_move], where.sides[1 - where.to_move]
    for card in own.deck.cards.values():
        yield Deploy(card.name)
        yield from uses(where, card.name)
        yield from (Equip(card.name, fighter.label) for fighter in own.fighters)
    for card in other.deck.cards.values():
        yield from uses(where, card.name, 1 - where.to_move)
    for fighter in own.fighters:
        yield from activations(where, fighter.label)
        yield from (Move(fighter.label, zone) for zone in ("city", "outside", "siege"))
        yield from (Attack(fighter.label, enemy) for enemy in ("", *(each.label for each in other.fighters)))


@pytest.mark.parametrize("seed", range(4))
def test_whenever_a_reading_changes_a_ruling_the_ruling_names_it(seed: int) -> None:
    silent = {
        (name, type(step).__name__)
        for number, where in enumerate(played(seed)[1][::6])
        for step in list(asked(where))[number % 3 :: 3]
        for name in changed_without_a_name(examine(where, step), plainly, where, step, OTHERS)
    }
    assert silent == set()


@pytest.mark.parametrize("answer", [frozenset(), frozenset({"strike-attack"})])
def test_an_intelligence_attack_by_a_card_names_what_it_rests_on(answer: frozenset[str]) -> None:
    where = position(side(at("fox", "siege", acted=True)), side(at("boar", "outside")), readings=answer)
    ruling = examine(where, Use("plot", "red", "fox", "boar"))
    assert ruling.legal == bool(answer)
    (once,) = [finding for finding in ruling.findings if finding.rule == "act.once"]
    assert (once.holds, once.readings) == (bool(answer), ("strike-attack",))


def test_a_cost_names_what_makes_it_cheaper() -> None:
    where = position(side(at("fox")), side(at("horse")))
    (pay,) = [finding for finding in examine(where, Deploy("horse")).findings if finding.rule == "pay.hand"]
    assert pay.readings == ("payment", "discount", "discount-self")
    assert pay.message.endswith("(reading: payment) (reading: discount) (reading: discount-self)")


def test_what_rests_on_nothing_open_names_nothing() -> None:
    where = position(side(at("fox")), side())
    named = {finding.readings for finding in examine(where, Activate("nobody")).findings}
    assert named == {()}
