"""Random play: games end, what is offered is accepted, cards are kept, spoiled steps are refused with a cited rule."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.generals.cards import load_deck
from engine.generals.game import CASTLE, activations, apply, fold, judge, legal, new_game, owed, readings, uses
from engine.generals.position import SIDES, Position
from engine.generals.steps import Activate, Attack, Deploy, End, Equip, Move, Step, Use
from engine.generals.wire import position_from_json, position_to_json, step_from_json, step_to_json

pytestmark = pytest.mark.chance

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


def test_games_end_with_a_reason(whole: tuple[list[Step], list[Position]]) -> None:
    assert whole[1][-1].reason in ("draw", "damage", "upkeep", "card")


def test_every_card_stays_somewhere(whole: tuple[list[Step], list[Position]]) -> None:
    assert all(side.cards == side.deck.size for where in whole[1] for side in where.sides)


def test_replay_is_play(whole: tuple[list[Step], list[Position]]) -> None:
    steps, positions = whole
    assert fold(positions[0], [step_from_json(step_to_json(step)) for step in steps]) == positions[-1]
    assert all(position_from_json(position_to_json(where)) == where for where in positions)


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


def test_all_kinds_of_steps_come_up() -> None:
    kinds = {type(step) for seed in range(3) for step in played(seed)[0]}
    assert kinds == {Activate, Attack, Deploy, End, Equip, Move, Use}
