"""Random play: games end, what is offered is accepted, rulings name every reading that they rest on."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.generals.cards import load_deck
from engine.generals.game import (
    CASTLE,
    activations,
    apply,
    examine,
    fold,
    judge,
    legal,
    new_game,
    owed,
    readings,
    rules,
    uses,
)
from engine.generals.position import SIDES, Position
from engine.generals.steps import Activate, Attack, Deploy, End, Equip, Move, Step, Use
from engine.generals.turn import judge_step, perform_step
from engine.generals.wire import position_from_json, position_to_json, step_from_json, step_to_json
from engine.ruling import Ruling
from engine.system import Judge
from tests.engine.generals.case import at, position, side
from tests.rulings import changed_without_a_name

MOST_STEPS = 2000
SWITCHED = (0.0, 0.5)
"""How many readings are switched, in every other game."""


def offered(where: Position) -> Iterator[Step]:
    """Every step that `legal` offers."""
    found = legal(where)
    yield from (Deploy(card) for card in found.deploy)
    yield from (Equip(card, label) for card, labels in found.equip.items() for label in labels)
    yield from (Move(label, zone) for label, zones in found.move.items() for zone in zones)
    for label, targets in found.attack.items():
        yield from (Attack(label, "" if target == CASTLE else target) for target in targets)
    for card in found.use:
        yield from (step for step in uses(where, card) if judge(where, step).legal)
    for card in found.specials:
        yield from (step for step in uses(where, card, 1 - where.to_move) if judge(where, step).legal)
    for label in found.activate:
        yield from (step for step in activations(where, label) if judge(where, step).legal)
    yield End()


def played(seed: int) -> tuple[list[Step], list[Position]]:
    """Play a whole random game and return its steps and positions."""
    chance = Random(seed)
    decks = {who: load_deck(name) for who, name in zip(SIDES, ("practice-cranes", "practice-wolves"), strict=True)}
    switched = [name for name, reading in readings().items() if reading.other and chance.random() < SWITCHED[seed % 2]]
    positions, steps = [new_game(decks, chance.choice(SIDES), switched)], list[Step]()
    while positions[-1].winner is None:
        assert len(steps) < MOST_STEPS
        assert owed(positions[-1]) is None or legal(positions[-1]).specials
        steps.append(chance.choice(list(offered(positions[-1]))))
        positions.append(apply(positions[-1], steps[-1]))
    return steps, positions


@pytest.fixture(scope="module", params=range(12))
def whole(request: pytest.FixtureRequest) -> tuple[list[Step], list[Position]]:
    return played(request.param)


@pytest.mark.chance
def test_games_end_with_a_reason(whole: tuple[list[Step], list[Position]]) -> None:
    assert whole[1][-1].reason in ("draw", "damage", "upkeep", "card")


@pytest.mark.chance
def test_every_card_stays_somewhere(whole: tuple[list[Step], list[Position]]) -> None:
    assert all(side.cards == side.deck.size for where in whole[1] for side in where.sides)


@pytest.mark.chance
def test_replay_is_play(whole: tuple[list[Step], list[Position]]) -> None:
    steps, positions = whole
    assert fold(positions[0], [step_from_json(step_to_json(step)) for step in steps]) == positions[-1]
    assert all(position_from_json(position_to_json(where)) == where for where in positions)


@pytest.mark.chance
def test_spoiled_steps_are_refused_with_a_cited_rule(whole: tuple[list[Step], list[Position]]) -> None:
    steps, positions = whole
    for step, where in zip(steps, positions, strict=False):
        for bad in spoiled(step):
            (first, *_more) = judge(where, bad).objections
            assert first.citation.section
            assert first.message


def spoiled(step: Step) -> Iterator[Step]:
    """Yield copies of the step, each with one part made wrong."""
    if isinstance(step, Deploy):
        yield Deploy("dragon")
        yield Deploy(step.card, "siege")
    elif isinstance(step, Equip):
        yield Equip(step.card, "nobody")
    elif isinstance(step, Move):
        yield Move(step.general, "sea")
        yield Move("nobody", step.to)
    elif isinstance(step, Attack):
        yield Attack(step.general, "nobody")
    elif isinstance(step, Activate):
        yield Activate("nobody", step.to, step.target)
        yield Activate(step.general, "nobody", step.target)
    elif isinstance(step, Use):
        yield Use(step.card, "blue", step.general, step.target)
        yield Use(step.card, step.by, "nobody", step.target)


@pytest.mark.chance
def test_all_kinds_of_steps_come_up() -> None:
    kinds = {type(step) for seed in range(3) for step in played(seed)[0]}
    assert kinds == {Activate, Attack, Deploy, End, Equip, Move, Use}


# ==== A ruling names every reading that it rests on ============================================

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


@pytest.mark.long
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
